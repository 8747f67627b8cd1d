struct IconRequest: Hashable, Sendable {
  let icon: Scene.Icon
  /// The side of the square to fit into, in device pixels.
  let pixels: Int
  /// Device pixels per logical pixel: icon themes have simpler drawings for small sizes.
  let scale: Int
  /// The name of the desktop's icon theme; `nil` for none.
  let theme: String?
}

/// The icons that have been found, and requests for the icons that visible rows still need. Used on the main thread.
final class IconStore {
  struct FoundIcon {
    let picture: Picture
    let isThumbnail: Bool
  }

  /// More icons than fit on a screen. The oldest entries are dropped, and looked up again when they become visible.
  private static let capacity = 400

  private let worker = IconWorker()
  private var entries: [IconRequest: (icon: FoundIcon?, isFinal: Bool)] = [:]
  private var order: [IconRequest] = []
  private var wanted: [IconWorker.Job] = []
  private var decodingCount = 0
  private var decoding: (id: Int, completion: (Picture?) -> Void)?
  /// The name of the desktop's icon theme.
  var theme: String?

  /// Readable when ``update()`` has work to do.
  var descriptor: CInt { worker.descriptor }

  /// Returns the best version of an icon found so far. Records icons that still need a lookup, for ``search()``.
  func find(_ icon: Scene.Icon, pixels: Int, scale: Double) -> FoundIcon? {
    guard icon.file != nil || icon.type != nil else { return nil }
    let request = IconRequest(icon: icon, pixels: pixels, scale: max(1, Int(scale.rounded())), theme: theme)
    let entry = entries[request]
    if entry?.isFinal != true {
      let job: IconWorker.Job = entry == nil ? .look(request) : .make(request)
      if !wanted.contains(job) { wanted.append(job) }
    }
    return entry?.icon
  }

  /// Starts the lookups recorded since the last call, the quick ones first.
  func search() {
    worker.want(wanted.filter(\.isQuick) + wanted.filter { !$0.isQuick })
    wanted = []
  }

  /// Takes over the worker's results.
  ///
  /// - Returns: Whether a redraw is needed.
  func update() -> Bool {
    var isChanged = false
    for result in worker.takeResults() {
      let icon = result.picture.map { FoundIcon(picture: $0, isThumbnail: result.isThumbnail) }
      switch result.job {
      case .look(let request):
        remember(icon, isFinal: !result.isMakeable, for: request)
        // Also if nothing was found: the redraw requests the thumbnail that must be made.
        isChanged = isChanged || icon != nil || result.isMakeable
      case .make(let request):
        remember(icon ?? entries[request]?.icon, isFinal: true, for: request)
        isChanged = isChanged || icon != nil
      case .decode(let id):
        guard decoding?.id == id else { break }
        decoding.take()?.completion(result.picture)
      }
    }
    return isChanged
  }

  /// Decodes an image on the worker's thread; ``update()`` calls the completion. A later call replaces an unfinished
  /// one, whose completion is then not called.
  func decode(_ order: IconWorker.DecodingOrder, _ completion: @escaping (Picture?) -> Void) {
    decodingCount += 1
    decoding = (decodingCount, completion)
    worker.decode(order, as: decodingCount)
  }

  private func remember(_ icon: FoundIcon?, isFinal: Bool, for request: IconRequest) {
    if entries.updateValue((icon, isFinal), forKey: request) == nil { order.append(request) }
    if order.count > Self.capacity { entries[order.removeFirst()] = nil }
  }
}

extension IconWorker.Job {
  fileprivate var isQuick: Bool { if case .make = self { false } else { true } }
}
