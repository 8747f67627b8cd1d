internal import CPangoCairo

/// A SHA-256 checksum of bytes that come in parts.
///
/// GLib computes it, which pango brings along anyway: cryptography is nothing to write oneself.
public struct SHA256: ~Copyable {
  private let state: OpaquePointer

  /// The checksum of no bytes yet.
  public init() {
    guard let state = g_checksum_new(G_CHECKSUM_SHA256) else {
      preconditionFailure("GLib without SHA-256")
    }
    self.state = state
  }

  deinit {
    g_checksum_free(state)
  }

  /// Appends bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    g_checksum_update(state, start.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// The checksum of all bytes so far as 64 lower-case hexadecimal digits; more bytes may follow.
  public var hexDigest: String {
    // Reading closes a GChecksum, hence the copy.
    guard let copy = g_checksum_copy(state) else { return "" }
    defer { g_checksum_free(copy) }
    return g_checksum_get_string(copy).map { String(cString: $0) } ?? ""
  }
}
