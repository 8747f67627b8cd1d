internal import XDnDLinux
internal import Glibc
internal import Synchronization

/// A thread that finds and decodes icons, so that slow disks and decoders do not block the window.
///
/// Each ``want(_:)`` replaces the list of jobs, so icons that have gone out of sight are never started. Results wait
/// until they are taken; the descriptor is readable while there are any.
final class IconWorker: Sendable {
  enum Job: Hashable, Sendable {
    /// Looks for an existing image: a cached thumbnail or the theme's icon.
    case look(IconRequest)
    /// Makes a missing thumbnail.
    case make(IconRequest)
    case decode(id: Int, bytes: [UInt8])
  }

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
  /// An eventfd that wakes the thread. Without free descriptors no icons are loaded; everything else works.
  private let bell = eventfd(0, CInt(EFD_CLOEXEC))
  /// An eventfd: readable from the first undelivered result to the next ``takeResults()``.
  let descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))

  /// Replaces the pending icon jobs, in order of priority. Decoding jobs stay.
  func want(_ icons: [Job]) {
    state.withLock { state in
      let decodings = state.jobs.filter { if case .decode = $0 { true } else { false } }
      let done = state.results.map(\.job) + [state.current].compactMap { $0 }
      state.jobs = decodings + icons.filter { !done.contains($0) }
    }
    if !icons.isEmpty { wake() }
  }

  /// Adds a job ahead of all others.
  func add(_ job: Job) {
    state.withLock { $0.jobs.insert(job, at: 0) }
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
    // Dragging has priority over icons. The thread keeps the worker until the process exits.
    if isFirst { startBackgroundThread(niceness: 10) { self.work() } }
    eventfd_write(bell, 1)
  }

  private func work() {
    let finder = IconFinder()
    var count: eventfd_t = 0
    while eventfd_read(bell, &count) == 0 || errno == EINTR {
      while let job = nextJob() {
        let result = finder.perform(job)
        state.withLock { state in
          state.results.append(result)
          state.current = nil
        }
        eventfd_write(descriptor, 1)
      }
    }
  }

  private func nextJob() -> Job? {
    state.withLock { state in
      state.current = state.jobs.isEmpty ? nil : state.jobs.removeFirst()
      return state.current
    }
  }
}
