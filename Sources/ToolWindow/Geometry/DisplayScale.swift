internal import XDnDX11
internal import Glibc

/// The scale factor: device pixels per logical pixel.
enum DisplayScale {
  /// Returns `Xft.dpi` from the server's resources divided by 96, or `GDK_SCALE` from the environment if that is
  /// larger.
  static func current(of display: OpaquePointer) -> Double {
    let dpi = XGetDefault(display, "Xft", "dpi").map { String(cString: $0) }
    let factor = getenv("GDK_SCALE").map { String(cString: $0) }
    return scale(dpi: dpi, factor: factor)
  }

  /// Returns a scale from 0.5 to 8; 1 if neither value can be parsed.
  static func scale(dpi: String?, factor: String?) -> Double {
    let byResolution = dpi.flatMap { Double($0) }.map { $0 / 96 } ?? 0
    let byFactor = factor.flatMap { Double($0) } ?? 0
    let scale = byFactor > 1 ? max(byResolution, byFactor) : byResolution
    return scale.isFinite && scale > 0 ? min(max(scale, 0.5), 8) : 1
  }
}
