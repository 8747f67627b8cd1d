internal import Glibc
internal import Synchronization

/// A thread that finds and decodes icons, so that slow disks and decoders do not block the window.
///
/// Each ``want(_:)`` replaces the list of jobs, so icons that have gone out of sight are never started. Results wait
/// until they are taken; the descriptor is readable while there are any.
final class IconWorker: Sendable {
  /// A unit of work.
  enum Job: Hashable, Sendable {
    /// Looks for an existing image: a cached thumbnail or the theme's icon.
    case look(IconRequest)
    /// Makes a missing thumbnail.
    case make(IconRequest)
    /// Decodes image data into a picture that fits into a square whose side is the larger of `size`'s width and
    /// height.
    case decode(id: Int, bytes: [UInt8], size: PixelSize)
  }

  /// The outcome of a job.
  struct Result: Sendable {
    let job: Job
    let picture: Picture?
    var isThumbnail = false
    /// Whether ``Job/make(_:)`` may produce a thumbnail.
    var isMakeable = false
  }

  private struct State {
    var jobs: [Job] = []
    var results: [Result] = []
    /// The job in progress.
    var current: Job?
    var isStarted = false
  }

  private let state = Mutex(State())
  /// A byte in this pipe signals new jobs.
  private let orders: Pipe
  /// A byte in this pipe signals new results.
  private let deliveries: Pipe

  /// Readable when there are results.
  var descriptor: CInt { deliveries.reader }

  init() {
    orders = Pipe()
    deliveries = Pipe()
    // Only the worker's thread blocks in `read`, on the other pipe.
    deliveries.makeNonblocking()
  }

  /// Replaces the pending icon jobs, in order of priority. Decoding jobs stay.
  func want(_ icons: [Job]) {
    let isNew = state.withLock { state in
      let decodings = state.jobs.filter { if case .decode = $0 { true } else { false } }
      let done = state.results.map(\.job) + [state.current].compactMap { $0 }
      state.jobs = decodings + icons.filter { !done.contains($0) }
      return !icons.isEmpty
    }
    if isNew { wake() }
  }

  /// Adds a job ahead of all others.
  func add(_ job: Job) {
    state.withLock { $0.jobs.insert(job, at: 0) }
    wake()
  }

  /// Takes the results so far.
  func takeResults() -> [Result] {
    deliveries.drain()
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
    if isFirst { start() }
    orders.signal()
  }

  private func start() {
    var thread = pthread_t()
    // The thread runs until the process exits, so the worker is never released; nothing joins the thread.
    let worker = Unmanaged.passRetained(self)
    let result = pthread_create(
      &thread, nil,
      { worker in
        guard let worker else { return nil }
        // On Linux this applies to this thread only. Dragging has priority over icons.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        Unmanaged<IconWorker>.fromOpaque(worker).takeUnretainedValue().work()
        return nil
      }, worker.toOpaque())
    if result == 0 { pthread_detach(thread) } else { worker.release() }
  }

  private func work() {
    let finder = IconFinder()
    while orders.wait() {
      while let job = nextJob() {
        let result = finder.perform(job)
        state.withLock { state in
          state.results.append(result)
          state.current = nil
        }
        deliveries.signal()
      }
    }
  }
}

extension IconWorker {
  private func nextJob() -> Job? {
    state.withLock { state in
      state.current = state.jobs.isEmpty ? nil : state.jobs.removeFirst()
      return state.current
    }
  }
}

/// A pipe that carries wakeup bytes.
private struct Pipe: Sendable {
  let reader: CInt
  private let writer: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    // Without free descriptors no icons are loaded; everything else works.
    _ = pipe(&ends)
    (reader, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A full pipe already signals, so a write may fail.
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
  }

  func makeNonblocking() { _ = fcntl(reader, F_SETFL, O_NONBLOCK) }

  func signal() {
    var byte: UInt8 = 0
    _ = write(writer, &byte, 1)
  }

  func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(reader, &bytes, bytes.count) > 0 {}
  }

  /// Blocks until there is a byte. Returns `false` if the pipe fails.
  func wait() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(reader, &bytes, bytes.count)
      if count > 0 { return true }
      guard count < 0, errno == EINTR else { return false }
    }
  }
}
