import Foundation
import TestSupport
import Testing

/// What is said during a drag, step by step, as `docs/clippings.md` shows it.
extension FileManagerTests {
  @Test
  func `text is saved by us when Thunar has named the place`() async throws {
    try await FileManagerStage.with(.thunar, file: [1]) { stage in
      let log = try await stage.drop(["--log", "trace", "--text", "Hello"])
      try await stage.take("Hello.txt") { FileManager.default.contents(atPath: $0) == Data("Hello".utf8) }
      let diagram = ExchangeDiagram(log: log, us: "xdnd-source", them: "Thunar") { stage.withoutDirectories($0) }
      #expect(
        diagram.has([
          "XdndEnter, version 5", "XdndPosition, copy", "XdndStatus, copy", "XdndDrop",
          "ConvertSelection XdndDirectSave0", "reads XdndDirectSave0: file://…/open/Hello.txt",
          "writes …/open/Hello.txt", "XdndDirectSave0: S", "XdndFinished, copy",
        ]), "\(diagram.mermaid)\n\(log)")
      diagram.record("`xdnd-source --text Hello` dropped on Thunar")
    }
  }

  @Test
  func `a document is made for PCManFM before the drop`() async throws {
    let directory = try TemporaryDirectory("content")
    let pdf = try directory.write(Sample.noise(1000), to: "chart.pdf")
    try await FileManagerStage.with(.pcmanfm, file: [1]) { stage in
      let log = try await stage.drop(["--log", "trace", "--save-as", "chart.pdf", "--type", "application/pdf=@\(pdf)"])
      try await stage.take("chart.pdf") { FileManager.default.contentsEqual(atPath: $0, andPath: pdf) }
      let diagram = ExchangeDiagram(log: log, us: "xdnd-source", them: "PCManFM") { stage.withoutDirectories($0) }
      #expect(
        diagram.has([
          "XdndEnter, version 5", "ConvertSelection text/uri-list", "XdndStatus, copy",
          "the button is up, makes the files", "XdndDrop", "XdndFinished, copy",
        ]), "\(diagram.mermaid)\n\(log)")
      diagram.record("`xdnd-source --save-as chart.pdf --type application/pdf=@chart.pdf` dropped on PCManFM")
    }
  }

  @Test(arguments: [true, false])
  func `a source saves where the probe has told it to, or says that it cannot`(_ succeeds: Bool) async throws {
    let directory = try TemporaryDirectory("saved")
    let command = succeeds ? "echo Hello" : "exit 1"
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--save-as", "hello.txt", "--type", "text/plain=!\(command)"],
        probe: ["--log", "trace", "--once", "--save", directory.path])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      let status = try await scene.target.exit()
      let saved = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(saved == (succeeds ? ["hello.txt"] : []), "\(status)")
      let diagram = ExchangeDiagram(
        log: String(decoding: scene.target.errors.bytes, as: UTF8.self), us: "xdnd-probe", them: "xdnd-source"
      ) {
        withoutStagingName($0.replacing(directory.path, with: "…/Downloads"))
      }
      let steps =
        [
          "XdndEnter, version 5", "XdndStatus, copy", "XdndDrop", "reads XdndDirectSave0: hello.txt",
          "ConvertSelection XdndDirectSave0",
        ]
        + (succeeds
          ? ["XdndDirectSave0: S", "the file is complete: moves it to its place", "XdndFinished, copy"]
          : ["XdndDirectSave0: E", "XdndDirectSave0 is empty"])
      #expect(diagram.has(steps), "\(diagram.mermaid)\n\(scene.target.errors.text)")
      diagram.record(
        "`xdnd-source --save-as hello.txt --type 'text/plain=!\(command)'` dropped on `xdnd-probe --save Downloads`")
    }
  }
}

/// The directory that a source is given has a name that is made of chance.
private func withoutStagingName(_ text: String) -> String {
  text.replacing(#/\.xdnd-[^/ ]+/#, with: ".xdnd-…")
}

extension FileManagerStage {
  /// Paths without what is particular to a run.
  fileprivate func withoutDirectories(_ text: String) -> String {
    let here = folder.dropLast("/open".count)
    return text.replacing(here, with: "…").replacing(#/\.cache/xdnd/[^/ ]+/#, with: ".cache/xdnd/…")
  }
}

extension ExchangeDiagram {
  /// Whether all of these were said, in this order, with or without something in between.
  func has(_ wanted: [String]) -> Bool {
    var rest = wanted[...]
    for step in steps where step.what == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// Appends it to the file that `XDND_EXCHANGE_REPORT` names.
  fileprivate func record(_ title: String) {
    InteropReport.append("**\(title)**\n\n\(mermaid)\n", "XDND_EXCHANGE_REPORT")
  }
}

@Suite("Diagrams of what is said during a drag")
struct ExchangeDiagramTests {
  @Test
  func `positions with the same answer are one line with a number`() {
    let said = ["sent=XdndPosition, copy", "received=XdndStatus, copy"]
    let diagram = Self.diagram(
      ["sent=XdndEnter, version 5"] + ["sent=XdndPosition, copy", "received=XdndStatus, refused"] + said + said + said
        + ["sent=XdndDrop"])
    #expect(
      diagram.steps.map { "\($0.time) \($0.what) ×\($0.count)" } == [
        "0 XdndEnter, version 5 ×1", "10 XdndPosition, copy ×1", "20 XdndStatus, refused ×1",
        "30 XdndPosition, copy ×3",
        "40 XdndStatus, copy ×3", "90 XdndDrop ×1",
      ])
  }

  @Test
  func `what Mermaid would take for its own language is escaped`() {
    let diagram = Self.diagram(["received=ConvertSelection text/plain;charset=utf-8", "did=reads #1 <a>"])
    #expect(
      diagram.mermaid == """
        ```mermaid
        sequenceDiagram
          participant A as we
          participant B as they
          B->>A: 0 ms: ConvertSelection text/plain#59;charset=utf-8
          Note over A: 10 ms: reads #35;1 #lt;a#gt;
        ```
        """)
  }

  @Test
  func `lines about other things are passed over`() {
    let log = """
      2026-11-21T10:41:02+0000 trace xdnd: effect=began time=1.5 [XDnD] drag
      pcmanfm: something is odd
      2026-11-21T10:41:02+0000 trace xdnd: peer=0x400002 sent=XdndLeave time=1.5 [XDnD] exchange
      """
    #expect(ExchangeDiagram(log: log, us: "a", them: "b").steps.map(\.what) == ["XdndLeave"])
  }

  /// A log of these steps, ten milliseconds from one to the next.
  private static func diagram(_ steps: [String]) -> ExchangeDiagram {
    let lines = steps.enumerated().map { index, step in
      let peer = step.hasPrefix("did") ? "" : "peer=0x400002 "
      return "2026-11-21T10:41:02+0000 trace xdnd: \(peer)\(step) time=\(Double(100 + index) / 100) [XDnD] exchange"
    }
    return ExchangeDiagram(log: lines.joined(separator: "\n"), us: "we", them: "they")
  }
}
