internal import Glibc
internal import Synchronization

/// A thread that finds icons, for disks and decoders take their time and the window does not wait.
///
/// What is wanted is replaced as a whole, and what nobody sees any more is never begun. Results wait until they are taken;
/// the descriptor can be read when there are some.
final class IconWorker: Sendable {
  /// What is to be done.
  enum Job: Hashable, Sendable {
    /// What is there already: a thumbnail in the cache, or the theme's icon.
    case look(IconRequest)
    /// A thumbnail that the cache has not.
    case make(IconRequest)
    /// What was dropped or is given, as a picture not larger than this.
    case decode(id: Int, bytes: [UInt8], size: PixelSize)
  }

  /// What came of it.
  struct Result: Sendable {
    let job: Job
    let picture: Picture?
    var isThumbnail = false
    /// Whether ``Job/make(_:)`` may find more.
    var isMakeable = false
  }

  private struct State {
    var jobs: [Job] = []
    var results: [Result] = []
    var isStarted = false
  }

  private let state = Mutex(State())
  /// A byte in it says that there are jobs.
  private let orders: Pipe
  /// A byte in it says that there are results.
  private let deliveries: Pipe

  /// Readable when there are results.
  var descriptor: CInt { deliveries.reader }

  init() {
    orders = Pipe()
    deliveries = Pipe()
    // The thread sleeps in `read`; nobody else may.
    deliveries.makeNonblocking()
  }

  /// Wants these icons, the first ones first, and no others any more.
  func want(_ icons: [Job]) {
    let isNew = state.withLock { state in
      let decodings = state.jobs.filter { if case .decode = $0 { true } else { false } }
      state.jobs = decodings + icons
      return !icons.isEmpty
    }
    if isNew { wake() }
  }

  /// Wants one more thing, before all others.
  func add(_ job: Job) {
    state.withLock { $0.jobs.insert(job, at: 0) }
    wake()
  }

  /// What there is.
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
    // The worker is there for as long as the program: no thread is waited for at its end.
    let worker = Unmanaged.passRetained(self)
    let result = pthread_create(
      &thread, nil,
      { worker in
        guard let worker else { return nil }
        // Of this thread only, on Linux: a drag goes first.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        Unmanaged<IconWorker>.fromOpaque(worker).takeUnretainedValue().work()
        return nil
      }, worker.toOpaque())
    if result == 0 { pthread_detach(thread) } else { worker.release() }
  }

  private func work() {
    let finder = IconFinder()
    while orders.wait() {
      while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
        let result = finder.perform(job)
        state.withLock { $0.results.append(result) }
        deliveries.signal()
      }
    }
  }
}

/// One way for single bytes.
private struct Pipe: Sendable {
  let reader: CInt
  private let writer: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    // Without descriptors left there are no icons, and nothing else changes.
    _ = pipe(&ends)
    (reader, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A full pipe has said it already.
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

  /// Sleeps until there is a byte.
  func wait() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(reader, &bytes, bytes.count)
      if count > 0 { return true }
      guard count < 0, errno == EINTR else { return false }
    }
  }
}
