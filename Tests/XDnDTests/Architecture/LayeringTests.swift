import TestSupport
import Testing

/// Folders of one module are layers only as long as somebody looks.
@Suite("The rooms of the library", .computing)
struct LayeringTests {
  /// What the files of a room may import, and which rooms they may name.
  private static let rooms: [String: (imports: Set<String>, below: Set<String>)] = {
    var rooms: [String: (imports: Set<String>, below: Set<String>)] = [
      "Wire": ([], []),
      // For databases that are read when they are needed.
      "Content": (["Synchronization"], ["Wire"]),
      "Machines": ([], ["Content", "Wire"]),
      "Feedback": ([], ["Wire"]),
      "Driver": (["Logging"], ["Machines", "Feedback", "Content", "Wire"]),
      // The protocol that it implements is the driver's, and so are the values that go through it.
      "Xlib": (systemModules.union(["XDnDX11", "XDnDXlibint"]), ["Wire", "Machines", "Driver", "Feedback"]),
    ]
    // Only the entry point knows Xlib.
    var below = Set(rooms.keys).subtracting(["Xlib"])
    for (room, imports) in sessionRooms {
      rooms[room] = (imports, room == "Session" ? below.union(["Xlib"]) : below)
      below.insert(room)
    }
    return rooms
  }()

  /// The rooms of `Session/` with their imports, from the lowest up. A room may name those below it.
  private static let sessionRooms: [(String, imports: Set<String>)] = [
    ("Session/Environment", libc.union(["XDnDLinux", "Logging"])),
    ("Session/Files", libc.union(["XDnDLinux", "XDnDFiles"])),
    ("Session/Providing", libc.union(["XDnDFiles", "Synchronization"])),
    ("Session/Promises", libc.union(["XDnDFiles"])),
    ("Session/Loading", libc),
    ("Session/Transferable", []),
    ("Session/Items", []),
    ("Session/Drag", []),
    ("Session/Drop", libc),
    ("Session/Clipboard", []),
    ("Session", libc),
  ]

  private static let libc: Set<String> = ["Glibc", "Musl"]

  /// What comes with the compiler, for code that talks to the system.
  private static let systemModules = libc.union(["Synchronization"])

  /// The room of a file: its folder below the library, and in `Session/` the folder below that.
  private static func room(of file: SourceFile) -> String {
    let folders = file.path.split(separator: "/").dropLast()
    return folders.prefix(folders.first == "Session" ? 2 : 1).joined(separator: "/")
  }

  @Test func `there are files, and each is in a room`() {
    #expect(SourceFile.library.count > 30)
    for file in SourceFile.library { #expect(Self.rooms[Self.room(of: file)] != nil, "\(file.path)") }
  }

  @Test func `a room imports what it may, and nothing else`() {
    for file in SourceFile.library {
      let room = Self.room(of: file)
      var allowed = Self.rooms[room]?.imports ?? []
      if room == "Session", file.name.contains("Async") { allowed.insert("Dispatch") }
      let surplus = Set(file.imports).subtracting(allowed)
      #expect(surplus.isEmpty, "\(file.path) imports \(surplus.sorted())")
    }
  }

  /// A program that links it statically grows by 7.5 MB.
  @Test func `nothing that the library links imports Foundation`() {
    for folder in ["XDnD", "Files", "CX11", "CXlibint", "CLinux"] {
      for file in SourceFile.all(in: "Sources/\(folder)") {
        let parts = file.imports.filter { $0.hasPrefix("Foundation") || $0 == "XDnDFoundation" }
        #expect(parts.isEmpty, "\(folder)/\(file.path) imports \(parts)")
      }
    }
  }

  @Test func `Foundation's values need only its smallest part, and the library's public interface`() {
    let files = SourceFile.all(in: "Sources/XDnDFoundation")
    #expect(!files.isEmpty)
    for file in files {
      let surplus = Set(file.imports).subtracting(["FoundationEssentials", "XDnD"])
      #expect(surplus.isEmpty, "\(file.path) imports \(surplus.sorted())")
    }
  }

  @Test func `what hosts test with needs only the library, and no testing framework`() {
    let files = SourceFile.all(in: "Sources/XDnDTesting")
    #expect(!files.isEmpty)
    for file in files { #expect(Set(file.imports).subtracting(["XDnD"]).isEmpty, "\(file.path)") }
  }

  @Test func `the file engine knows only the system, and the tools' file operations only the engine`() {
    for (folder, allowed) in [
      ("Files", Self.libc.union(["XDnDLinux"])),
      ("FileOperations", Self.systemModules.union(["XDnDLinux", "XDnDFiles"])),
    ] {
      let files = SourceFile.all(in: "Sources/\(folder)")
      #expect(!files.isEmpty)
      for file in files {
        let surplus = Set(file.imports).subtracting(allowed)
        #expect(surplus.isEmpty, "\(file.path) imports \(surplus.sorted())")
      }
    }
  }

  @Test func `recordings, their text and the rules are values: nothing in them knows the system`() {
    for (folder, allowed) in [
      ("JSONText", Set<String>()), ("Conformance/Recording", ["XDnD", "XDnDJSONText"]), ("Conformance/Rules", ["XDnD"]),
    ] {
      let files = SourceFile.all(in: "Sources/\(folder)")
      #expect(!files.isEmpty)
      for file in files {
        let surplus = Set(file.imports).subtracting(allowed)
        #expect(surplus.isEmpty, "\(file.path) imports \(surplus.sorted())")
      }
    }
  }

  @Test func `no room names a type of a room that is not below it`() throws {
    var declared: [String: Set<String>] = [:]
    var nested: [String: Set<String>] = [:]
    for file in SourceFile.library {
      declared[Self.room(of: file), default: []].formUnion(file.types(nested: false))
      nested[Self.room(of: file), default: []].formUnion(file.types(nested: true))
    }
    for file in SourceFile.library {
      let name = Self.room(of: file)
      guard let room = Self.rooms[name] else { continue }
      // A room may have a nested type of the same name.
      let own = (declared[name] ?? []).union(nested[name] ?? [])
      let others = file.capitalizedWords.subtracting(own)
      for (other, types) in declared where other != name && !room.below.contains(other) {
        let wrong = types.intersection(others)
        #expect(wrong.isEmpty, "\(file.path) names \(wrong.sorted()) of \(other)")
      }
    }
  }

  @Test func `machines have no clock, no bytes and no way to call anybody`() {
    for file in SourceFile.library where file.room == "Machines" {
      let text = file.text
      for word in [
        "ContinuousClock", "SuspendingClock", "UnsafeRawBufferPointer", "ArraySlice<UInt8>", "async ", "Task",
      ] {
        #expect(!text.contains(word), "\(file.path) has \(word)")
      }
    }
  }

  @Test func `only the Xlib room imports X11, in the tools only what draws and what makes windows`() {
    for file in SourceFile.library where file.room != "Xlib" {
      #expect(!file.imports.contains("XDnDX11") && !file.imports.contains("XDnDXlibint"), "\(file.path)")
    }
  }
}

@Suite("What Xlib has for a whole process", .computing)
struct ProcessWideXlibTests {
  @Test func `only the router of lost servers installs a handler of the process`() {
    let files = SourceFile.all(in: "Sources").filter { file in
      file.code.contains { $0.words.contains("XSetErrorHandler") || $0.words.contains("XSetIOErrorHandler") }
    }
    #expect(files.map(\.name) == ["LostServerRouter.swift"])
  }

  @Test func `only one file opens displays`() {
    let files = (SourceFile.all(in: "Sources") + SourceFile.all(in: "Tests")).filter { file in
      file.name != "LayeringTests.swift" && file.code.contains { $0.words.contains("XOpenDisplay") }
    }
    #expect(files.map(\.name) == ["DisplayHandle.swift"])
  }
}

@Suite("The shape of the files", .computing)
struct FileShapeTests {
  @Test func `every public declaration says what it is`() {
    let products = ["XDnDDrawing", "XDnDFoundation", "XDnDTesting"].flatMap { SourceFile.all(in: "Sources/\($0)") }
    for file in SourceFile.library + products {
      for (index, line) in file.code.enumerated() where line.declaresPublicly {
        // Attributes may stand between the comment and the declaration.
        let above = file.code[..<index].last { $0.opening != .attribute }
        #expect(above?.opening == .documentation, "\(file.path):\(index + 1) \(line.words)")
      }
    }
  }
}
