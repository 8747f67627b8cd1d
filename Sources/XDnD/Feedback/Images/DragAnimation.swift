/// What moves by itself at the beginning and at the end of a drag. Each frame is a function of the time that has passed.
struct DragAnimation: Hashable, Sendable {
  enum Kind: Hashable, CaseIterable, Sendable {
    /// The items come from where they lie on the screen into the formation, which follows the pointer meanwhile.
    case gathering
    /// The items come apart and sink into the place where they were dropped.
    case settling
    /// The items go back to where they came from.
    case returning
    /// The items grow and fade: it went wrong, and there is no place on the screen to go back to.
    case bursting
    /// The items go up in a cloud.
    case disappearing
  }

  let kind: Kind
  /// For each layer where its item lies in root coordinates; `nil` if it is not visible.
  var origins: [Rect?] = []
  /// What was seen when it began: it goes on from there, whatever else was going on.
  var begin: DragLook

  /// Long enough to be followed by an eye, and over before the next thing can be done. GTK takes half a second for the way back,
  /// most of it for the last few pixels.
  var duration: Duration {
    switch kind {
    case .gathering: .milliseconds(200)
    case .settling: .milliseconds(220)
    case .returning: .milliseconds(400)
    case .bursting: .milliseconds(280)
    case .disappearing: .milliseconds(320)
    }
  }

  /// The share of the time that has passed, from 0 to 1.
  func progress(after elapsed: Duration) -> Double { min(max(elapsed / duration, 0), 1) }

  /// The frame at that time; `anchor` is the pointer, or where it was at the drop, in root coordinates.
  func frame(of arrangement: DragArrangement, at anchor: Point, after elapsed: Duration) -> DragFrame {
    let progress = progress(after: elapsed)
    return switch kind {
    case .gathering: gathering(arrangement, anchor, progress)
    case .settling: settling(arrangement, anchor, progress)
    case .returning: returning(arrangement, anchor, progress)
    case .bursting: bursting(arrangement, anchor, progress)
    case .disappearing: disappearing(arrangement, anchor, progress)
    }
  }

  /// Fast at first and then slower and slower.
  static func easeOut(_ progress: Double) -> Double { 1 - (1 - progress) * (1 - progress) * (1 - progress) }

  /// Slow at first and then faster and faster.
  static func easeIn(_ progress: Double) -> Double { progress * progress }

  /// Part of an animation as an animation: 0 until `start`, 1 from `end`.
  static func part(_ progress: Double, from start: Double, to end: Double) -> Double {
    min(max((progress - start) / (end - start), 0), 1)
  }
}

// MARK: The kinds

extension DragAnimation {
  private func gathering(_ arrangement: DragArrangement, _ anchor: Point, _ progress: Double) -> DragFrame {
    let way = Self.easeOut(progress)
    var look = arrangement.resting
    for index in look.layers.indices {
      let rest = arrangement.resting.layers[index]
      let home = home(of: index, arrangement, anchor: Vector(anchor), center: rest.center)
      look.layers[index].center = home.center.mixed(with: rest.center, way)
      look.layers[index].scale = home.scale + (1 - home.scale) * way
      look.layers[index].rotation = rest.rotation.scaled(by: way)
      look.layers[index].opacity = home.opacity + (rest.opacity - home.opacity) * way
    }
    look.opacity = 1 + (look.opacity - 1) * way
    look.badge?.opacity = Self.part(progress, from: 0.4, to: 0.9)
    look.badge?.scale = 0.6 + 0.4 * Self.easeOut(Self.part(progress, from: 0.4, to: 1))
    return DragFrame(anchor: anchor, look: progress < 1 ? look : arrangement.resting)
  }

  private func settling(_ arrangement: DragArrangement, _ anchor: Point, _ progress: Double) -> DragFrame {
    let sinking = Self.easeIn(progress)
    let spread = Self.easeOut(progress)
    let shrink = 1 - 0.55 * sinking
    var look = begin
    let middle = Double(look.layers.count - 1) / 2
    for index in look.layers.indices {
      let step = (Double(index) - middle) * 26 * arrangement.scale * spread
      let apart: Vector =
        switch arrangement.formation {
        case .pile, .stack: Vector(-step, 0)
        case .list: Vector(0, step / 3)
        case .none, .automatic: .zero
        }
      look.layers[index].center = (begin.layers[index].center + apart) * shrink
      look.layers[index].scale *= shrink
      look.layers[index].rotation = begin.layers[index].rotation.scaled(by: 1 - spread)
    }
    look.opacity *= 1 - sinking
    if let center = look.badge?.center { look.badge?.center = center * shrink }
    look.fadeBadge(Self.part(progress, from: 0, to: 0.5), scale: 0.5)
    return DragFrame(anchor: anchor, look: look)
  }

  private func returning(_ arrangement: DragArrangement, _ anchor: Point, _ progress: Double) -> DragFrame {
    let resting = arrangement.resting.layers
    let places = resting.indices.map { origins.indices.contains($0) ? origins[$0] : nil }
    // All go with the foremost one whose item is on the screen; then a single picture only has to be moved, not drawn.
    guard let leader = places.lastIndex(where: { $0 != nil }), let goal = places[leader] else {
      return bursting(arrangement, anchor, progress)
    }
    let way = Self.easeOut(progress)
    let end = goal.center - resting[leader].center
    var look = begin
    for (index, start) in begin.layers.enumerated() {
      let home = home(of: index, arrangement, anchor: end, center: resting[index].center)
      look.layers[index].center = start.center.mixed(with: home.center, way)
      look.layers[index].scale = start.scale + (home.scale - start.scale) * way
      look.layers[index].rotation = start.rotation.scaled(by: 1 - way)
      look.layers[index].opacity = start.opacity + (home.opacity - start.opacity) * way
    }
    look.opacity = seen(arrangement, progress) * (1 - Self.part(progress, from: 0.65, to: 1))
    look.fadeBadge(Self.part(progress, from: 0, to: 0.3), scale: 1)
    return DragFrame(anchor: Vector(anchor).mixed(with: end, way).rounded, look: look)
  }

  private func bursting(_ arrangement: DragArrangement, _ anchor: Point, _ progress: Double) -> DragFrame {
    var look = begin
    look.zoom(by: 1 + 0.35 * Self.easeOut(progress))
    look.opacity = seen(arrangement, progress) * (1 - progress)
    look.fadeBadge(Self.part(progress, from: 0, to: 0.5), scale: 1)
    return DragFrame(anchor: anchor, look: look)
  }

  private func disappearing(_ arrangement: DragArrangement, _ anchor: Point, _ progress: Double) -> DragFrame {
    let first = Self.part(progress, from: 0, to: 0.5)
    var look = begin
    look.zoom(by: 1 - 0.6 * first)
    for index in look.layers.indices { look.layers[index].opacity *= look.opacity * (1 - first) }
    look.opacity = 1
    look.fadeBadge(Self.part(progress, from: 0, to: 0.3), scale: 1)
    // The cloud is the picture after those of the items.
    let cloud = arrangement.items.count
    guard arrangement.pictures.indices.contains(cloud) else { return DragFrame(anchor: anchor, look: look) }
    let spread = 24 * arrangement.scale * Self.easeOut(progress)
    let opacity = Self.part(progress, from: 0, to: 0.2) * (1 - Self.part(progress, from: 0.35, to: 1))
    let middle = begin.middle
    for direction in Self.directions {
      look.layers.append(
        DragLayer(
          picture: cloud, center: middle + direction * spread, scale: 0.8 + 0.9 * Self.easeOut(progress),
          opacity: opacity))
    }
    return DragFrame(anchor: anchor, look: look)
  }

  /// Where the parts of a cloud go.
  private static let directions: [Vector] = [
    Vector(0, 0), Vector(1, 0), Vector(-1, 0), Vector(0, 1), Vector(0, -1),
    Vector(0.7, 0.7), Vector(-0.7, 0.7), Vector(0.7, -0.7), Vector(-0.7, -0.7),
  ]

  /// The opacity of what fails: all of it soon, also if it had sunk in already.
  private func seen(_ arrangement: DragArrangement, _ progress: Double) -> Double {
    begin.opacity + (arrangement.resting.opacity - begin.opacity) * Self.part(progress, from: 0, to: 0.15)
  }

  /// Where a layer is at the end of its way that is not in the formation, seen from `anchor`.
  ///
  /// A frame holds all layers, so it would be as large as the screen if they came from all over it. Who lives too far away comes
  /// from that direction, and fades.
  private func home(
    of index: Int, _ arrangement: DragArrangement, anchor: Vector, center: Vector
  ) -> (center: Vector, scale: Double, opacity: Double) {
    guard origins.indices.contains(index), let origin = origins[index] else { return (center, 1, 0) }
    let away = origin.center - anchor - center
    let reach = 360 * arrangement.scale
    let width = arrangement.sizes[index].x
    let scale = origin.isEmpty ? 1 : min(max(Double(origin.width) / width, 0.25), 4)
    if away.length > reach { return (center + away * (reach / away.length), scale, 0) }
    return (center + away, scale, arrangement.resting.layers[index].opacity)
  }
}

extension DragLook {
  /// The middle of all layers, in pixels from the anchor.
  fileprivate var middle: Vector {
    layers.isEmpty ? .zero : layers.reduce(.zero) { $0 + $1.center } / Double(layers.count)
  }

  /// Grows all of it about its middle.
  fileprivate mutating func zoom(by factor: Double) {
    let middle = middle
    for index in layers.indices {
      layers[index].center = middle + (layers[index].center - middle) * factor
      layers[index].scale *= factor
    }
    if let center = badge?.center { badge?.center = middle + (center - middle) * factor }
  }

  /// Takes the badge away: at `progress` 1 there is none, and before that it has come nearer to the `scale`.
  fileprivate mutating func fadeBadge(_ progress: Double, scale: Double) {
    guard progress < 1 else { return badge = nil }
    badge?.opacity *= 1 - progress
    badge?.scale *= 1 + (scale - 1) * progress
  }
}
