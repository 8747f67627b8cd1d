/// An icon that somebody sees, in a size.
struct IconRequest: Hashable, Sendable {
  let icon: Scene.Icon
  /// The side of the square that it has to fit into, in device pixels.
  let pixels: Int
  /// How many device pixels a logical one has: themes have simpler drawings for few pixels.
  let scale: Int
  /// The icon theme of the desktop; `nil` for none.
  let theme: String?
}

/// The icons that are known, and what is still being found out about those that are seen.
final class IconStore {
  /// What an icon looks like as far as is known.
  struct Look {
    let picture: Picture
    let isThumbnail: Bool
  }

  private struct Entry {
    var look: Look?
    var isFinal: Bool
  }

  /// More than fill a screen; the oldest are forgotten and found again when they are seen again.
  private static let capacity = 400

  private let worker = IconWorker()
  private var entries: [IconRequest: Entry] = [:]
  private var order: [IconRequest] = []
  private var wanted: [IconWorker.Job] = []
  private var decodings: [Int: (Picture?) -> Void] = [:]
  private var decodingCount = 0
  /// The icon theme of the desktop.
  var theme: String?

  /// Readable when ``update()`` has something to do.
  var descriptor: CInt { worker.descriptor }

  /// What is known about an icon that is about to be seen.
  func look(of icon: Scene.Icon, pixels: Int, scale: Double) -> Look? {
    guard icon.file != nil || icon.type != nil else { return nil }
    let request = IconRequest(icon: icon, pixels: pixels, scale: max(1, Int(scale.rounded())), theme: theme)
    let entry = entries[request]
    if entry?.isFinal != true {
      let job: IconWorker.Job = entry == nil ? .look(request) : .make(request)
      if !wanted.contains(job) { wanted.append(job) }
    }
    return entry?.look
  }

  /// Has found out what is missing of what has been seen since the last time. What can be found quickly goes first.
  func search() {
    let (quick, slow) = (wanted.filter(\.isQuick), wanted.filter { !$0.isQuick })
    worker.want(quick + slow)
    wanted = []
  }

  /// Takes in what has been found.
  ///
  /// - Returns: Whether there is anything new to see.
  func update() -> Bool {
    var isChanged = false
    for result in worker.takeResults() {
      let look = result.picture.map { Look(picture: $0, isThumbnail: result.isThumbnail) }
      switch result.job {
      case .look(let request):
        remember(Entry(look: look, isFinal: !result.isMakeable), for: request)
        // Also if nothing was found: drawing it again asks for what takes longer.
        isChanged = isChanged || look != nil || result.isMakeable
      case .make(let request):
        remember(Entry(look: look ?? entries[request]?.look, isFinal: true), for: request)
        isChanged = isChanged || look != nil
      case .decode(let id, _, _): decodings.removeValue(forKey: id)?(result.picture)
      }
    }
    return isChanged
  }

  /// Decodes a picture beside everything else.
  func decode(_ bytes: [UInt8], fitting size: PixelSize, _ completion: @escaping (Picture?) -> Void) {
    decodingCount += 1
    decodings[decodingCount] = completion
    worker.add(.decode(id: decodingCount, bytes: bytes, size: size))
  }

  private func remember(_ entry: Entry, for request: IconRequest) {
    if entries.updateValue(entry, forKey: request) == nil { order.append(request) }
    if order.count > Self.capacity { entries[order.removeFirst()] = nil }
  }
}

extension IconWorker.Job {
  fileprivate var isQuick: Bool { if case .make = self { false } else { true } }
}
