import ArgumentParser
package import ToolWindow

extension Geometry {
  /// Parses the value of `--geometry`. Throws `ValidationError` if it is invalid.
  @Sendable package static func argument(_ argument: String) throws -> Geometry {
    guard let geometry = Geometry(argument) else {
      throw ValidationError("expected a geometry such as 300x200, +40+40 or 300x200+40+40")
    }
    return geometry
  }
}
