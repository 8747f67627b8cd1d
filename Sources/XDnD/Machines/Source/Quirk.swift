/// Behaviour specific to one program that this library works around.
///
/// A quirk concerns a single program. Behaviour that many programs share, or a workaround that does no harm elsewhere,
/// is part of the normal protocol handling. `docs/quirks.md` lists all quirks with the evidence.
public struct Quirk: Hashable, Sendable {
  /// The name in logs, and on the command line to switch the quirk off.
  public let name: String
  /// What the program does, and the workaround.
  public let summary: String
  /// The `WM_CLASS` classes (its second string) that identify the program by the target's window.
  public let windowClasses: Set<String>
  /// Whether targets with this quirk are offered no promised files if the content is also offered as text.
  let withholdsPromises: Bool

  /// gedit opens a promised file as a document, whatever else is offered.
  public static let textOpensDocument = Quirk(
    name: "text-opens-document",
    summary: "opens a promised file in a new tab instead of inserting the text; is not told of the promise",
    windowClasses: ["Gedit"], withholdsPromises: true)

  /// All known quirks.
  public static let all: Set<Quirk> = [textOpensDocument]
}
