internal import CX11
internal import Glibc

/// How many device pixels a logical one has.
enum DisplayScale {
  /// What `Xft.dpi` in the resources of the server says (96 is 1), or `GDK_SCALE` in the environment if that is more.
  static func current(of display: OpaquePointer) -> Double {
    let dpi = XGetDefault(display, "Xft", "dpi").map { String(cString: $0) }
    let factor = getenv("GDK_SCALE").map { String(cString: $0) }
    return scale(dpi: dpi, factor: factor)
  }

  /// From half to eight-fold; 1 if neither says anything that can be understood.
  static func scale(dpi: String?, factor: String?) -> Double {
    let byResolution = dpi.flatMap { Double($0) }.map { $0 / 96 } ?? 0
    let byFactor = factor.flatMap { Double($0) } ?? 0
    let scale = byFactor > 1 ? max(byResolution, byFactor) : byResolution
    return scale.isFinite && scale > 0 ? min(max(scale, 0.5), 8) : 1
  }
}
