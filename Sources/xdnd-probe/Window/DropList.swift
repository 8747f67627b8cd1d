import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The drops as lines of the window, the selected line, and its preview.
final class DropList {
  var onPreview: () -> Void = {}

  private var history: DropHistory
  private let isSaving: Bool
  /// The selected line, whose content is previewed: the line of the newest drop, until the user selects another. `nil`
  /// before the first drop.
  private var selection: DropHistory.Line.ID?
  /// Whether the user has selected the line.
  private(set) var isSelectedByUser = false
  private var cache: CachedPreview?
  private let decode: (_ picture: [UInt8], _ completion: @escaping (Picture?) -> Void) -> Void

  /// The cached preview of a line, because making it may read a file.
  private struct CachedPreview {
    let line: DropHistory.Line.ID
    let partCount: Int
    /// `nil` if there is none, or if it is still being decoded.
    var preview: Scene.Preview?
  }

  /// - Parameters:
  ///   - isSaving: Whether drops are saved as files, under their promised names.
  ///   - decode: Decodes an image file in the background.
  init(budget: Int, isSaving: Bool, decode: @escaping ([UInt8], @escaping (Picture?) -> Void) -> Void) {
    history = DropHistory(budget: budget)
    self.isSaving = isSaving
    self.decode = decode
  }

  /// Adds a drop, and selects its first line, which stands for the whole drop.
  func begin(_ drop: any ProbeDrop, origin: String) {
    let name = drop.promisedName.map(Formatting.visible).flatMap {
      isSaving || !Formatting.isClippingName($0) ? $0 : nil
    }
    selection = history.begin(
      DropHistory.Record(
        drop: ObjectIdentifier(drop), isPaste: drop.session == nil, origin: origin,
        name: name, type: drop.negotiation.best?.offered, outcome: "receiving"))
    isSelectedByUser = false
  }

  /// Adds a part to a drop, or as a new entry if there is no drop or it is no longer in the list.
  func add(_ part: DropHistory.Part, to drop: (any ProbeDrop)? = nil) {
    history.add(part, to: drop.map { ObjectIdentifier($0) })
  }

  func update(_ drop: any ProbeDrop, _ change: (inout DropHistory.Record) -> Void) {
    history.update(ObjectIdentifier(drop), change)
  }

  /// Returns the record of a drop; `nil` if it is no longer in the list.
  func record(of drop: any ProbeDrop) -> DropHistory.Record? {
    history.records.first { $0.drop == ObjectIdentifier(drop) }
  }

  /// Returns the index of the first line of a drop; `nil` if it is no longer in the list.
  func firstLine(of drop: any ProbeDrop) -> Int? { lines.firstIndex { $0.drop == ObjectIdentifier(drop) } }

  /// Shows that a drop was undone or redone.
  func show(_ action: UndoStack.Action, number: Int, _ extent: UndoStack.Extent) {
    history.update(number: number) {
      switch extent {
      case .nothing: break
      case .part:
        $0.undone = .inPart
        for index in $0.parts.indices { $0.parts[index].lookAgain() }
      case .complete: $0.undone = action == .undo ? .complete : .none
      }
    }
  }

  /// Whether work on any drop is shown.
  var isBusy: Bool { history.records.contains { $0.activity != nil } }

  /// The progress in percent of the newest drop with work in progress; `nil` if there is none, or if its progress is
  /// unknown.
  var percent: Int? { history.records.first { $0.activity != nil }?.activity?.percent }

  /// The title of the newest drop with work in progress, or else of the newest drop with content; `nil` if there is no
  /// such drop, or while its title is unknown.
  var title: String? {
    let records = history.records
    if let present = records.first(where: { $0.activity != nil }) {
      return present.name == nil && present.parts.isEmpty ? nil : present.title
    }
    return records.first { $0.drop != nil && $0.parts.contains { $0.state != .error } }?.title
  }

  // MARK: Lines

  var lines: [DropHistory.Line] { history.lines }

  /// The selected line, or else the first line; `nil` if there are no lines.
  var current: DropHistory.Line? { currentIndex.map { history.lines[$0] } }

  var currentIndex: Int? {
    let lines = history.lines
    return lines.firstIndex { $0.id == selection } ?? lines.indices.first
  }

  func select(_ line: DropHistory.Line) {
    selection = line.id
    isSelectedByUser = true
  }

  /// Selects the first line of a drop, if it is still in the list.
  func select(_ drop: ObjectIdentifier) {
    guard let record = history.records.first(where: { $0.drop == drop }) else { return }
    selection = DropHistory.Line.ID(record: record.number, part: 0)
  }

  /// Moves the selection. Returns the index of the selected line; `nil` if there are no lines, or for other keys.
  func select(with key: KeyEvent) -> Int? {
    let lines = history.lines
    guard !lines.isEmpty else { return nil }
    let here = lines.firstIndex { $0.id == selection } ?? 0
    let next: Int
    switch key.key {
    case .up: next = here - 1
    case .down: next = here + 1
    case .home: next = 0
    case .end: next = lines.count - 1
    default: return nil
    }
    let index = min(max(0, next), lines.count - 1)
    select(lines[index])
    return index
  }

  func content() -> (rows: [Scene.Row], pane: Scene.Pane?, selectedRow: Int?) {
    let lines = history.lines
    var rows = lines.map(\.row)
    guard let index = lines.firstIndex(where: { $0.id == selection }) ?? lines.indices.first else {
      return (rows, nil, nil)
    }
    let pane = Scene.Pane(preview: preview(of: lines[index]), facts: lines[index].facts)
    guard selection != nil else { return (rows, pane, nil) }
    if rows[index].state == .plain { rows[index].state = .selected }
    return (rows, pane, index)
  }

  /// Returns the preview of a line; `nil` if there is none, or if it is still being decoded. A line for several parts
  /// has no preview.
  private func preview(of line: DropHistory.Line) -> Scene.Preview? {
    if !line.output.isEmpty { return .output(line.output) }
    if let cache, cache.line == line.id, cache.partCount == line.parts.count { return cache.preview }
    cache = CachedPreview(line: line.id, partCount: line.parts.count)
    switch line.parts.count == 1 ? line.parts[0].preview : nil {
    case nil: break
    case .ready(let preview): cache?.preview = preview
    case .picture(let bytes):
      decode(bytes) { [weak self] picture in
        guard let self, cache?.line == line.id, let picture else { return }
        cache?.preview = .picture(picture)
        onPreview()
      }
    }
    return cache?.preview
  }
}
