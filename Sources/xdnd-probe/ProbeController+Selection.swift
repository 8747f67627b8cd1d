import ToolSupport
import ToolWindow
import XDnD

/// What the pane beside the rows shows.
struct Pane {
  let line: DropHistory.Line.ID
  /// How many parts the line had.
  let count: Int
  /// `nil` for nothing, or nothing yet.
  var preview: Scene.Preview?
}

/// The row that is looked at.
extension ProbeController {
  /// What a row of the window stands for; `nil` for what is no drop.
  func line(ofRow row: Int) -> DropHistory.Line? {
    let lines = history.lines
    let index = row - busyRows.count
    return view == .history && lines.indices.contains(index) ? lines[index] : nil
  }

  /// Those above the history.
  var busyRows: [Scene.Row] { savers.values.map(\.row) + commands.values.map(\.row) }

  /// Shows what is in a row; nothing, for the newest.
  func look(at id: DropHistory.Line.ID?) {
    lookedAt = id
    updateScene()
    reportPreview()
  }

  /// Moves on among the rows, as keys do that mean it.
  ///
  /// - Returns: Whether the key means that here.
  func look(with key: KeyEvent) -> Bool {
    let lines = history.lines
    guard view == .history, !lines.isEmpty else { return false }
    let here = lines.firstIndex { $0.id == lookedAt } ?? 0
    let next: Int
    switch key.keysym {
    case 0xFF52, 0xFF97: next = here - 1
    case 0xFF54, 0xFF99: next = here + 1
    case 0xFF50, 0xFF95: next = 0
    case 0xFF57, 0xFF9C: next = lines.count - 1
    default: return false
    }
    let index = min(max(0, next), lines.count - 1)
    look(at: lines[index].id)
    window.reveal(row: busyRows.count + index)
    return true
  }

  /// What the pane shows of a line; `nil` for nothing, or nothing yet. It is found out once, for it may be in a file.
  func preview(of line: DropHistory.Line) -> Scene.Preview? {
    if let pane, pane.line == line.id, pane.count == line.parts.count { return pane.preview }
    pane = Pane(line: line.id, count: line.parts.count)
    switch DropHistory.Part.preview(of: line.parts) {
    case .ready(let preview): pane?.preview = preview
    case nil: break
    case .picture(let bytes):
      window.decodePicture(bytes) { [weak self] picture in
        guard let self, pane?.line == line.id, let picture else { return }
        pane?.preview = .picture(picture)
        updateScene()
        reportPreview()
      }
    }
    return pane?.preview
  }

  private func reportPreview() {
    guard lookedAt != nil, let preview = window.scene.preview else { return }
    reporter.printForPrograms(Report("preview", "", ["kind": .string(preview.kind)]))
  }
}

extension Scene.Preview {
  /// For programs.
  fileprivate var kind: String {
    switch self {
    case .text: "text"
    case .picture: "picture"
    case .color: "color"
    case .files: "files"
    }
  }
}
