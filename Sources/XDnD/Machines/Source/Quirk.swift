/// A habit of a program that others have to allow for, and what is done about it.
///
/// Quirks are for what one program does and others do not. What many do, or what does no harm to anybody else, is not a
/// quirk but how the protocol is spoken. The list, with what was seen, is in `docs/quirks.md`.
public struct Quirk: Hashable, Sendable {
  /// What it is called in logs, and on the command line to switch it off.
  public let name: String
  /// What the program does, and what is done about it.
  public let summary: String
  /// What the program is recognised by: the class of the target's window, the second string of `WM_CLASS`.
  public let windowClasses: Set<String>
  /// Whether targets that have it are not told of promised files where the content is offered as text as well.
  let withholdsPromises: Bool

  /// gedit takes the promise of a file for a document that is to be opened, whatever else is offered.
  public static let textOpensDocument = Quirk(
    name: "text-opens-document",
    summary: "opens a promised file in a new tab instead of inserting the text; is not told of the promise",
    windowClasses: ["Gedit"], withholdsPromises: true)

  /// All that are known.
  public static let all: Set<Quirk> = [textOpensDocument]
}
