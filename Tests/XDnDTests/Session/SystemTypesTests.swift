import Glibc
import TestSupport
import Testing

@testable import XDnD

@Suite struct SystemTypesTests {
  // MARK: Where it is

  @Test func `the directories are those of the base directory specification`() {
    func directories(_ environment: [String: String]) -> [String] {
      TypeDatabase.dataDirectories { environment[$0] }
    }
    #expect(directories(["HOME": "/home/u"]) == ["/home/u/.local/share", "/usr/local/share", "/usr/share"])
    #expect(directories(["XDG_DATA_HOME": "/h", "XDG_DATA_DIRS": "/a:/b"]) == ["/h", "/a", "/b"])
    #expect(directories(["HOME": "/u", "XDG_DATA_HOME": "", "XDG_DATA_DIRS": ""]).count == 3)
    #expect(directories(["XDG_DATA_HOME": "relative", "XDG_DATA_DIRS": "also/relative::/b"]) == ["/b"])
    #expect(directories([:]) == ["/usr/local/share", "/usr/share"])
  }

  @Test func `without a database the built-in table is what is known`() {
    let types = TypeDatabase(dataDirectories: ["/nonexistent", "/dev/null"])
    #expect(types.type(forFileName: Array("a.png".utf8)) == .png)
    #expect(types.canonical("image/pjpeg") == .jpeg)
  }

  @Test func `a file by one application in the user's home adds to what is known, and a pipe holds nobody up`() throws {
    let home = try TemporaryDirectory("types")
    let directory = home("mime")
    #expect(mkdir(directory, 0o700) == 0)
    #expect(mkfifo("\(directory)/aliases", 0o600) == 0)
    let descriptor = open("\(directory)/globs2", O_WRONLY | O_CREAT | O_EXCL, 0o600)
    let line = Array("50:application/x-mine:*.mine\n".utf8)
    #expect(write(descriptor, line, line.count) == line.count)
    close(descriptor)
    let types = TypeDatabase(dataDirectories: [home.path])
    #expect(types.type(forFileName: Array("a.mine".utf8)) == "application/x-mine")
    #expect(types.type(forFileName: Array("a.png".utf8)) == .png)
  }

  @Test func `a configuration has the database of the system, or the one that it is given`() {
    var configuration = Configuration()
    #expect(configuration.typeDatabase == .system)
    configuration.typeDatabase = .builtIn
    #expect(configuration.typeDatabase == .builtIn)
  }

  // MARK: The real one

  private static let real = TypeDatabase(dataDirectories: ["/usr/share"])

  @Test(
    .requires(program: "update-mime-database", package: "shared-mime-info"),
    arguments: [
      ("a.png", "image/png"), ("A.PNG", "image/png"), ("page.html", "text/html"), ("main.c", "text/x-csrc"),
      ("main.C", "text/x-c++src"), ("x.tar.gz", "application/x-compressed-tar"), ("x.gz", "application/gzip"),
      ("Makefile", "text/x-makefile"), ("notes.txt", "text/plain"), ("core", "application/x-core"),
      ("libx.so.6", "application/x-sharedlib"), ("letter.txt~", "application/x-trash"), ("song.ogg", "audio/ogg"),
      ("README", "text/x-readme"), ("data.json", "application/json"),
      ("no such extension.qqqq", "application/octet-stream"),
    ])
  func `the database of the system knows the types of files`(name: String, type: String) {
    #expect(Self.real.type(forFileName: Array(name.utf8)) == ContentType(type))
  }

  @Test(.requires(program: "update-mime-database", package: "shared-mime-info"))
  func `the database of the system knows special cases, other names and extensions`() {
    let types = Self.real
    #expect(types.conforms(.svg, to: "text/plain"))
    #expect(types.conforms("application/x-zip-compressed", to: "application/zip"))
    #expect(types.conforms("application/vnd.oasis.opendocument.text", to: "application/zip"))
    #expect(!types.conforms(.png, to: "text/plain"))
    #expect(types.canonical("text/rtf") == .rtf)
    #expect(types.canonical("image/jpg") == .jpeg)
    #expect(types.preferredExtension(for: .jpeg) == "jpg")
    #expect(types.preferredExtension(for: "application/x-compressed-tar") == "tar.gz")
    #expect(types.preferredExtension(for: .html) == "html")
  }
}
