extension ContentProvider {
  /// Loads one representation into a new file of a directory. The file appears under its name only when it is complete.
  ///
  /// No existing file is overwritten, and no symbolic link is followed: if the name is taken, a number is appended. The
  /// file is on the disk before the load ends. If the load fails, no partial file remains.
  ///
  /// - Parameters:
  ///   - type: One of the offered types. The source refuses others.
  ///   - directory: The directory for the file.
  ///   - name: The suggested name. It is sanitized: see ``FileName``. If nothing usable is left, the load ends with
  ///     ``XDnDError/Code/fileNotWritten``.
  ///   - limit: The largest number of bytes to accept; `nil` for ``Configuration/maximumFileTransferSize``.
  ///   - part: Receives each part before it is written, for example to compute a checksum. The buffer is valid only
  ///     during the call.
  ///   - progress: Called as data arrives, with the received number of bytes and ``LoadTask/expectedByteCount``.
  ///   - completion: Called once, with the file; before this method returns if the file cannot be created.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load(
    _ type: ContentType, into directory: FileDirectory, named name: String, limit: Int? = nil,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<SavedFile, XDnDError>) -> Void
  ) -> LoadTask {
    let file: FileSink
    do {
      file = try FileSink(in: directory, named: name)
    } catch {
      let task = LoadTask(type: type, provider: self, progress: nil) { _ in completion(.failure(error)) }
      task.end(.failure(error))
      return task
    }
    return load(
      type, limit: limit ?? fileLimit, progress: progress,
      into: {
        part?($0)
        return file.write($0)
      },
      completion: { result in
        completion(file.close(after: result).map { _ in directory.saved(file.name ?? name, byteCount: file.byteCount) })
      })
  }
}
