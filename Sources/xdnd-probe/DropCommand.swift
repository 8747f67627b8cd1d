import Glibc
import ToolSupport
import ToolWindow
import XDnD

/// One run of the command of `--exec`, with one drop.
final class DropCommand {
  /// What it is run with.
  struct Input {
    let type: ContentType
    let operation: DragOperation
    /// What `{}` stands for: the dropped files, or the one that the content was written to.
    var files: [[UInt8]]
    /// The content, if it is no list of files; it goes with the run.
    var content: ScratchFile?
  }

  /// What the window shows of it.
  let row: Scene.Row
  private let input: Input
  private let process: ShellProcess

  /// - Parameters:
  ///   - completion: Told how it ended: `nil` for well, or a sentence.
  /// - Returns: `nil` if it cannot be started.
  init?(
    _ template: CommandTemplate, _ input: Input, on loop: EventLoop, reporter: Reporter,
    completion: @escaping (String?) -> Void
  ) {
    let content = input.content.map { file in withPath(file.path) { open($0, O_RDONLY | O_CLOEXEC) } }
    defer { if let content, content >= 0 { close(content) } }
    let variables: [(name: String, value: [UInt8])] = [
      ("XDND_TYPE", Array(input.type.name.utf8)), ("XDND_ACTION", Array(input.operation.description.utf8)),
      ("XDND_FILE", input.files.first ?? []),
    ]
    guard content.map({ $0 >= 0 }) ?? true,
      let process = ShellProcess(
        RawArgument.bytes(of: template.script), arguments: input.files, environment: variables, input: content,
        inheriting: input.content.map { [$0.lock] } ?? [])
    else { return nil }
    self.input = input
    self.process = process
    let command = Humane.visible(template.argument)
    row = Scene.Row(command, secondary: "running", state: .highlighted, icon: Scene.Icon(.command))
    reporter.print(
      Report(
        "exec-began", "Running \(command).",
        [
          "command": .string(template.argument), "process": .integer(Int(process.id)),
          "files": .strings(input.files.map { String(decoding: $0, as: UTF8.self) }),
        ]))
    loop.onEnd(of: process.id) { status in
      let (code, signal) = (status >> 8 & 0xFF, status & 0x7F)
      let words = signal == 0 ? "it ended with \(code)" : "signal \(signal) ended it"
      reporter.print(
        Report(
          "exec-ended", "\(command): \(words).",
          [
            "process": .integer(Int(process.id)), "status": signal == 0 ? .integer(Int(code)) : nil,
            "signal": signal == 0 ? nil : .integer(Int(signal)),
          ]))
      completion(status == 0 ? nil : "\(template.argument): \(words)")
    }
  }

  /// Ends it; it says no more.
  func stop() { process.terminate() }
}
