import Glibc

extension Pipe {
  /// Whether nobody has the reading end any more.
  package var isBroken: Bool { isBroken(within: .zero) }

  /// Waits until nobody has the reading end any more: a program that another test starts has it too, until it runs.
  package func isBroken(within timeout: Duration) -> Bool {
    var descriptor = pollfd(fd: writeEnd, events: 0, revents: 0)
    return poll(&descriptor, 1, CInt(timeout / .milliseconds(1))) == 1 && descriptor.revents & Int16(POLLERR) != 0
  }

  /// The reading end of a pipe with something in it that ends; no more than a pipe holds.
  package static func filled(_ bytes: [UInt8]) -> CInt {
    guard let pipe = try? Pipe() else { return -1 }
    pipe.write(bytes)
    pipe.closeWriter()
    return pipe.readEnd
  }

  package func write(_ bytes: [UInt8]) { _ = Glibc.write(writeEnd, bytes, bytes.count) }

  package func closeWriter() { close(writeEnd) }

  package static func isReadable(_ descriptor: CInt, within timeout: Duration = .zero) -> Bool {
    var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, CInt(timeout / .milliseconds(1))) == 1
  }
}

package enum FileBytes {
  package static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw HarnessError("cannot write \(path)") }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw HarnessError("cannot write \(path)")
    }
  }
}
