internal import CPangoCairo
internal import Glibc

/// A file that thumbnails are of, as it is now.
struct ThumbnailSource {
  let path: [UInt8]
  /// As the cache calls it.
  let uri: String
  /// When it was changed last, in seconds.
  let modified: Int

  /// `nil` for what is no regular file.
  init?(_ path: [UInt8]) {
    var status = stat()
    guard withCPath(path, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    // GLib spells URIs as all other programs do that use the cache, and spelt otherwise nothing would be found.
    guard let uri = withCPath(path, { g_filename_to_uri($0, nil, nil) }) else { return nil }
    defer { g_free(uri) }
    self.path = path
    self.uri = String(cString: uri)
    modified = Int(status.st_mtim.tv_sec)
  }

  /// The name of the thumbnail.
  var leaf: String {
    guard let digest = g_compute_checksum_for_string(G_CHECKSUM_MD5, uri, -1) else { return "" }
    defer { g_free(digest) }
    return String(cString: digest) + ".png"
  }
}

/// The thumbnails that all programs of a user share: Thumbnail Managing Standard of freedesktop.org, version 0.9.
struct ThumbnailCache {
  /// The directories by the side of the square that their thumbnails fit into.
  private static let sizes = [("normal", 128), ("large", 256), ("x-large", 512), ("xx-large", 1024)]
  /// Where it is written down what we could not make a thumbnail of.
  private static let failures = "fail/xdnd-source"

  /// Without a slash at its end.
  private let root: String?

  init(root: String? = DataFiles.cache.map { "\($0)/thumbnails" }) {
    self.root = root
  }

  /// The thumbnail that is there, unless it is older than the file.
  func picture(of file: ThumbnailSource, fitting side: Int, _ library: PixbufLibrary) -> Picture? {
    guard let root, !isInside(file) else { return nil }
    // The smallest that is large enough, else the largest.
    let sizes = Self.sizes.filter { $0.1 >= side } + Self.sizes.filter { $0.1 < side }.reversed()
    for (directory, limit) in sizes {
      let path = Array("\(root)/\(directory)/\(file.leaf)".utf8)
      if let pixbuf = current(path, of: file, limit: limit, library) { return pixbuf.fitting(side)?.picture }
    }
    return nil
  }

  /// Whether making one is worth trying: it is not if it has been tried since the file was changed.
  func mayMake(of file: ThumbnailSource) -> Bool {
    guard let root, !isInside(file), let library = PixbufLibrary.shared else { return true }
    return current(Array("\(root)/\(Self.failures)/\(file.leaf)".utf8), of: file, limit: 16, library) == nil
  }

  /// Makes one and puts it into the cache, if that can be written to. What cannot be made is written down too.
  func make(of file: ThumbnailSource, fitting side: Int, _ library: PixbufLibrary) -> Picture? {
    let (directory, limit) = Self.sizes.first { $0.1 >= side } ?? ("xx-large", 1024)
    guard let pixbuf = Pixbuf(file: file.path, fitting: limit, library) else {
      if let blank = Pixbuf(blank: library) { write(blank, of: file, into: Self.failures) }
      return nil
    }
    write(pixbuf, of: file, into: directory)
    return pixbuf.fitting(side)?.picture
  }

  private func isInside(_ file: ThumbnailSource) -> Bool {
    root.map { file.path.starts(with: Array("\($0)/".utf8)) } ?? false
  }

  private func current(
    _ path: [UInt8], of file: ThumbnailSource, limit: Int, _ library: PixbufLibrary
  ) -> Pixbuf? {
    guard withCPath(path, { access($0, R_OK) }) == 0, let pixbuf = Pixbuf(file: path, fitting: limit, library),
      pixbuf.text("Thumb::MTime") == String(file.modified), pixbuf.text("Thumb::URI") == file.uri
    else { return nil }
    return pixbuf
  }

  /// Under another name first, so that nobody ever reads half of one; for the user's eyes only.
  private func write(_ pixbuf: borrowing Pixbuf, of file: ThumbnailSource, into directory: String) {
    guard let root, !isInside(file), makeDirectories("\(root)/\(directory)") else { return }
    var name = Array("\(root)/\(directory)/.xdnd-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return }
    close(descriptor)
    let temporary = name.dropLast().map { UInt8(bitPattern: $0) }
    let isSaved = pixbuf.save(
      to: temporary,
      saying: [
        ("Thumb::URI", file.uri), ("Thumb::MTime", String(file.modified)), ("Software", "xdnd-source"),
      ])
    let isThere = isSaved && withCPath(temporary) { rename($0, "\(root)/\(directory)/\(file.leaf)") } == 0
    if !isThere { _ = withCPath(temporary) { unlink($0) } }
  }

  private func makeDirectories(_ path: String) -> Bool {
    g_mkdir_with_parents(path, 0o700) == 0
  }
}
