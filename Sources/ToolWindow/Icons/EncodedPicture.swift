/// An image file that is to be decoded.
package enum EncodedPicture: Hashable, Sendable {
  case bytes([UInt8])
  /// An absolute path, as file system bytes. The file is read when it is decoded.
  case file([UInt8])
}

extension Picture {
  /// Decodes an image in any format that gdk-pixbuf supports.
  ///
  /// - Parameter side: The side of the square to fit into, in device pixels.
  init?(decoding image: EncodedPicture, fitting side: Int) {
    switch image {
    case .bytes(let bytes): self.init(decoding: bytes, fitting: side)
    case .file(let path): self.init(file: path, fitting: side)
    }
  }
}
