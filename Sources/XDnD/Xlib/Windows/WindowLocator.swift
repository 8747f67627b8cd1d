/// Hit testing: finds the drop target at a root position.
final class WindowLocator {
  /// Called with the answer to a search that was pending.
  var onAnswer: (QuestionID, FoundTarget) -> Void = { _, _ in }

  private let hierarchy: WindowHierarchy
  private let windows: WindowQueries
  /// The search that waits for replies.
  private var pending: Search?

  private struct Search {
    var point: Point
    var namesProgram: Bool
    var question: QuestionID
  }

  init(_ hierarchy: WindowHierarchy, _ windows: WindowQueries) {
    self.hierarchy = hierarchy
    self.windows = windows
    hierarchy.onAnswers = { [unowned self] in resume() }
  }

  /// See ``WindowSystem/locateTarget(at:namingProgram:as:)``.
  func locateTarget(at point: Point, namingProgram namesProgram: Bool, as question: QuestionID) -> TargetSearch {
    pending = nil
    let search = Search(point: point, namesProgram: namesProgram, question: question)
    if !hierarchy.isTracking {
      return .found(hierarchy.search { () throws(WindowHierarchy.Unanswered) in try find(search) } ?? .nothing)
    }
    do throws(WindowHierarchy.Unanswered) {
      return .found(try hierarchy.attempt { () throws(WindowHierarchy.Unanswered) in try find(search) })
    } catch {
      pending = search
      return .pending
    }
  }

  /// Goes on with the pending search.
  private func resume() {
    guard let search = pending, hierarchy.isTracking,
      let found = try? hierarchy.attempt({ () throws(WindowHierarchy.Unanswered) in try find(search) })
    else { return }
    pending = nil
    onAnswer(search.question, found)
  }

  /// Forgets the pending search.
  func stop() { pending = nil }

  private func find(_ search: Search) throws(WindowHierarchy.Unanswered) -> FoundTarget {
    guard let target = try target(at: search.point) else { return .nothing }
    return FoundTarget(
      target: target, programClass: search.namesProgram ? try hierarchy.programClass(of: target.window) : nil)
  }

  private func target(at point: Point) throws(WindowHierarchy.Unanswered) -> DropTarget? {
    guard var (window, local) = try hierarchy.child(of: hierarchy.root, at: point) else {
      return try hierarchy.target(hierarchy.root)
    }
    // From here on, only descendants of this top-level window count. Windows that it covers are not under the pointer,
    // even if it takes no drops itself.
    while true {
      if let target = try hierarchy.target(window) { return target }
      guard let next = try hierarchy.child(of: window, at: local) else { return nil }
      (window, local) = next
    }
  }

  /// See ``WindowSystem/visiblePlaces(of:in:)``.
  func visiblePlaces(of frames: [Rect], in window: WindowID) -> [Rect?] {
    let origin = windows.origin(of: window)
    return frames.map { frame in
      guard let origin, !frame.isEmpty else { return nil }
      let place = frame.moved(by: origin)
      return isVisible(window, at: place.middle) ? place : nil
    }
  }

  /// Whether a window, or a descendant of it, is the topmost one at a root position.
  private func isVisible(_ window: WindowID, at point: Point) -> Bool {
    hierarchy.search { () throws(WindowHierarchy.Unanswered) in
      var (parent, local) = (hierarchy.root, point)
      for _ in 0..<WindowHierarchy.deepestNesting {
        guard let (child, inside) = try hierarchy.child(of: parent, at: local) else { return false }
        if child == window { return try hierarchy.geometry(of: hierarchy.root)?.frame.contains(point) }
        (parent, local) = (child, inside)
      }
      return false
    } ?? false
  }
}
