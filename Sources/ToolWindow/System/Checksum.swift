internal import XDnDLoadedLibraries

/// An incremental SHA-256 checksum, computed by GLib, which pango depends on anyway.
package struct SHA256: ~Copyable {
  private let state: OpaquePointer

  package init() {
    guard let state = g_checksum_new(G_CHECKSUM_SHA256) else {
      preconditionFailure("GLib without SHA-256")
    }
    self.state = state
  }

  deinit {
    g_checksum_free(state)
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    g_checksum_update(state, start.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// The checksum of the bytes so far, as 64 lower-case hexadecimal digits. More bytes may follow.
  package var hexDigest: String {
    // g_checksum_get_string() closes a GChecksum, so it is called on a copy.
    guard let copy = g_checksum_copy(state) else { return "" }
    defer { g_checksum_free(copy) }
    return g_checksum_get_string(copy).map { String(cString: $0) } ?? ""
  }
}
