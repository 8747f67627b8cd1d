import Glibc

extension CandidateLoad where Content: Transferable {
  /// Requests one representation after another until one arrives and can be decoded.
  func begin(with offered: [ContentType]) {
    let steps = Self.steps(for: offered, database: provider.loads?.typeDatabase ?? .builtIn)
    let none = XDnDError(.transferRefused, "nothing that is offered can be made into \(Content.self)")
    request(steps[...], ifNone: none, type: { $0.offered }) { [self] step, end in
      let type = step.offered
      switch step.form.make {
      case .bytes(let make):
        return provider.load(type, limit: limit, progress: { [task] in task.report($0, $1) }) { [self] loaded in
          end(
            value(of: loaded, type) { content in
              let (bytes, form) = readable(content)
              return try make(bytes, form)
            })
        }
      case .file(let make):
        guard let directory = TemporaryDirectory() else {
          end(.failure(XDnDError(.fileNotWritten, "no temporary directory can be made")))
          return task
        }
        let path = directory.path + "/content"
        return provider.load(type, toFile: path, limit: limit, progress: { [task] in task.report($0, $1) }) {
          [self] loaded in
          end(value(of: loaded, type) { _ in try withExtendedLifetime(directory) { try make(path, type) } })
        }
      }
    }
  }

  static func steps(
    for offered: [ContentType], database: TypeDatabase
  ) -> [(offered: ContentType, form: TransferForms<Content>.Import)] {
    let imports = Content.transferRepresentation.forms.imports
    let candidates = Negotiation(wanted: imports.map(\.type), offered: offered, database: database).candidates
    // HTML conforms to text, but a value that reads both types reads it better as HTML. Types that only conform come
    // last, and are read as what they are.
    let (exact, conforming) = (
      candidates.filter { $0.relation != .conformance }, candidates.filter { $0.relation == .conformance }
    )
    return (exact + conforming).flatMap { candidate in
      let own = candidate.relation == .conformance ? imports.filter { $0.type == candidate.offered } : []
      return (own.isEmpty ? imports.filter { $0.type == candidate.wanted } : own).map { (candidate.offered, $0) }
    }
  }

  /// Makes the value of what was loaded. What cannot be read is a failure.
  private func value<Loaded>(
    of loaded: Result<Loaded, XDnDError>, _ type: ContentType, _ make: (Loaded) throws -> Content
  ) -> Result<Content, XDnDError> {
    loaded.flatMap { content in
      do {
        return .success(try make(content))
      } catch {
        return .failure(XDnDError(.transferFailed, "what came of \(type) cannot be read: \(error)"))
      }
    }
  }

  /// The bytes in an encoding that the value can decode, and the type to decode them as.
  ///
  /// For `TEXT`, the property's type names the encoding. For other types the requested type counts: tkdnd delivers a
  /// list of URIs with the property type `UTF8_STRING`.
  private func readable(_ content: LoadedContent) -> ([UInt8], ContentType) {
    let isText = PlainText.isForm(content.requestedType)
    let type = isText && PlainText.reads(content.type) ? content.type : content.requestedType
    // Full compound text needs Xlib's tables.
    guard type == "COMPOUND_TEXT", let system = provider.loads?.reactor.system,
      let text = system.text(fromCompoundText: content.bytes)
    else { return (content.bytes, type) }
    return (Array(text.utf8), .utf8String)
  }
}

/// A directory that only this user can access (`mkdtemp`), in `TMPDIR` or `/tmp`. It is removed with its content when
/// the object is deallocated.
private final class TemporaryDirectory {
  let path: String

  init?() {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/xdnd-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    unlink(path + "/content")
    rmdir(path)
  }
}
