import Foundation
import Glibc
import Testing

@testable import XDnDFileOperations

/// Whatever goes wrong, the original is there and nothing half done is.
@Suite struct FailureTests {
  let from: Scratch
  let to: Scratch

  init() throws {
    from = try Scratch()
    to = try Scratch()
    try from.write(String(repeating: "x", count: 3 << 20), to: "tree/large")
    try from.write("1", to: "tree/sub/one.txt")
  }

  @Test func `the bytes of sparse files may be more than a number can say`() throws {
    let meter = Meter()
    for _ in 0..<2 { try meter.advance(bytes: .max) }
    #expect(meter.progress.bytesDone == .max && meter.progress.fraction == 1)
  }

  @Test(arguments: [true, false], [FileOperation.Kind.copy, .move])
  func `whoever cancels in the middle finds nothing half done`(allowsUnnamed: Bool, kind: FileOperation.Kind) throws {
    let other = try Scratch(in: otherFileSystem ?? NSTemporaryDirectory())
    for source in ["tree", "tree/large"] {
      // Every step that looks at whether it is to end.
      for step in 0..<24 {
        var count = 0
        let meter = Meter(isCancelled: {
          count += 1
          return count > step
        })
        let report = try performHere(
          kind == .move && otherFileSystem == nil ? .copy : kind, from(source), to: other.path, trash: to.trash,
          meter: meter, allowsUnnamed: allowsUnnamed)
        guard report.results.first?.outcome == .cancelled else { break }
        #expect(other.list().isEmpty, "cancelled at step \(step)")
        #expect(from.list("tree") == ["large", "sub"])
        #expect(from.list("tree/sub") == ["one.txt"])
      }
      other.list().forEach { try? FileManager.default.removeItem(atPath: other($0)) }
      try from.write(String(repeating: "x", count: 3 << 20), to: "tree/large")
      try from.write("1", to: "tree/sub/one.txt")
    }
  }

  @Test func `a destination that is removed in the middle is said to be gone`() throws {
    let (from, to) = (from, to)
    for source in ["tree", "tree/large"] {
      let gone = try to.makeDirectory("gone")
      var isDone = false
      let meter = Meter(report: { progress in
        guard progress.bytesDone > 1 << 20, !isDone else { return }
        isDone = true
        try? FileManager.default.removeItem(atPath: gone)
      })
      let report = try performHere(.copy, from(source), to: gone, trash: to.trash, meter: meter)
      guard case .failed = try #require(report.results.first?.outcome) else {
        Issue.record("\(report.results)")
        continue
      }
      #expect(to.list().isEmpty)
      #expect(from.list("tree") == ["large", "sub"])
    }
  }

  @Test func `a destination that is removed while a question is open is said to be gone`() throws {
    try to.write("old", to: "gone/tree")
    let gone = to("gone")
    let report = try perform(.copy, [from("tree")], to: gone, trash: to.trash) { _ in
      try? FileManager.default.removeItem(atPath: gone)
      return .keepBoth
    }
    #expect(report.results.first?.outcome.words == "cannot write to 'gone': No such file or directory")
  }

  @Test func `a name that is taken while the copy is made is asked about`() throws {
    let to = to
    let meter = Meter(report: { if $0.bytesDone == 3 << 20 { _ = try? to.write("theirs", to: "large") } })
    let report = try performHere(.copy, from("tree/large"), to: to.path, trash: to.trash, meter: meter)
    // The question goes unanswered.
    #expect(report.results.map(\.outcome) == [.cancelled])
    #expect(to.list() == ["large"] && to.text("large") == "theirs")
  }

  @Test func `a source that is removed in the middle fails, and nothing of it appears`() throws {
    let from = from
    let meter = Meter(report: { progress in
      if progress.current == raw("tree") { try? FileManager.default.removeItem(atPath: from("tree/large")) }
    })
    let report = try performHere(.copy, from("tree"), to: to.path, trash: to.trash, meter: meter)
    // It is gone before its directory is read, or after; both are well.
    #expect(report.results.first?.outcome.words?.contains("No such file") ?? (to.list("tree") == ["sub"]))
  }

  @Test(arguments: ["tree", "tree/large"])
  func `a file that is changed while it is copied fails, and nothing of it appears`(source: String) throws {
    let from = from
    let content = String(repeating: "y", count: 3 << 20)
    let changes: [() throws -> Void] = [
      { #expect(truncate(from("tree/large"), 10) == 0) }, { try from.write(content, to: "tree/large") },
    ]
    for change in changes {
      try from.write(content, to: "tree/large")
      var times = [timespec](repeating: timespec(tv_sec: 1_000_000, tv_nsec: 0), count: 2)
      utimensat(AT_FDCWD, from("tree/large"), &times, 0)
      var isChanged = false
      let meter = Meter(report: { progress in
        guard progress.bytesDone >= 1 << 20, !isChanged else { return }
        isChanged = true
        do { try change() } catch { Issue.record(error) }
      })
      let report = try performHere(.copy, from(source), to: to.path, trash: to.trash, meter: meter)
      #expect(isChanged)
      let name = source == "tree" ? "tree/large" : "large"
      #expect(report.results.first?.outcome.words == "'\(name)' was changed while it was copied")
      #expect(report.undoable.isEmpty)
      #expect(to.list().isEmpty)
    }
  }

  @Test func `a file that has become a link while it is looked at is not followed`() throws {
    let from = from
    try from.write("secret", to: "secret")
    let meter = Meter(report: { progress in
      guard progress.current == raw("tree/large") else { return }
      unlink(from("tree/large"))
      symlink(from("secret"), from("tree/large"))
    })
    let report = try performHere(.copy, from("tree"), to: to.path, trash: to.trash, meter: meter)
    #expect(report.results.first?.outcome.words == "cannot read 'tree/large': Too many levels of symbolic links")
    #expect(to.list().isEmpty)
  }

  @Test func `a task that is cancelled says so when it has ended`() throws {
    let box = TaskBox()
    var report: OperationReport?
    let task = try FileTask(
      FileOperation(.copy, [raw(from("tree")), raw(from("tree"))], to: raw(to.path)), trash: to.trash
    ) { event in
      switch event {
      case .conflict: box.task?.cancel()
      case .finished(let result): report = result
      case .progress: break
      }
    }
    box.task = task
    try finish(task)
    #expect(report?.results.map(\.outcome.newName) == ["tree", nil])
    #expect(report?.results.last?.outcome == .cancelled)
    #expect(report?.undoable.steps.count == 1, "what is done can still be taken back")
    #expect(to.list() == ["tree"])
  }

  /// As somebody whom permissions mean something to.
  @Test func `a read-only directory that is half copied is removed, too`() async {
    await #expect(processExitsWith: .success) {
      if getuid() == 0 { try #require(setgid(65534) == 0 && setuid(65534) == 0) }
      // $TMPDIR may belong to root.
      let (from, to) = (try Scratch(in: "/tmp"), try Scratch(in: "/tmp"))
      for name in ["a", "b"] {
        try from.write("1", to: "tree/\(name)/file")
        chmod(from("tree/\(name)"), 0o555)
      }
      // When one of the two is finished.
      let meter = Meter(isCancelled: { (try? FileManager.default.subpathsOfDirectory(atPath: to.path))?.count ?? 0 > 3 }
      )
      let report = try performHere(.copy, from("tree"), to: to.path, trash: to.trash, meter: meter)
      for name in ["a", "b"] { chmod(from("tree/\(name)"), 0o755) }
      #expect(report.results.map(\.outcome) == [.cancelled])
      #expect(to.list().isEmpty)
    }
  }

  /// `RLIMIT_FSIZE` stands for a disk that is full: it fails the same call, without privileges and without filling
  /// anything that others need.
  @Test func `a disk that is full leaves nothing, and the original where it was`() async {
    await #expect(processExitsWith: .success) {
      let (from, to) = (try Scratch(), try Scratch(in: otherFileSystem ?? NSTemporaryDirectory()))
      try from.write(String(repeating: "x", count: 3 << 20), to: "tree/large")
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let kind: FileOperation.Kind = otherFileSystem == nil ? .copy : .move
      for source in ["tree", "tree/large"] {
        let report = try perform(kind, [from(source)], to: to.path, trash: to.trash)
        let name = source == "tree" ? "tree/large" : "large"
        #expect(report.results.first?.outcome.words == "cannot write '\(name)': File too large")
        #expect(to.list().isEmpty)
        #expect(status(from("tree/large")).st_size == 3 << 20)
      }
    }
  }

  @Test func `the error of a full disk says how much is short`() {
    let full = FileError("write", raw("film.mkv"), ENOSPC)
    #expect(full.missing == nil)
    #expect(full.description == "cannot write 'film.mkv': the disk is full")
    let short = full.counting(needed: 5 << 30, free: 2 << 30)
    #expect(short.missing == 3 << 30)
    #expect(short.description == "cannot write 'film.mkv': disk full: 3.0 GiB short")
    #expect(short.code == ENOSPC)
  }

  @Test func `a full disk with room for the bytes lacks something else, and no number is made up`() {
    let full = FileError("write", raw("film.mkv"), ENOSPC)
    #expect(full.counting(needed: 4096, free: 4096) == full)
    #expect(full.counting(needed: nil, free: 0) == full)
    #expect(full.counting(needed: 4096, free: nil) == full)
    let quota = FileError("write", raw("film.mkv"), EDQUOT)
    #expect(quota.counting(needed: 4096, free: 1 << 30).description.hasSuffix(": Disk quota exceeded"))
    #expect(quota.counting(needed: 4096, free: 1024).missing == 3072)
  }

  @Test func `other errors are not those of a full disk`() {
    for error in [FileError("write", raw("x"), EACCES), FileError("write", raw("x"), EFBIG), .cancelled] {
      #expect(error.counting(needed: 2, free: 1) == error)
    }
  }

  @Test func `the free bytes of a directory are those of its file system`() throws {
    let directory = try Directory.open(raw(to.path))
    var space = statvfs()
    #expect(statvfs(to.path, &space) == 0)
    let free = try #require(directory.freeBytes)
    // Others write to it meanwhile.
    #expect(free > 0 && free <= Int(space.f_blocks) * Int(space.f_frsize))
  }

  @Test func `a process that is killed in the middle leaves the original as it was, and no file under its name`()
    async throws
  {
    // The child finds its place by the number of its parent.
    let root = "/tmp/fileops-killed-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: root) }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let root = "/tmp/fileops-killed-\(getppid())"
      try FileManager.default.createDirectory(atPath: root + "/from/tree", withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: root + "/to", withIntermediateDirectories: true)
      for name in ["a", "b"] { try Data(count: 3 << 20).write(to: URL(filePath: root + "/from/tree/" + name)) }
      let trash = Trash(home: nil, user: getuid()) { _ in nil }
      let meter = Meter(report: { if $0.bytesDone > 4 << 20 { kill(getpid(), SIGKILL) } })
      _ = try performHere(.copy, root + "/from/tree", to: root + "/to", trash: trash, meter: meter)
    }
    for name in ["a", "b"] { #expect(status(root + "/from/tree/" + name).st_size == 3 << 20) }
    let left = try FileManager.default.contentsOfDirectory(atPath: root + "/to")
    #expect(left.allSatisfy { $0.hasPrefix(".xdnd-") })
  }
}
