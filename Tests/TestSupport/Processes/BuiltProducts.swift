package import Foundation

/// Where the build that is under test put its executables, and where its sources are.
package enum BuiltProducts {
  /// The directory of the test runner, which holds the other products of the same build.
  package static var directory: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// The path of the built executable `name`.
  package static func executable(_ name: String) throws -> String {
    let path = directory.appendingPathComponent(name).path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw HarnessError("\(path) is not built; swift build makes it")
    }
    return path
  }

  /// The directory of the package.
  package static var package: URL {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url
  }
}
