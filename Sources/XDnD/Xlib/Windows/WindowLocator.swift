/// Hit testing: finds the drop target at a root position, and the places of visible window parts.
final class WindowLocator {
  /// Called with the answer to a search that was pending.
  var onAnswer: (Answer) -> Void = { _ in }

  private let hierarchy: WindowHierarchy
  /// Whether a drag needs the window tree.
  private var isTracking = false
  // The searches that wait for replies.
  private var targetSearch: TargetQuestion?
  private var placeSearch: PlaceQuestion?

  private struct TargetQuestion {
    var point: Point
    var namesProgram: Bool
    weak var question: Question?
    var take: (FoundTarget) -> Void
  }

  private struct PlaceQuestion {
    var parts: [WindowPart]
    weak var question: Question?
    var take: ([Rect?]) -> Void
  }

  init(_ hierarchy: WindowHierarchy) {
    self.hierarchy = hierarchy
    hierarchy.onAnswers = { [unowned self] in resume() }
  }

  // MARK: Tracking

  /// Starts to maintain the window tree, until ``endTracking()``.
  func beginTracking() {
    isTracking = true
    hierarchy.beginTracking()
  }

  /// Forgets the pending search for a target, and discards the window tree.
  ///
  /// A search for places continues, because the image of a failed drag slides back after the drag. It keeps the tree
  /// only until its answer: the image may come to rest minutes after a drop.
  func endTracking() {
    isTracking = false
    targetSearch = nil
    endUnneededTracking()
  }

  /// Discards the window tree, and forgets all pending searches.
  func stop() {
    placeSearch = nil
    endTracking()
  }

  private func endUnneededTracking() {
    if !isTracking, targetSearch == nil, placeSearch == nil, hierarchy.isTracking { hierarchy.endTracking() }
  }

  /// Continues the pending searches.
  private func resume() {
    if let search = targetSearch, hierarchy.isTracking,
      let found = try? hierarchy.attempt({ () throws(WindowHierarchy.Unanswered) in try find(search) })
    {
      targetSearch = nil
      onAnswer(Answer(to: search.question) { search.take(found) })
    }
    if let search = placeSearch, let places = attempt(search) {
      placeSearch = nil
      onAnswer(Answer(to: search.question, .whenRead) { search.take(places) })
    }
    endUnneededTracking()
  }

  // MARK: Drop targets

  /// See ``WindowSystem/locateTarget(at:namingProgram:then:)``.
  func locateTarget(
    at point: Point, namingProgram namesProgram: Bool, then found: @escaping (FoundTarget) -> Void
  ) -> Reply<FoundTarget> {
    targetSearch = nil
    defer { endUnneededTracking() }
    let question = Question()
    let search = TargetQuestion(point: point, namesProgram: namesProgram, question: question, take: found)
    if !hierarchy.isTracking {
      return .known(hierarchy.search { () throws(WindowHierarchy.Unanswered) in try find(search) } ?? .nothing)
    }
    do throws(WindowHierarchy.Unanswered) {
      return .known(try hierarchy.attempt { () throws(WindowHierarchy.Unanswered) in try find(search) })
    } catch {
      targetSearch = search
      return .pending(question)
    }
  }

  private func find(_ search: TargetQuestion) throws(WindowHierarchy.Unanswered) -> FoundTarget {
    var found = try target(at: search.point)
    if search.namesProgram, let target = found.target {
      found.programClass = try hierarchy.programClass(of: target.window)
    }
    return found
  }

  private func target(at point: Point) throws(WindowHierarchy.Unanswered) -> FoundTarget {
    guard var (window, local) = try hierarchy.child(of: hierarchy.root, at: point) else {
      return FoundTarget(target: try hierarchy.target(hierarchy.root))
    }
    var windows: [WindowID] = []
    // From here on, only this top-level window and its descendants are searched. Windows that it covers are not under
    // the pointer, even if it takes no drops itself.
    for _ in 0..<WindowHierarchy.deepestNesting {
      if let target = try hierarchy.target(window) { return FoundTarget(target: target) }
      windows.append(window)
      guard let next = try hierarchy.child(of: window, at: local) else { break }
      (window, local) = next
    }
    return FoundTarget(windows: windows)
  }

  // MARK: Places of windows

  /// See ``WindowSystem/findPlaces(of:then:)``.
  func findPlaces(of parts: [WindowPart], then found: @escaping ([Rect?]) -> Void) -> Reply<[Rect?]> {
    let question = Question()
    let search = PlaceQuestion(parts: parts, question: question, take: found)
    // From now on, ``endTracking()`` keeps the tree for this search.
    placeSearch = search
    guard let places = attempt(search) else { return .pending(question) }
    placeSearch = nil
    endUnneededTracking()
    return .known(places)
  }

  /// - Returns: `nil` if replies are missing.
  private func attempt(_ search: PlaceQuestion) -> [Rect?]? {
    if !hierarchy.isTracking {
      // Replies about a discarded tree must not become part of a new one.
      guard !hierarchy.isAsking else { return nil }
      hierarchy.beginTracking()
    }
    return try? hierarchy.attempt { () throws(WindowHierarchy.Unanswered) in
      try hierarchy.locate(Array(Set(search.parts.map(\.window))))
      var places: [Rect?] = []
      for part in search.parts { places.append(try visiblePlace(of: part)) }
      return places
    }
  }

  private func visiblePlace(of part: WindowPart) throws(WindowHierarchy.Unanswered) -> Rect? {
    guard !part.frame.isEmpty, let origin = hierarchy.origin(of: part.window) else { return nil }
    let place = part.frame.moved(by: origin)
    return try isVisible(part.window, at: place.middle) ? place : nil
  }

  /// Whether a window, or a descendant of it, is the topmost one at a root position.
  private func isVisible(_ window: WindowID, at point: Point) throws(WindowHierarchy.Unanswered) -> Bool {
    var (parent, local) = (hierarchy.root, point)
    for _ in 0..<WindowHierarchy.deepestNesting {
      guard let (child, inside) = try hierarchy.child(of: parent, at: local) else { return false }
      if child == window { return try hierarchy.geometry(of: hierarchy.root)?.frame.contains(point) ?? false }
      (parent, local) = (child, inside)
    }
    return false
  }
}
