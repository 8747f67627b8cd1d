import Testing

@testable import XDnD

/// A database as its files would have it.
func database(aliases: String = "", subclasses: String = "", globs: String = "") -> TypeDatabase {
  TypeDatabase(aliases: Array(aliases.utf8), subclasses: Array(subclasses.utf8), globs2: Array(globs.utf8))
}

@Suite struct TypeDatabaseTests {
  // MARK: Aliases

  @Test func `an alias stands for its type, and keeps its parameters`() {
    let types = database(aliases: "# comment\nimage/pjpeg image/jpeg\n")
    #expect(types.canonical("image/pjpeg") == .jpeg)
    #expect(types.canonical("IMAGE/PJPEG; Q=1") == "image/jpeg;q=1")
    #expect(types.canonical("image/jpeg") == .jpeg)
    #expect(types.canonical("image/gif") == .gif)
    #expect(types.canonical("UTF8_STRING") == .utf8String)
  }

  @Test func `a type that is no alias keeps its name as it was given`() {
    #expect(database(aliases: "a/b c/d").canonical("Text/Plain").name == "Text/Plain")
  }

  @Test func `aliases of aliases are followed, and a circle ends somewhere`() {
    let chain = database(aliases: "a/a a/b\na/b a/c\na/c a/d\n")
    #expect(chain.canonical("a/a") == "a/d")
    let circle = database(aliases: "a/a a/b\na/b a/c\na/c a/a\nx/x x/x\n")
    #expect(circle.canonical("a/a") == circle.canonical("a/b"))
    #expect(circle.conforms("a/a", to: "a/c") && circle.conforms("a/c", to: "a/a"))
    #expect(circle.canonical("x/x") == "x/x")
  }

  @Test func `the first of several directories says what an alias means`() {
    let types = TypeDatabase([
      TypeDatabase.Directory(aliases: Array("a/a b/home\n".utf8)),
      TypeDatabase.Directory(aliases: Array("a/a b/system\na/c b/system\n".utf8)),
    ])
    #expect(types.canonical("a/a") == "b/home")
    #expect(types.canonical("a/c") == "b/system")
  }

  // MARK: Conformance

  private let tree = database(
    aliases: "image/svg image/svg+xml\ntext/xml application/xml\n",
    subclasses: """
      image/svg+xml text/xml
      application/xml text/plain
      application/x-a application/x-b
      application/x-b application/x-c
      application/x-c application/x-a
      application/x-odd application/x-odd
      """)

  @Test func `a type conforms to itself, its superclasses and theirs, under all their names`() {
    for name: ContentType in ["image/svg+xml", "image/svg"] {
      for other: ContentType in ["image/svg+xml", "image/svg", "text/xml", "application/xml", "text/plain"] {
        #expect(tree.conforms(name, to: other), "\(name) to \(other)")
      }
    }
    #expect(!tree.conforms("text/plain", to: "application/xml"))
    #expect(!tree.conforms("image/svg", to: .png))
    #expect(tree.supertypes(of: "image/svg") == ["application/xml", "text/plain", .data])
  }

  @Test func `a circle of superclasses ends, and all in it conform to each other`() {
    #expect(tree.conforms("application/x-a", to: "application/x-c"))
    #expect(tree.conforms("application/x-c", to: "application/x-b"))
    #expect(tree.supertypes(of: "application/x-a") == ["application/x-b", "application/x-c", .data])
    #expect(tree.supertypes(of: "application/x-odd") == [.data])
  }

  @Test func `all text is text, and everything but inodes is bytes`() {
    let empty = TypeDatabase()
    #expect(empty.conforms("text/x-strange", to: "text/plain"))
    #expect(empty.conforms("text/x-strange", to: .data))
    #expect(empty.conforms("model/obj", to: .data))
    #expect(!empty.conforms("model/obj", to: "text/plain"))
    #expect(!empty.conforms("inode/directory", to: .data))
    #expect(empty.conforms("inode/directory", to: "inode/directory"))
  }

  @Test func `names of X targets conform to themselves alone`() {
    #expect(tree.conforms("UTF8_STRING", to: "UTF8_STRING"))
    #expect(!tree.conforms("UTF8_STRING", to: .data))
    #expect(!tree.conforms("text/plain", to: "UTF8_STRING"))
  }

  @Test func `a type with parameters is a special case of the one without, and not the other way round`() {
    #expect(tree.conforms("text/html;charset=utf-16", to: .html))
    #expect(tree.conforms("text/html;charset=utf-16", to: "text/plain"))
    #expect(tree.conforms("text/html;charset=utf-16;level=1", to: "text/html;charset=UTF-16"))
    #expect(!tree.conforms(.html, to: "text/html;charset=utf-16"))
    #expect(!tree.conforms("text/html;charset=utf-8", to: .plainText))
  }

  @Test func `a wildcard is a pattern for the name and its alias`() {
    #expect(tree.conforms("image/svg", to: "image/*"))
    #expect(tree.conforms("text/xml", to: "text/*") && tree.conforms("text/xml", to: "application/*"))
    #expect(!tree.conforms("application/xml", to: "text/*"))
    #expect(tree.conforms("inode/directory", to: "*/*"))
  }

  @Test func `superclasses of several directories add up`() {
    let types = TypeDatabase([
      TypeDatabase.Directory(subclasses: Array("a/a b/one\n".utf8)),
      TypeDatabase.Directory(subclasses: Array("a/a b/two\na/a b/one\n".utf8)),
    ])
    #expect(types.supertypes(of: "a/a") == ["b/one", "b/two", .data])
  }

  @Test func `databases are equal if they are one`() {
    #expect(TypeDatabase.builtIn == TypeDatabase.builtIn)
    #expect(TypeDatabase() != TypeDatabase())
  }

  // MARK: Built in

  @Test func `the built-in table knows what is met every day`() {
    let types = TypeDatabase.builtIn
    #expect(types.canonical("image/jpg") == .jpeg)
    #expect(types.canonical("text/rtf") == .rtf)
    #expect(types.conforms(.svg, to: "text/xml"))
    #expect(types.conforms("application/x-compressed-tar", to: "application/x-gzip"))
    #expect(types.type(forFileName: Array("a.tar.gz".utf8)) == "application/x-compressed-tar")
    #expect(types.type(forFileName: Array("PHOTO.JPG".utf8)) == .jpeg)
    #expect(types.preferredExtension(for: "image/pjpeg") == "jpg")
    #expect(types.preferredExtension(for: .plainText) == "txt")
    #expect(types.preferredExtension(for: "x-special/nothing") == nil)
  }

  @Test func `each type of the built-in table is found by the extension that it prefers`() {
    let lines = TypeDatabase.builtInDirectory.globs2.split(separator: 0x0A)
    #expect(lines.count > 80)
    for glob in MIMEInfo.globs(in: TypeDatabase.builtInDirectory.globs2).globs {
      guard let suffix = TypeDatabase.builtIn.preferredExtension(for: glob.type) else { continue }
      #expect(TypeDatabase.builtIn.type(forFileName: Array("x.\(suffix)".utf8)) == glob.type)
    }
  }

  // MARK: Files

  @Test func `media and documents are usually files, text and what only programs exchange are not`() {
    let types = TypeDatabase.builtIn
    for type in ["image/png", "audio/x-unknown", "application/pdf", "application/x-pdf"] as [ContentType] {
      #expect(types.isAtHomeInFile(type), "\(type)")
    }
    let others: [ContentType] = [
      "image/*", "text/html", "application/javascript", "application/octet-stream", "application/x-unknown",
      "UTF8_STRING",
    ]
    for type in others { #expect(!types.isAtHomeInFile(type), "\(type)") }
  }
}
