internal import XDnDFiles
internal import XDnDLinux
internal import Glibc
internal import Synchronization

/// A thread that finds and decodes icons, so that slow disks and decoders do not block the window.
///
/// Each ``want(_:)`` replaces the list of icon jobs, so the thread does not load icons that are no longer visible.
/// Likewise, each ``decode(_:as:)`` replaces the waiting image, so the thread holds two images at most. Results wait
/// until they are taken; the descriptor is readable while there are any.
final class IconWorker: Sendable {
  enum Job: Hashable, Sendable {
    /// Looks for an existing image: a cached thumbnail or the theme's icon.
    case look(IconRequest)
    /// Makes a missing thumbnail.
    case make(IconRequest)
    case decode(id: Int)
  }

  struct DecodingOrder: Sendable {
    let image: EncodedPicture
    /// The side of the square to fit into, in device pixels.
    let side: Int
  }

  struct Result: Sendable {
    let job: Job
    let picture: Picture?
    var isThumbnail = false
    /// Whether ``Job/make(_:)`` may produce a thumbnail.
    var isMakeable = false
  }

  private struct State {
    /// The icon jobs that wait, in order of priority.
    var icons: [Job] = []
    /// The image that waits to be decoded, with the id of its job. It goes before the icons.
    var image: (id: Int, order: DecodingOrder)?
    var results: [Result] = []
    /// The job in progress.
    var current: Job?
    var isStarted = false
  }

  private let state = Mutex(State())
  /// An eventfd that wakes the thread. Without free descriptors no icons are loaded; everything else works.
  private let bell = eventfd(0, CInt(EFD_CLOEXEC))
  /// An eventfd: readable from the first undelivered result to the next ``takeResults()``.
  let descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))

  /// Replaces the pending icon jobs, in order of priority.
  func want(_ icons: [Job]) {
    state.withLock { state in
      let done = state.results.map(\.job) + [state.current].compactMap { $0 }
      state.icons = icons.filter { !done.contains($0) }
    }
    if !icons.isEmpty { wake() }
  }

  /// Adds a decoding job ahead of the icon jobs. It replaces a decoding job that has not begun, which then has no
  /// result.
  func decode(_ order: DecodingOrder, as id: Int) {
    state.withLock { $0.image = (id, order) }
    wake()
  }

  func takeResults() -> [Result] {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return state.withLock { state in
      defer { state.results = [] }
      return state.results
    }
  }

  private func wake() {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    // Dragging has priority over icons. The thread retains the worker until the process exits.
    if isFirst { try? DetachedThread.start(niceness: 10) { self.work() } }
    eventfd_write(bell, 1)
  }

  private func work() {
    let finder = IconFinder()
    var count: eventfd_t = 0
    while eventfd_read(bell, &count) == 0 || errno == EINTR {
      while let (job, order) = nextJob() {
        let result = finder.perform(job, order)
        state.withLock { state in
          state.results.append(result)
          state.current = nil
        }
        eventfd_write(descriptor, 1)
      }
    }
  }

  /// Takes the next job, and its image if it is a decoding job.
  private func nextJob() -> (Job, DecodingOrder?)? {
    state.withLock { state in
      if let (id, order) = state.image.take() {
        state.current = .decode(id: id)
        return (.decode(id: id), order)
      }
      state.current = state.icons.isEmpty ? nil : state.icons.removeFirst()
      return state.current.map { ($0, nil) }
    }
  }
}

/// Finds and decodes icons, on the worker's thread.
final class IconFinder {
  private let thumbnails = ThumbnailCache()
  private lazy var types = TypeIcons()
  private var themes: [String: IconTheme] = [:]
  /// The theme's icons found so far, shared by all files of a type.
  private var known: [IconRequest: Picture?] = [:]

  /// - Parameter order: The image of a decoding job.
  func perform(_ job: IconWorker.Job, _ order: IconWorker.DecodingOrder?) -> IconWorker.Result {
    guard Pixbuf.isAvailable else { return IconWorker.Result(job: job, picture: nil) }
    switch job {
    case .look(let request):
      let file = request.icon.file.flatMap(ThumbnailSource.init)
      if let file, let picture = thumbnails.picture(of: file, fitting: request.pixels) {
        return IconWorker.Result(job: job, picture: picture, isThumbnail: true)
      }
      let isMakeable = file.map { request.icon.symbol == .picture && thumbnails.mayMake(of: $0) } ?? false
      return IconWorker.Result(job: job, picture: themePicture(request), isMakeable: isMakeable)
    case .make(let request):
      let picture = request.icon.file.flatMap(ThumbnailSource.init)
        .flatMap { thumbnails.make(of: $0, fitting: request.pixels) }
      return IconWorker.Result(job: job, picture: picture, isThumbnail: true)
    case .decode:
      return IconWorker.Result(job: job, picture: order.flatMap { Picture(decoding: $0.image, fitting: $0.side) })
    }
  }

  private func themePicture(_ request: IconRequest) -> Picture? {
    guard let type = request.icon.type, let name = request.theme else { return nil }
    let key = IconRequest(
      icon: Scene.Icon(.document, type: type), pixels: request.pixels, scale: request.scale, theme: name)
    if let picture = known[key] { return picture }
    let theme = themes[name] ?? IconTheme(named: name)
    themes[name] = theme
    let picture = theme.file(
      for: types.names(for: type), size: request.pixels / request.scale, scale: request.scale
    )
    .flatMap { Pixbuf(file: $0, fitting: request.pixels, isScaledUp: true)?.picture }
    known[key] = picture
    return picture
  }
}
