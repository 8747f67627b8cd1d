internal import XDnDLoadedLibraries
internal import XDnDFiles
internal import XDnDLinux
internal import Glibc

/// A file to show a thumbnail of, in its current state.
struct ThumbnailSource {
  let path: [UInt8]
  /// The file's URI, from which the cache derives the thumbnail's name.
  let uri: String
  /// In seconds since 1970.
  let modified: Int

  /// Returns `nil` if the path is not a regular file.
  init?(_ path: [UInt8]) {
    guard let status = try? FileStatus(at: path), status.kind == .file else { return nil }
    // The cache key is a hash of the URI's spelling, so the URI is made by GLib, as in other programs that use the
    // cache.
    guard let uri = withCPath(path, { g_filename_to_uri($0, nil, nil) }) else { return nil }
    defer { g_free(uri) }
    self.path = path
    self.uri = String(cString: uri)
    modified = status.modifiedSeconds
  }

  var thumbnailName: String {
    guard let digest = g_compute_checksum_for_string(G_CHECKSUM_MD5, uri, -1) else { return "" }
    defer { g_free(digest) }
    return String(cString: digest) + ".png"
  }
}

/// The thumbnail cache that all of a user's programs share (freedesktop.org Thumbnail Managing Standard 0.9).
struct ThumbnailCache {
  /// The cache's directories and the side of the square that their thumbnails fit into, in pixels.
  private static let sizes = [("normal", 128), ("large", 256), ("x-large", 512), ("xx-large", 1024)]
  /// The directory that records the files for which making a thumbnail failed.
  private static let failures = "fail/xdnd-source"

  /// The cache's directory, without a trailing slash.
  private let root: String?

  init(root: String? = DataFiles.userDirectory("XDG_CACHE_HOME", orAtHome: ".cache").map { "\($0)/thumbnails" }) {
    self.root = root
  }

  /// Returns the cached thumbnail; `nil` if there is none or the file has changed since.
  func picture(of file: ThumbnailSource, fitting side: Int) -> Picture? {
    guard let root, !isInside(file) else { return nil }
    // The smallest that is large enough first, and the smaller ones last.
    let sizes = Self.sizes.filter { $0.1 >= side } + Self.sizes.filter { $0.1 < side }.reversed()
    for (directory, limit) in sizes {
      let path = Array("\(root)/\(directory)/\(file.thumbnailName)".utf8)
      if let pixbuf = current(path, of: file, limit: limit) { return pixbuf.fitting(side)?.picture }
    }
    return nil
  }

  /// Whether making a thumbnail is worth trying: no attempt has failed since the file was changed.
  func mayMake(of file: ThumbnailSource) -> Bool {
    guard let root, !isInside(file) else { return true }
    return current(Array("\(root)/\(Self.failures)/\(file.thumbnailName)".utf8), of: file, limit: 16) == nil
  }

  /// Makes a thumbnail and caches it if the cache is writable. Failures are recorded as well.
  func make(of file: ThumbnailSource, fitting side: Int) -> Picture? {
    let (directory, limit) = Self.sizes.first { $0.1 >= side } ?? ("xx-large", 1024)
    guard let pixbuf = Pixbuf(file: file.path, fitting: limit) else {
      if let blank = Pixbuf.blank() { write(blank, of: file, into: Self.failures) }
      return nil
    }
    write(pixbuf, of: file, into: directory)
    return pixbuf.fitting(side)?.picture
  }

  private func isInside(_ file: ThumbnailSource) -> Bool {
    root.map { file.path.starts(with: Array("\($0)/".utf8)) } ?? false
  }

  private func current(_ path: RawPath, of file: ThumbnailSource, limit: Int) -> Pixbuf? {
    guard withCPath(path, { access($0, R_OK) }) == 0, let pixbuf = Pixbuf(file: path, fitting: limit),
      pixbuf.text("Thumb::MTime") == String(file.modified), pixbuf.text("Thumb::URI") == file.uri
    else { return nil }
    return pixbuf
  }

  /// Writes to a temporary file and renames it, so that readers never see a partial thumbnail. `mkostemp` makes it
  /// readable by the user only.
  private func write(_ pixbuf: borrowing Pixbuf, of file: ThumbnailSource, into directory: String) {
    guard let root, !isInside(file), g_mkdir_with_parents("\(root)/\(directory)", 0o700) == 0 else { return }
    var name = Array("\(root)/\(directory)/.xdnd-XXXXXX".utf8CString)
    let descriptor = mkostemp(&name, O_CLOEXEC)
    guard descriptor >= 0 else { return }
    close(descriptor)
    let temporary = name.dropLast().map { UInt8(bitPattern: $0) }
    let texts = [("Thumb::URI", file.uri), ("Thumb::MTime", String(file.modified)), ("Software", "xdnd-source")]
    let isSaved = pixbuf.save(to: temporary, texts: texts)
    let isThere = isSaved && withCPath(temporary) { rename($0, "\(root)/\(directory)/\(file.thumbnailName)") } == 0
    if !isThere { _ = withCPath(temporary) { unlink($0) } }
  }
}
