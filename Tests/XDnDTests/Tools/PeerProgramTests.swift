import Testing

@testable import xdnd_probe

@Suite("How xdnd-probe names other programs")
struct PeerProgramTests {
  @Test(arguments: [
    // Another name than that of the instance is the program's.
    ("Firefox", "Navigator", "Start", "Firefox"),
    ("dolphin", "dolphin", "Home", "dolphin"),
    // A toolkit's capital letter is not the program's.
    ("Xdnd-source", "xdnd-source", "3 items – xdnd-source", "xdnd-source"),
    // Unless the program writes itself so.
    ("Thunar", "thunar", "Downloads - Thunar", "Thunar"),
  ])
  func `a class is spelled as the program does`(program: String, instance: String, title: String, name: String) {
    #expect(PeerProgram.spelling(of: program, named: instance, title: title) == name)
  }

  @Test func `a window may lack names and a title`() {
    #expect(PeerProgram.spelling(of: "Thunar", named: nil, title: nil) == "Thunar")
    #expect(PeerProgram.spelling(of: "Thunar", named: "thunar", title: nil) == "thunar")
    #expect(PeerProgram.spelling(of: nil, named: "thunar", title: "Thunar") == nil)
  }
}
