import XDnDFiles
import Foundation
import Glibc
import Testing

@testable import XDnDFileOperations

@Suite struct CopyTests {
  let from: Scratch
  let to: Scratch

  init() throws {
    from = try Scratch()
    to = try Scratch()
  }

  private func copy(_ names: [String], conflicts: ConflictPolicy = .ask) throws -> OperationReport {
    try perform(.copy, names.map { from($0) }, to: to.path, conflicts: conflicts, trash: to.trash)
  }

  @Test func `a copy has the bytes, the permissions and the time of the original`() throws {
    let original = try from.write("hello", to: "note.txt", mode: 0o4751)
    var times = [timespec](repeating: timespec(tv_sec: 1_000_000, tv_nsec: 123_456_789), count: 2)
    utimensat(AT_FDCWD, original, &times, 0)
    let report = try copy(["note.txt"])
    #expect(report.results.map(\.outcome) == [.copied(to: raw(to("note.txt")), bytes: 5)])
    #expect(report.results.map(\.isDirectory) == [false])
    #expect(to.text("note.txt") == "hello")
    let copy = status(to("note.txt"))
    #expect(copy.st_mode & 0o7777 == 0o751, "nobody gets rights by copying a file")
    #expect(copy.st_mtim.tv_sec == 1_000_000)
    #expect(copy.st_mtim.tv_nsec == 123_456_789)
    #expect(to.list() == ["note.txt"])
    #expect(from.text("note.txt") == "hello")
  }

  @Test func `a tree is copied with links as links, empty directories and read-only ones`() throws {
    try from.write("1", to: "tree/a/one.txt", mode: 0o400)
    try from.write("22", to: "tree/two.txt")
    try from.makeDirectory("tree/empty")
    symlink("a/one.txt", from("tree/link"))
    symlink("/nowhere/at/all", from("tree/dangling"))
    chmod(from("tree/a"), 0o555)
    defer {
      chmod(from("tree/a"), 0o755)
      chmod(to("tree/a"), 0o755)
    }
    let report = try copy(["tree"])
    #expect(report.results.map(\.outcome) == [.copied(to: raw(to("tree")), bytes: 3)])
    #expect(report.results.map(\.isDirectory) == [true])
    #expect(to.list("tree") == ["a", "dangling", "empty", "link", "two.txt"])
    #expect(to.text("tree/a/one.txt") == "1")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: to("tree/link")) == "a/one.txt")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: to("tree/dangling")) == "/nowhere/at/all")
    #expect(status(to("tree/a")).st_mode & 0o7777 == 0o555)
    #expect(status(to("tree/a")).st_mtim.tv_sec == status(from("tree/a")).st_mtim.tv_sec)
    #expect(to.list() == ["tree"])
  }

  @Test func `a link is copied, not what it leads to, also if it leads nowhere`() throws {
    symlink("nowhere", from("link"))
    #expect(try copy(["link"]).results.first?.outcome.newName == "link")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: to("link")) == "nowhere")
  }

  @Test func `names need not be UTF-8`() throws {
    let name: RawPath = [0x66, 0xFF, 0xFE, 0x2E, 0x74]
    let path = raw(from.path).appending(name)
    let descriptor = withCPath(path) { creat($0, 0o644) }
    try #require(descriptor >= 0)
    close(descriptor)
    var report: OperationReport?
    let task = try FileTask(FileOperation(.copy, [path], to: raw(to.path)), trash: to.trash) {
      if case .finished(let result) = $0 { report = result }
    }
    try finish(task)
    #expect(report?.results.first?.outcome == .copied(to: raw(to.path).appending(name), bytes: 0))
  }

  @Test func `holes stay holes, and every byte is where it was`() throws {
    let path = from("sparse")
    let descriptor = open(path, O_RDWR | O_CREAT, 0o644)
    defer { close(descriptor) }
    ftruncate(descriptor, 64 << 20)
    pwrite(descriptor, "middle", 6, 32 << 20)
    pwrite(descriptor, "late", 4, 48 << 20)
    try #require(Int(status(path).st_blocks) * 512 < 1 << 20, "the file system has no holes")
    let report = try copy(["sparse"])
    #expect(report.results.first?.outcome == .copied(to: raw(to("sparse")), bytes: 64 << 20))
    #expect(Int(status(to("sparse")).st_blocks) * 512 < 1 << 20)
    let copy = try FileHandle(forReadingFrom: URL(filePath: to("sparse")))
    #expect(try copy.seekToEnd() == 64 << 20)
    try copy.seek(toOffset: 32 << 20)
    #expect(try copy.read(upToCount: 6) == Data("middle".utf8))
    try copy.seek(toOffset: 48 << 20)
    #expect(try copy.read(upToCount: 4) == Data("late".utf8))
  }

  @Test func `a file that the kernel makes up is read although it has no size`() throws {
    var seen: [FileProgress] = []
    let meter = Meter(report: { seen.append($0) })
    let report = try performHere(.copy, "/proc/self/status", to: to.path, trash: to.trash, meter: meter)
    #expect(report.results.first?.outcome.newName == "status")
    #expect(to.text("status")?.contains("Pid:") == true)
    // The total grows with what is read.
    #expect(seen.contains { $0.bytesDone > 0 } && seen.allSatisfy { $0.bytesDone <= $0.bytesTotal })
  }

  @Test func `a large file arrives whole, and progress only grows`() throws {
    var random = SystemRandomNumberGenerator()
    let data = Data((0..<(5 << 17)).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } })
    try data.write(to: URL(filePath: from("large")))
    var seen: [FileProgress] = []
    let task = try FileTask(FileOperation(.copy, [raw(from("large"))], to: raw(to.path)), trash: to.trash) {
      if case .progress(let progress) = $0 { seen.append(progress) }
    }
    try finish(task)
    #expect(try Data(contentsOf: URL(filePath: to("large"))) == data)
    #expect(seen.map(\.bytesDone) == seen.map(\.bytesDone).sorted())
    #expect(seen.last?.bytesDone == data.count)
    #expect(seen.last?.bytesTotal == data.count)
    #expect(seen.last?.current == raw("large"))
  }

  @Test func `the fraction is one of bytes, or of items if none are copied`() {
    var progress = FileProgress()
    #expect(progress.fraction == 0)
    (progress.item, progress.itemCount) = (1, 1)
    #expect(progress.fraction == 1)
    (progress.bytesDone, progress.bytesTotal) = (1, 4)
    #expect(progress.fraction == 0.25)
  }

  @Test func `progress has the total from the beginning`() throws {
    try from.write(String(repeating: "x", count: 5000), to: "tree/file")
    var seen: [FileProgress] = []
    _ = try performHere(.copy, from("tree"), to: to.path, trash: to.trash, meter: Meter(report: { seen.append($0) }))
    #expect(seen.map(\.bytesTotal) == Array(repeating: 5000, count: seen.count))
    #expect(seen.first?.bytesDone == 0 && seen.last?.bytesDone == 5000)
  }

  @Test func `without files that have no name, a temporary one does, and is gone afterwards`() throws {
    try from.write("hello", to: "note.txt")
    let report = try performHere(.copy, from("note.txt"), to: to.path, trash: to.trash, allowsUnnamed: false)
    #expect(report.results.first?.outcome.newName == "note.txt")
    #expect(to.list() == ["note.txt"])
    #expect(to.text("note.txt") == "hello")
  }

  @Test func `a directory is not copied or moved into itself`() throws {
    try from.write("1", to: "tree/sub/one.txt")
    let copied = try perform(.copy, [from("tree")], to: from("tree/sub"), trash: from.trash)
    #expect(copied.results.first?.outcome.words == "'tree' cannot be copied into itself")
    let moved = try perform(.move, [from("tree")], to: from("tree"), trash: from.trash)
    #expect(moved.results.first?.outcome.words == "'tree' cannot be moved into itself")
    #expect(from.list("tree/sub") == ["one.txt"])
  }

  @Test func `special files are refused, alone and in trees, before anything is copied`() throws {
    try from.write("1", to: "tree/one.txt")
    mkfifo(from("tree/pipe"), 0o644)
    #expect(try copy(["tree"]).results.first?.outcome.words == "'tree/pipe' is a pipe and cannot be copied")
    let device = try perform(.copy, ["/dev/null"], to: to.path, trash: to.trash)
    #expect(device.results.first?.outcome.words == "'null' is a device and cannot be copied")
    #expect(to.list().isEmpty)
  }

  @Test func `what is not there, and what has no name, fails alone`() throws {
    try from.write("1", to: "one.txt")
    let report = try perform(.copy, [from("none"), "/", "", from("one.txt")], to: to.path, trash: to.trash)
    #expect(report.results[0].outcome.words == "cannot read 'none': No such file or directory")
    #expect(report.results[1].outcome.words == "'/' is not the name of a file")
    #expect(report.results[2].outcome.words == "'' is not the name of a file")
    #expect(report.results[3].outcome.newName == "one.txt")
  }

  @Test func `a destination that is no directory fails everything`() throws {
    try from.write("1", to: "one.txt")
    let report = try perform(.copy, [from("one.txt")], to: from("one.txt"), trash: to.trash)
    #expect(report.results.first?.outcome.words?.hasSuffix("Not a directory") == true)
    #expect(report.undoable.isEmpty)
  }

  @Test func `a tree that is too deep is refused, and nothing of it is left`() throws {
    var descriptor = open(from.path, O_RDONLY | O_DIRECTORY)
    for _ in 0...OpenDirectory.greatestDepth + 5 {
      mkdirat(descriptor, "d", 0o755)
      let next = openat(descriptor, "d", O_RDONLY | O_DIRECTORY)
      close(descriptor)
      descriptor = next
    }
    close(descriptor)
    let report = try copy(["d"])
    #expect(report.results.first?.outcome.words?.hasSuffix("directories deep") == true)
    #expect(to.list().isEmpty)
  }

  @Test func `links are made with the absolute path of the original`() throws {
    try from.write("hello", to: "note.txt")
    let report = try perform(
      .link, [from("note.txt"), from("note.txt")], to: to.path, conflicts: .always(.keepBoth), trash: to.trash)
    #expect(report.results.map(\.outcome.newName) == ["note.txt", "note 2.txt"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: to("note.txt")) == from("note.txt"))
    #expect(to.text("note 2.txt") == "hello")
  }
}
