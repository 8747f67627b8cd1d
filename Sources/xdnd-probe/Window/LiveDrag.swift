import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The drag over the window, or the last one.
struct LiveDrag {
  enum Phase: Equatable {
    case over(Point)
    case gone(String)
    case dropped(String)
  }

  let drop: ObjectIdentifier
  let program: PeerProgram?
  let source: WindowID
  let version: ProtocolVersion
  let types: [ContentType]
  let best: ContentType?
  let operations: [DragOperation]
  /// Whether the drag started in this window.
  let isOwn: Bool
  var phase: Phase
  var requested: DragOperation?
  var proposed: DragOperation?

  init(_ drop: DropSession, program: PeerProgram?) {
    self.drop = ObjectIdentifier(drop)
    self.program = program
    source = drop.sourceWindow
    version = drop.version
    types = drop.types
    best = drop.bestType
    operations = drop.operations
    isOwn = drop.localDrag != nil
    phase = .over(drop.rootLocation)
  }

  /// The facts, then the offered types.
  var rows: [Scene.Row] {
    let program = self.program?.description ?? ""
    let facts = [
      ("From", isOwn ? "this window" : program.isEmpty ? "an unknown program" : program),
      ("Phase", phaseWords), ("Actions", operationWords), ("Protocol", "XDND \(version), window \(source)"),
    ]
    return facts.map { Scene.Row($0.0, secondary: $0.1, state: isOver ? .plain : .dimmed, wraps: true) }
      + types.map { type in
        let isBest = isOver && type == best
        return Scene.Row(
          Formatting.visible(type.name), secondary: isBest ? "best match" : "", state: isBest ? .highlighted : .dimmed)
      }
  }

  private var isOver: Bool { if case .over = phase { true } else { false } }

  private var phaseWords: String {
    switch phase {
    case .over(let point): "over the window, at \(point)"
    case .gone(let words), .dropped(let words): words
    }
  }

  private var operationWords: String {
    let offered = operations.map { Formatting.visible($0.description) }.joined(separator: ", ")
    let listed = offered.isEmpty ? "not listed" : offered
    guard let requested else { return listed }
    let answer =
      proposed.map { $0 == requested ? "accepted" : "accepted as \(Formatting.visible($0.description))" } ?? "refused"
    return "\(listed); \(Formatting.visible(requested.description)) \(answer)"
  }
}
