import Synchronization

/// The object of a handle.
class HandledObject {
  /// `nil` after ``endHandle()``.
  private(set) var handle: OpaquePointer?
  /// The context. Its end also ends the handle. `nil` for contexts and items, and once the context is deallocated.
  private(set) weak var context: Context?

  init(of context: Context? = nil) {
    self.context = context
    handle = Handles.add(self)
    context?.objects[ObjectIdentifier(self)] = self
  }

  /// Whether the handle is still valid. After its end, `destroyed` is the only callback.
  var isOpen: Bool { handle != nil }

  func endHandle() {
    guard let handle else { return }
    self.handle = nil
    context?.objects[ObjectIdentifier(self)] = nil
    Handles.remove(handle)
  }

  static func find(_ handle: OpaquePointer?) throws(Failure) -> Self {
    guard let object = Handles.find(handle, Self.self) else { throw .noHandle }
    return object
  }
}

/// The handles that C programs hold, and their objects.
///
/// A handle is a number in the shape of a pointer. It is never dereferenced, and no number is used twice. A call with a
/// handle that has ended, or is of another kind, is therefore an error and not a crash.
enum Handles {
  /// The interface requires that only one thread at a time uses a context and the objects that come from it.
  private struct Entry: @unchecked Sendable {
    let object: AnyObject
  }

  private struct Table {
    var entries: [UInt: Entry] = [:]
    var last: UInt = 0
  }

  private static let table = Mutex(Table())

  static func add(_ object: AnyObject) -> OpaquePointer {
    let entry = Entry(object: object)
    let number = table.withLock {
      $0.last += 1
      $0.entries[$0.last] = entry
      return $0.last
    }
    guard let handle = OpaquePointer(bitPattern: number) else { preconditionFailure("0 is no handle") }
    return handle
  }

  /// Returns the object of a handle; `nil` if the handle has ended, or is of another kind.
  static func find<Object: AnyObject>(_ handle: OpaquePointer?, _ kind: Object.Type = Object.self) -> Object? {
    let number = UInt(bitPattern: handle)
    return table.withLock { $0.entries[number] }?.object as? Object
  }

  /// Ends a handle. Has no effect if it has ended.
  static func remove(_ handle: OpaquePointer) {
    let number = UInt(bitPattern: handle)
    // The object is released outside the lock: its deinitializer may call the host.
    _ = table.withLock { $0.entries.removeValue(forKey: number) }
  }
}
