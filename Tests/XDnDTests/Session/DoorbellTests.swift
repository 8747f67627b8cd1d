import Foundation
import Glibc
import TestSupport
import Testing

import struct TestSupport.Pipe

@testable import XDnD

@Suite("The doorbell", .timeLimit(.minutes(5)))
struct DoorbellTests {
  @Test func `the doorbell is heard from another thread, until it is silenced`() async throws {
    let doorbell = try Doorbell()
    #expect(!Pipe.isReadable(doorbell.fileDescriptor))
    try await onOwnThread {
      Thread.detachNewThread { doorbell.ring() }
      #expect(Pipe.isReadable(doorbell.fileDescriptor, within: .seconds(10)))
    }
    doorbell.ring()
    #expect(Pipe.isReadable(doorbell.fileDescriptor))
    #expect(doorbell.silence())
    #expect(!Pipe.isReadable(doorbell.fileDescriptor))
  }

  @Test func `the connection is heard for as long as there is something to read`() throws {
    let pipe = try Pipe()
    let doorbell = try Doorbell(connection: pipe.readEnd)
    #expect(!Pipe.isReadable(doorbell.fileDescriptor))
    pipe.write([1])
    for _ in 0..<3 {
      #expect(!doorbell.silence())
      #expect(Pipe.isReadable(doorbell.fileDescriptor))
    }
    var byte: UInt8 = 0
    _ = read(pipe.readEnd, &byte, 1)
    #expect(!Pipe.isReadable(doorbell.fileDescriptor))
    close(pipe.readEnd)
    pipe.closeWriter()
  }

  @Test func `a pipe rings once each time that it is waited for, also for its end`() throws {
    let pipe = try Pipe()
    let doorbell = try Doorbell()
    #expect(doorbell.watch(pipe.readEnd))
    #expect(!doorbell.silence())
    #expect(!Pipe.isReadable(doorbell.fileDescriptor))
    pipe.write([1])
    #expect(Pipe.isReadable(doorbell.fileDescriptor))
    #expect(doorbell.silence())
    #expect(!Pipe.isReadable(doorbell.fileDescriptor))
    #expect(doorbell.watch(pipe.readEnd))
    #expect(Pipe.isReadable(doorbell.fileDescriptor))
    #expect(doorbell.silence())
    pipe.closeWriter()
    #expect(!Pipe.isReadable(doorbell.fileDescriptor))
    #expect(doorbell.watch(pipe.readEnd))
    #expect(Pipe.isReadable(doorbell.fileDescriptor))
    doorbell.unwatch(pipe.readEnd)
    #expect(!Pipe.isReadable(doorbell.fileDescriptor))
    close(pipe.readEnd)
  }

  @Test func `many pipes at once are silenced at once`() throws {
    let doorbell = try Doorbell()
    let pipes = try (0..<100).map { _ in try Pipe() }
    for pipe in pipes {
      pipe.write([1])
      #expect(doorbell.watch(pipe.readEnd))
    }
    #expect(doorbell.silence())
    #expect(!Pipe.isReadable(doorbell.fileDescriptor))
    for pipe in pipes {
      close(pipe.readEnd)
      pipe.closeWriter()
    }
  }

  @Test func `a descriptor that cannot be waited for is reported`() throws {
    let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(!(try Doorbell().watch(-1)))
    #expect(!(try Doorbell().watch(file)))
  }
}
