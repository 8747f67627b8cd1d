package import Foundation

/// Where the build that is under test put its executables, and where its sources are.
package enum BuiltProducts {
  /// The directory of the test runner, which holds the other products of the same build.
  package static var directory: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// The directory that `XDND_BIN` names, with the tools of another build, such as a release build.
  private static let elsewhere = ProcessInfo.processInfo.environment["XDND_BIN"].map { URL(fileURLWithPath: $0) }

  /// Whether the tools under test are those of another build.
  static var areElsewhere: Bool { elsewhere != nil }

  /// The path of the built executable `name`: in the directory that `XDND_BIN` names if there is one, as the tools of a
  /// release build, and else beside the tests.
  package static func executable(_ name: String) throws -> String {
    let places = [elsewhere, directory]
    let path =
      places.compactMap { $0?.appendingPathComponent(name).path }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? directory.appendingPathComponent(name).path
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
