/// An animation of the drag image. Each frame is a function of the elapsed time.
struct DragAnimation: Hashable, Sendable {
  enum Kind: Hashable, CaseIterable, Sendable {
    /// The items move from their places on the screen into the formation, which follows the pointer.
    case gathering
    /// The items make way for the region that the target marks, or return to the pointer.
    case yielding
    /// The items spread, shrink and fade at the drop position.
    case settling
    /// The items move into frames that the target of the drop has named.
    case landing
    /// The items return to their places.
    case returning
    /// The items grow and fade: the drag failed, and no item has a visible place to return to.
    case bursting
    /// The items turn into a cloud of smoke.
    case disappearing
    /// The items fade where they are. With reduced motion, replaces settling, bursting and disappearing.
    case fading
    /// The items fade where they are, and then appear for a moment at their places. With reduced motion, replaces
    /// returning.
    case crossFading

    /// The kind that is shown with reduced motion.
    var withoutMotion: Kind {
      switch self {
      case .settling, .bursting, .disappearing, .fading: .fading
      case .returning, .crossFading: .crossFading
      // Not shown with reduced motion: images appear in place at once, and fade where they are dropped.
      case .gathering, .yielding, .landing: self
      }
    }
  }

  let kind: Kind
  /// When it starts; possibly in the future.
  var start: LoopTime
  /// The items' frames, or for a landing the target's, in root coordinates, one for each layer; `nil` if not visible.
  /// Empty if the animation does not use them.
  var origins: [Rect?] = []
  /// The look that it starts from, possibly in the middle of another animation.
  var begin: DragLook

  /// Long enough to follow by eye, and over before the user's next action. GTK takes half a second for the return, most
  /// of it for the last pixels.
  var duration: Duration {
    switch kind {
    case .gathering: .milliseconds(200)
    case .yielding: .milliseconds(150)
    case .settling: .milliseconds(220)
    case .landing: .milliseconds(300)
    case .returning: .milliseconds(400)
    case .bursting: .milliseconds(280)
    case .disappearing: .milliseconds(320)
    case .fading: .milliseconds(150)
    case .crossFading: .milliseconds(400)
    }
  }

  /// The elapsed fraction of the duration, from 0 to 1.
  private func progress(at now: LoopTime) -> Double { min(max((now - start) / duration, 0), 1) }

  func isOver(at now: LoopTime) -> Bool { progress(at: now) >= 1 }

  /// Returns the frame at a time. `anchor` is the pointer's position, or the drop position, in root coordinates. `rest`
  /// is the final look under the pointer; `nil` for the arrangement's.
  func frame(
    of arrangement: DragArrangement, at anchor: Point, restingAs rest: DragLook? = nil, _ now: LoopTime
  ) -> DragFrame {
    let progress = progress(at: now)
    return switch kind {
    case .yielding:
      DragFrame(anchor: anchor, look: begin.mixed(with: rest ?? arrangement.resting, Self.easeOut(progress)))
    case .gathering: DragFrame(anchor: anchor, look: gathering(arrangement, Vector(anchor), progress))
    case .settling: DragFrame(anchor: anchor, look: settling(arrangement, progress))
    case .landing, .returning: returning(arrangement, anchor, progress)
    case .bursting: DragFrame(anchor: anchor, look: bursting(arrangement, progress))
    case .disappearing: DragFrame(anchor: anchor, look: disappearing(arrangement, progress))
    case .fading: DragFrame(anchor: anchor, look: fading(progress))
    case .crossFading: crossFading(arrangement, anchor, progress)
    }
  }

  private static func easeOut(_ progress: Double) -> Double { 1 - (1 - progress) * (1 - progress) * (1 - progress) }

  private static func easeIn(_ progress: Double) -> Double { progress * progress }

  /// The progress of a part of an animation: 0 until `start`, 1 from `end`.
  private static func part(_ progress: Double, from start: Double, to end: Double) -> Double {
    min(max((progress - start) / (end - start), 0), 1)
  }
}

// MARK: Kinds

extension DragAnimation {
  private func gathering(_ arrangement: DragArrangement, _ anchor: Vector, _ progress: Double) -> DragLook {
    guard progress < 1 else { return arrangement.resting }
    let way = Self.easeOut(progress)
    var look = arrangement.resting
    for (index, rest) in look.layers.enumerated() {
      look.layers[index] = home(of: index, arrangement, anchor: anchor).mixed(with: rest, way)
    }
    look.opacity = 1 + (look.opacity - 1) * way
    look.badge?.opacity = Self.part(progress, from: 0.4, to: 0.9)
    look.badge?.scale = 0.6 + 0.4 * Self.easeOut(Self.part(progress, from: 0.4, to: 1))
    return look
  }

  private func settling(_ arrangement: DragArrangement, _ progress: Double) -> DragLook {
    let sinking = Self.easeIn(progress)
    let spread = Self.easeOut(progress)
    let shrink = 1 - 0.55 * sinking
    var look = begin
    let bottom = arrangement.unseenCount
    let middle = Double(bottom + look.layers.count - 1) / 2
    for index in look.layers.indices {
      let step = (Double(max(bottom, index)) - middle) * 26 * arrangement.scale * spread
      let apart: Vector =
        switch arrangement.formation {
        case .pile, .stack: Vector(-step, 0)
        case .list: Vector(0, step / 3)
        case .none, .automatic: .zero
        }
      look.layers[index].center = (begin.layers[index].center + apart) * shrink
      look.layers[index].scale *= shrink
      look.layers[index].rotation = begin.layers[index].rotation.mixed(with: .none, spread)
    }
    look.opacity *= 1 - sinking
    if let center = look.badge?.center { look.badge?.center = center * shrink }
    look.fadeBadge(Self.part(progress, from: 0, to: 0.5), scale: 0.5)
    return look
  }

  private func returning(_ arrangement: DragArrangement, _ anchor: Point, _ progress: Double) -> DragFrame {
    guard let end = homeAnchor(arrangement) else {
      return DragFrame(anchor: anchor, look: bursting(arrangement, progress))
    }
    let way = Self.easeOut(progress)
    var look = begin
    for (index, start) in begin.layers.enumerated() {
      look.layers[index] = start.mixed(with: home(of: index, arrangement, anchor: end), way)
    }
    look.opacity = seen(arrangement, progress) * (1 - Self.part(progress, from: 0.65, to: 1))
    look.fadeBadge(Self.part(progress, from: 0, to: 0.3), scale: 1)
    return DragFrame(anchor: Vector(anchor).mixed(with: end, way).rounded, look: look)
  }

  /// The anchor at which the foremost image with an origin lies over it; `nil` if no image has one. A moving anchor
  /// moves all images alike, so a single image need not be redrawn.
  private func homeAnchor(_ arrangement: DragArrangement) -> Vector? {
    guard let leader = origins.lastIndex(where: { $0 != nil }), let goal = origins[leader] else { return nil }
    return goal.center - arrangement.resting.layers[leader].center
  }

  private func fading(_ progress: Double) -> DragLook {
    var look = begin
    look.opacity *= 1 - progress
    look.fadeBadge(progress, scale: 1)
    return look
  }

  private func crossFading(_ arrangement: DragArrangement, _ anchor: Point, _ progress: Double) -> DragFrame {
    let change = 0.4
    guard progress >= change, let end = homeAnchor(arrangement) else {
      return DragFrame(anchor: anchor, look: fading(Self.part(progress, from: 0, to: change)))
    }
    var look = arrangement.resting
    for index in look.layers.indices { look.layers[index] = home(of: index, arrangement, anchor: end) }
    look.badge = nil
    look.opacity *= Self.part(progress, from: change, to: 0.55) * (1 - Self.part(progress, from: 0.75, to: 1))
    return DragFrame(anchor: end.rounded, look: look)
  }

  private func bursting(_ arrangement: DragArrangement, _ progress: Double) -> DragLook {
    var look = begin
    look.zoom(by: 1 + 0.35 * Self.easeOut(progress))
    look.opacity = seen(arrangement, progress) * (1 - progress)
    look.fadeBadge(Self.part(progress, from: 0, to: 0.5), scale: 1)
    return look
  }

  private func disappearing(_ arrangement: DragArrangement, _ progress: Double) -> DragLook {
    let first = Self.part(progress, from: 0, to: 0.5)
    var look = begin
    look.zoom(by: 1 - 0.6 * first)
    for index in look.layers.indices { look.layers[index].opacity *= look.opacity * (1 - first) }
    look.opacity = 1
    look.fadeBadge(Self.part(progress, from: 0, to: 0.3), scale: 1)
    // The cloud's picture comes after the pictures of the items.
    let cloud = arrangement.items.count
    guard arrangement.pictures.indices.contains(cloud) else { return look }
    let spread = 24 * arrangement.scale * Self.easeOut(progress)
    let opacity = Self.part(progress, from: 0, to: 0.2) * (1 - Self.part(progress, from: 0.35, to: 1))
    let middle = begin.middle
    for direction in Self.directions {
      look.layers.append(
        DragLayer(
          picture: cloud, center: middle + direction * spread, scale: 0.8 + 0.9 * Self.easeOut(progress),
          opacity: opacity))
    }
    return look
  }

  private static let directions: [Vector] = [
    Vector(0, 0), Vector(1, 0), Vector(-1, 0), Vector(0, 1), Vector(0, -1),
    Vector(0.7, 0.7), Vector(-0.7, 0.7), Vector(0.7, -0.7), Vector(-0.7, -0.7),
  ]

  /// The opacity while the image returns, lands or bursts: it soon reaches its full value, even if the image had faded.
  private func seen(_ arrangement: DragArrangement, _ progress: Double) -> Double {
    begin.opacity + (arrangement.resting.opacity - begin.opacity) * Self.part(progress, from: 0, to: 0.15)
  }

  /// A layer at its origin, relative to `anchor`. It is opaque there, even if it is faint or unseen in the formation.
  ///
  /// A frame's bitmap contains all layers, so origins all over the screen would make it as large as the screen. A layer
  /// whose origin is too far away moves only part of the way there, and fades.
  private func home(of index: Int, _ arrangement: DragArrangement, anchor: Vector) -> DragLayer {
    var home = arrangement.resting.layers[index]
    home.rotation = .none
    home.opacity = 1
    guard let origin = origins[index] else {
      home.opacity = 0
      return home
    }
    if !origin.isEmpty { home.scale = min(max(Double(origin.width) / arrangement.sizes[index].x, 0.25), 4) }
    let away = origin.center - anchor - home.center
    let reach = 360 * arrangement.scale
    let isFar = away.length > reach
    if isFar { home.opacity = 0 }
    home.center += isFar ? away * (reach / away.length) : away
    return home
  }
}

extension DragLayer {
  fileprivate func mixed(with end: DragLayer, _ part: Double) -> DragLayer {
    DragLayer(
      picture: picture, center: center.mixed(with: end.center, part), scale: scale + (end.scale - scale) * part,
      rotation: rotation.mixed(with: end.rotation, part), opacity: opacity + (end.opacity - opacity) * part)
  }
}

extension DragLook {
  /// Interpolates between this look and another one with the same layers.
  fileprivate func mixed(with end: DragLook, _ part: Double) -> DragLook {
    guard part < 1, layers.count == end.layers.count else { return end }
    let badge = end.badge.map { end in self.badge.map { $0.mixed(with: end, part) } ?? end }
    return DragLook(
      layers: zip(layers, end.layers).map { $0.mixed(with: $1, part) },
      opacity: opacity + (end.opacity - opacity) * part, badge: badge)
  }

  /// The mean center of the visible layers, in pixels from the anchor.
  fileprivate var middle: Vector {
    let seen = layers.filter { $0.opacity > 0 }
    return seen.isEmpty ? .zero : seen.reduce(.zero) { $0 + $1.center } / Double(seen.count)
  }

  fileprivate mutating func zoom(by factor: Double) {
    let middle = middle
    for index in layers.indices {
      layers[index].center = middle + (layers[index].center - middle) * factor
      layers[index].scale *= factor
    }
    if let center = badge?.center { badge?.center = middle + (center - middle) * factor }
  }

  /// Fades the badge and scales it towards `scale`; at `progress` 1 it is removed.
  fileprivate mutating func fadeBadge(_ progress: Double, scale: Double) {
    guard progress < 1 else { return badge = nil }
    badge?.opacity *= 1 - progress
    badge?.scale *= 1 + (scale - 1) * progress
  }
}
