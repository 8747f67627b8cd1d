/// Behaviour of one or a few named programs that this library works around.
///
/// Behaviour that many programs share, or a workaround that does no harm elsewhere, is part of the normal protocol
/// handling. `docs/quirks.md` lists all quirks with the evidence.
package struct Quirk: Hashable, Sendable {
  /// The name in logs, and on the command line to switch the quirk off.
  package let name: String
  /// What the program does, and the workaround.
  package let summary: String
  /// The classes (second string of `WM_CLASS`) of the target's window that identify the program. The class is read
  /// before Enter, because the types are fixed from then on. A process id would not do: it may be another
  /// machine's.
  package let windowClasses: Set<String>
  let effect: Effect

  enum Effect: Hashable, Sendable {
    /// The target is offered no promised files if the content is also offered as text.
    case withholdsPromises
    /// The target is offered a list of files also for a clipping.
    case listsClippings
  }

  /// gedit opens a promised file as a document, whatever else is offered.
  package static let textOpensDocument = Quirk(
    name: "text-opens-document",
    summary: "opens a promised file in a new tab instead of inserting the text; is not told of the promise",
    windowClasses: ["Gedit"], effect: .withholdsPromises)

  /// Nautilus and SpaceFM do not support direct save. Nautilus makes `Dropped Text.txt` of any drag that offers text;
  /// SpaceFM refuses content other than files.
  package static let directSaveUnknown = Quirk(
    name: "direct-save-unknown",
    summary: "takes files from a list only; is offered one for text, HTML, links and colors, too",
    windowClasses: ["Org.gnome.Nautilus", "org.gnome.Nautilus", "Spacefm"], effect: .listsClippings)

  package static let all: Set<Quirk> = [textOpensDocument, directSaveUnknown]
}
