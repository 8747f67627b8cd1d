import XDnDFileOperations
import Glibc
import XDnDToolSupport

/// Connects a file task to the event loop, for as long as this object lives.
final class WatchedFileTask {
  let task: FileTask
  private let loop: EventLoop

  init(_ task: FileTask, on loop: EventLoop) {
    self.task = task
    self.loop = loop
    loop.watch(task.fileDescriptor) { [weak task] in task?.process() }
  }

  deinit { loop.unwatch(task.fileDescriptor) }

  /// Cancels the task and waits up to 5 s until it has removed partial files.
  func stop() {
    task.cancel()
    let end = ContinuousClock.now + .seconds(5)
    while !task.isFinished, ContinuousClock.now < end {
      var descriptor = pollfd(fd: task.fileDescriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&descriptor, 1, 100)
      task.process()
    }
  }
}
