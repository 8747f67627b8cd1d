import TestSupport
import Testing

@testable import XDnD

@Suite("The place that a target names for a file", .computing)
struct DirectSavePlaceTests {
  private static let name = Array("lab clip ż.txt".utf8)

  private func place(_ property: [UInt8]) -> DirectSavePlace {
    DirectSavePlace(property: property, name: Self.name, hostName: "here.example")
  }

  private func place(_ property: String) -> DirectSavePlace { place(Array(property.utf8)) }

  private func local(_ paths: String...) -> DirectSavePlace { .local(paths.map { Array($0.utf8) }) }

  @Test func `An escaped URI, as all but ROX-Filer write it`() {
    #expect(
      place("file:///home/u/lab%20clip%20%C5%BC.txt")
        == local("/home/u/lab clip ż.txt", "/home/u/lab%20clip%20%C5%BC.txt"))
  }

  @Test func `A raw path behind file://, as ROX-Filer writes it`() {
    #expect(place("file:///home/u/lab clip ż.txt") == local("/home/u/lab clip ż.txt"))
  }

  @Test func `With the NUL at the end that libfm counts`() {
    #expect(place("file:///home/u/a.txt\0") == local("/home/u/a.txt"))
  }

  @Test(arguments: ["localhost", "LOCALHOST", "here.example", "Here.Example"])
  func `With this machine's name`(host: String) {
    #expect(place("file://\(host)/home/u/a.txt") == local("/home/u/a.txt"))
  }

  @Test(arguments: [
    "file://there.example/home/u/a.txt", "sftp://there/a.txt", "trash:///a.txt", "smb://x/y", "http://localhost/a",
  ])
  func `Another machine, or no file at all`(uri: String) {
    #expect(place(uri) == .elsewhere)
  }

  @Test func `Bytes that are not UTF-8 are the file system's first, and Latin-1 next`() {
    let raw: [UInt8] = Array("file:///home/".utf8) + [0xE9, 0x2F] + Array("a.txt".utf8)
    #expect(
      place(raw) == .local([Array("/home/".utf8) + [0xE9, 0x2F] + Array("a.txt".utf8), Array("/home/é/a.txt".utf8)]))
  }

  @Test func `The name that we have put there is no place, nor is nothing`() {
    #expect(place(Self.name) == .none)
    #expect(place(Self.name + [0]) == .none)
    #expect(place([]) == .none)
    #expect(place([0, 0]) == .none)
  }

  @Test(arguments: [
    "a.txt", "/home/u/a.txt", "file:", "file://", "file:///", "file:///home/", "file:///home/.", "file:///home/..",
    "file:///home/%2e%2e", "file:///home/a%00b", "file:relative", "ä", "%", "file:///a%2Fb",
  ])
  func `What cannot be a file`(text: String) {
    let place = place(text)
    switch place {
    case .malformed: break
    // Taken as it is, an escape is letters.
    case .local(let paths): #expect(paths.allSatisfy { $0.contains(UInt8(ascii: "%")) })
    case .none, .elsewhere: Issue.record("\(place)")
    }
  }

  @Test func `No bytes make it trap, and each path is absolute`() {
    var random = SplitMix64(seed: 4)
    let meaningful = Array("/%2.:fE0a".utf8)
    for _ in 0..<QuickTests.cases(of: 20_000) {
      let tail = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random) : meaningful.randomElement(using: &random) ?? 0
      }
      let head = ["", "file:", "file://", "file:///", "file:///a/"].randomElement(using: &random) ?? ""
      guard case .local(let paths) = place(Array(head.utf8) + tail) else { continue }
      #expect(!paths.isEmpty)
      #expect(paths.allSatisfy { $0.first == UInt8(ascii: "/") && $0.last != UInt8(ascii: "/") && !$0.contains(0) })
    }
  }
}
