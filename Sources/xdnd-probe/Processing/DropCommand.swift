import Files
import Glibc
import ToolSupport
import ToolWindow
import XDnD

/// One run of the `--exec` command for a drop.
final class DropCommand {
  /// The input of a run.
  struct Input {
    let type: ContentType
    let operation: DragOperation
    /// The arguments for `{}`: the dropped files, or the file with the content.
    var files: [[UInt8]]
    /// The content, unless the drop is a list of files. The file is removed with this value.
    var content: ScratchFile?
  }

  /// The row shown while the command runs.
  let row: Scene.Row
  private let input: Input
  private let process: ShellProcess

  /// Starts the command. Returns `nil` if it cannot be started.
  ///
  /// - Parameters:
  ///   - completion: Receives `nil` if the command succeeded, otherwise the reason.
  init?(
    _ template: CommandTemplate, _ input: Input, on loop: EventLoop, reporter: Reporter,
    completion: @escaping (String?) -> Void
  ) {
    let content = input.content.map { file in withCPath(file.path) { open($0, O_RDONLY | O_CLOEXEC) } }
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
      let words = signal == 0 ? "exited with status \(code)" : "killed by signal \(signal)"
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

  /// Terminates the command.
  func stop() { process.terminate() }
}
