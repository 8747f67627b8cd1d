import ToolSupport
import ToolWindow
import XDnD

/// The cached preview of a history line.
struct Pane {
  let line: DropHistory.Line.ID
  /// The number of parts when the preview was made.
  let count: Int
  /// `nil` if there is none, or if it is still being decoded.
  var preview: Scene.Preview?
}

/// The selected row.
extension ProbeController {
  /// Returns the history line of a window row; `nil` for other rows.
  func line(ofRow row: Int) -> DropHistory.Line? {
    let lines = history.lines
    let index = row - busyRows.count
    return view == .history && lines.indices.contains(index) ? lines[index] : nil
  }

  /// The rows of work in progress, above the history.
  var busyRows: [Scene.Row] { savers.values.map(\.row) + commands.values.map(\.row) }

  /// Selects a row and shows its preview; `nil` selects none and previews the newest drop.
  func look(at id: DropHistory.Line.ID?) {
    lookedAt = id
    updateScene()
    reportPreview()
  }

  /// Moves the selection with the arrow keys, Home and End.
  ///
  /// - Returns: Whether the key was handled.
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

  /// Returns the preview of a line; `nil` if there is none, or if it is still being decoded. It is cached, because
  /// making it may read a file.
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
  /// The kind of the preview, for programs.
  fileprivate var kind: String {
    switch self {
    case .text: "text"
    case .picture: "picture"
    case .color: "color"
    case .files: "files"
    }
  }
}
