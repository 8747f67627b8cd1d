import XDnDFiles
import Glibc
import Testing

@Suite struct PrivatePipeTests {
  @Test func `bytes go from end to end, and a program that is started inherits neither`() throws {
    let pipe = try #require(PrivatePipe())
    defer {
      close(pipe.reader)
      close(pipe.writer)
    }
    var byte = UInt8(ascii: "x")
    #expect(write(pipe.writer, &byte, 1) == 1)
    byte = 0
    #expect(read(pipe.reader, &byte, 1) == 1)
    #expect(byte == UInt8(ascii: "x"))
    for end in [pipe.reader, pipe.writer] { #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0) }
  }
}
