import Glibc
import XDnD
public import XDnDInterface

/// Strings that C programs may read while this object lives.
final class CStrings {
  let pointers: [UnsafePointer<CChar>?]

  init(_ strings: [String]) { pointers = strings.map { UnsafePointer(strdup($0)) } }

  /// - Parameter paths: Bytes without a 0.
  init(paths: [[UInt8]]) {
    pointers = paths.map { path in
      (path + [0]).withUnsafeBytes { bytes in
        bytes.baseAddress.map { UnsafePointer(strdup($0.assumingMemoryBound(to: CChar.self))) }
      }
    }
  }

  deinit { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
}

extension String {
  /// - Parameter what: A name for the string, for the error message.
  init(argument: UnsafePointer<CChar>?, _ what: String) throws(Failure) {
    guard let argument, argument.pointee != 0 else { throw .argument("\(what) is missing") }
    self.init(cString: argument)
  }
}

extension ContentType {
  init(argument: UnsafePointer<CChar>?) throws(Failure) {
    let name = try String(argument: argument, "the type")
    guard name.utf8.count <= AtomName.maximumByteCount else {
      throw .argument("the name of a type has at most \(AtomName.maximumByteCount) bytes")
    }
    self.init(name)
  }
}

extension [UInt8] {
  /// The bytes of a path.
  init(path: UnsafePointer<CChar>?) throws(Failure) {
    guard let path, path.pointee != 0 else { throw .argument("the path is missing") }
    self.init(UnsafeRawBufferPointer(start: path, count: strlen(path)))
  }
}

/// A struct of the interface that begins with its size.
protocol SizedOptions {
  init()
  var size: Int { get set }
}

extension SizedOptions {
  /// Copies the members that the host's version of the struct has. Members that it lacks are 0; members that this
  /// library lacks are ignored.
  ///
  /// - Parameter options: `nil` for the defaults.
  init(_ options: UnsafePointer<Self>?) throws(Failure) {
    self.init()
    guard let options else { return }
    let size = UnsafeRawPointer(options).loadUnaligned(as: Int.self)
    guard size >= MemoryLayout<Int>.size else { throw .argument("the size of the struct is not set") }
    withUnsafeMutableBytes(of: &self) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: options, count: Swift.min(size, $0.count)))
    }
  }

  /// - Parameter what: A name for the struct, for the error message.
  init(required options: UnsafePointer<Self>?, _ what: String) throws(Failure) {
    guard options != nil else { throw .argument("\(what) are missing") }
    try self.init(options)
  }
}

extension xdnd_context_options: SizedOptions {}
extension xdnd_target_options: SizedOptions {}
extension xdnd_load_options: SizedOptions {}
extension xdnd_drag_options: SizedOptions {}
extension xdnd_save_options: SizedOptions {}
extension xdnd_image: SizedOptions {}

extension DragOperation {
  /// `nil` for `XDND_NONE` and for unknown numbers.
  init?(_ operation: xdnd_operation) {
    switch operation {
    case XDND_COPY: self = .copy
    case XDND_MOVE: self = .move
    case XDND_LINK: self = .link
    case XDND_ASK: self = .ask
    case XDND_PRIVATE: self = .private
    default: return nil
    }
  }

  /// - Parameter operations: `nil` for the default, a copy.
  static func all(_ operations: UnsafePointer<xdnd_operation>?, _ count: Int) throws(Failure) -> [DragOperation] {
    guard let operations, count > 0 else { return [.copy] }
    var all: [DragOperation] = []
    for number in UnsafeBufferPointer(start: operations, count: count) {
      guard let operation = DragOperation(number) else { throw .argument("there is no operation \(number.rawValue)") }
      all.append(operation)
    }
    return all
  }
}

extension xdnd_operation {
  init(_ operation: DragOperation?) {
    self =
      switch operation {
      case nil: XDND_NONE
      case .copy?: XDND_COPY
      case .move?: XDND_MOVE
      case .link?: XDND_LINK
      case .ask?: XDND_ASK
      default: XDND_PRIVATE
      }
  }
}
