import Testing

@testable import XDnD

@Suite struct GlobTests {
  func name(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: Which glob wins

  @Test func `the greater weight wins over the longer pattern`() {
    let types = database(globs: "80:a/heavy:*.gz\n50:a/long:*.tar.gz\n")
    #expect(types.types(forFileName: name("x.tar.gz")) == ["a/heavy", "a/long"])
  }

  @Test func `of the same weight the longest pattern wins`() {
    let types = database(globs: "50:a/gz:*.gz\n50:a/tar:*.tar.gz\n50:a/any:*.*\n")
    #expect(types.types(forFileName: name("x.tar.gz")) == ["a/tar", "a/gz", "a/any"])
    #expect(types.type(forFileName: name("x.gz")) == "a/gz")
    #expect(types.type(forFileName: name(".gz")) == "a/gz")
  }

  @Test func `a name as a whole comes before every pattern`() {
    let types = database(globs: "90:a/text:*.txt\n50:a/cmake:cmakelists.txt\n")
    #expect(types.type(forFileName: name("CMakeLists.txt")) == "a/cmake")
    #expect(types.type(forFileName: name("xCMakeLists.txt")) == "a/text")
  }

  @Test func `case matters only where the glob says so, and then it comes first`() {
    let types = database(globs: "50:a/c:*.c:cs\n50:a/c:*.c\n50:a/cpp:*.C:cs\n50:a/cpp:*.C\n50:a/gif:*.gif\n")
    #expect(types.type(forFileName: name("x.c")) == "a/c")
    #expect(types.type(forFileName: name("x.C")) == "a/cpp")
    #expect(types.type(forFileName: name("X.GIF")) == "a/gif")
    let core = database(globs: "50:a/core:core:cs\n50:a/other:core\n")
    #expect(core.types(forFileName: name("core")) == ["a/core", "a/other"])
    #expect(core.types(forFileName: name("CORE")) == ["a/other"])
    let mixed = database(globs: "50:a/any:[0-9]*.C:cs\n")
    #expect(mixed.type(forFileName: name("1.C")) == "a/any")
    #expect(mixed.type(forFileName: name("1.c")) == .data)
  }

  @Test func `types that only content can tell apart come with the general one first`() {
    let types = database(
      subclasses: "audio/x-vorbis+ogg audio/ogg\n", globs: "50:audio/x-vorbis+ogg:*.ogg\n50:audio/ogg:*.ogg\n")
    #expect(types.types(forFileName: name("a.ogg")) == ["audio/ogg", "audio/x-vorbis+ogg"])
  }

  @Test func `a name of which nothing is known is bytes`() {
    #expect(TypeDatabase.builtIn.types(forFileName: name("nothing")).isEmpty)
    for odd in ["nothing", "", ".", "..", "a.", "/", "x.unheard-of"] {
      #expect(TypeDatabase.builtIn.type(forFileName: name(odd)) == .data)
    }
  }

  @Test func `whatever is before a slash does not count`() {
    let types = database(globs: "50:a/makefile:makefile\n50:a/dot:*.d/*\n")
    #expect(types.type(forFileName: name("/home/x.d/Makefile")) == "a/makefile")
  }

  @Test func `a name need not be UTF-8`() {
    let types = database(globs: "50:a/png:*.png\n50:a/new:new*.x?[a-c]\n")
    #expect(types.type(forFileName: [0xFF, 0xFE, 0x80] + name(".PNG")) == "a/png")
    #expect(types.type(forFileName: name("new") + [0xC3, 0x28] + name(".x") + [0xFF] + name("b")) == "a/new")
  }

  // MARK: Directories

  @Test func `a user's directory comes first and can discard the globs of the others`() {
    let home = "0:a/diff:__NOGLOBS__\n50:a/diff:*.diff\n50:a/mine:*.x\n"
    let system = "50:a/diff:*.patch\n50:a/theirs:*.x\n"
    let types = TypeDatabase([
      TypeDatabase.Directory(globs2: name(home)), TypeDatabase.Directory(globs2: name(system)),
    ])
    #expect(types.type(forFileName: name("a.diff")) == "a/diff")
    #expect(types.type(forFileName: name("a.patch")) == .data)
    #expect(types.types(forFileName: name("a.x")) == ["a/mine", "a/theirs"])
  }

  @Test func `nobody discards the globs of a more important directory`() {
    let types = TypeDatabase([
      TypeDatabase.Directory(globs2: name("50:a/diff:*.patch\n")),
      TypeDatabase.Directory(globs2: name("0:a/diff:__NOGLOBS__\n50:a/diff:*.diff\n")),
    ])
    #expect(types.type(forFileName: name("a.patch")) == "a/diff")
    #expect(types.type(forFileName: name("a.diff")) == "a/diff")
  }

  @Test func `the more important directory is right about the weight`() {
    let types = TypeDatabase([
      TypeDatabase.Directory(globs2: name("90:a/a:*.x\n50:a/b:*.x\n")),
      TypeDatabase.Directory(globs2: name("10:a/a:*.x\n")),
    ])
    #expect(types.types(forFileName: name("f.x")) == ["a/a", "a/b"])
  }

  // MARK: Lines

  @Test(arguments: [
    "", "50", "50:a/b", "x:a/b:*.q", "-1:a/b:*.q", "50:ab:*.q", "50:a/:*.q", "50:/b:*.q", "50:a/*:*.q", "50:a/b:",
    "#50:a/b:*.q", "99999999999999999999:a/b:*.q", "50:a/b;c=d:*.q",
  ])
  func `a line that makes no sense is skipped`(line: String) {
    let types = database(globs: line + "\n50:a/ok:*.ok\r\n")
    #expect(types.type(forFileName: name("f.q")) == .data)
    #expect(types.type(forFileName: name("f.ok")) == "a/ok")
  }

  @Test func `flags and fields that are not known are ignored`() {
    let types = database(globs: "50:a/b:*.Q:new,cs:more\n50:a/c:*.r:new\n")
    #expect(types.type(forFileName: name("f.Q")) == "a/b")
    #expect(types.type(forFileName: name("f.q")) == .data)
    #expect(types.type(forFileName: name("f.R")) == "a/c")
  }

  @Test func `the extension to use has the greatest weight and leads back to its type`() {
    let types = database(globs: "50:a/a:*.shared\n50:a/a:*.own\n60:a/b:*.shared\n70:a/c:*.c[0-9]\n40:a/c:*.c\n")
    #expect(types.preferredExtension(for: "a/a") == "own")
    #expect(types.preferredExtension(for: "a/b") == "shared")
    #expect(types.preferredExtension(for: "a/c") == "c")
  }

  // MARK: Patterns

  @Test(arguments: [
    ("*", "", true), ("a*c", "abbc", true), ("a*c", "ac", true), ("a*c", "abcd", false), ("*a*b*", "xxaxxbxx", true),
    ("?", "x", true), ("?", "", false), ("a?c", "abc", true), ("[abc]", "b", true), ("[!abc]", "b", false),
    ("[^abc]", "d", true), ("[a-c]x", "bx", true), ("[c-a]", "b", false), ("[]]", "]", true), ("[!]]", "]", false),
    ("[", "[", true), ("a[b", "a[b", true), ("[a-]", "-", true), ("\\*", "*", true), ("\\*", "x", false),
    ("\\", "\\", true), ("[0-9][0-9][0-9].vdr", "001.vdr", true), ("*.so.[0-9]*", "liba.so.1.2", true), ("", "", true),
    ("", "x", false),
  ])
  func `a pattern matches as fnmatch has it`(pattern: String, text: String, expected: Bool) {
    #expect(GlobPattern(name(pattern)).matches(name(text)) == expected)
  }
}
