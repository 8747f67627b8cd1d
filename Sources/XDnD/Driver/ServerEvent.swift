/// An event of the window system, with atom names instead of atoms.
package enum ServerEvent: Equatable, Sendable {
  /// One of the six XDND messages; `window` is its addressee.
  case message(XdndMessage, window: WindowID)

  case selectionRequest(SelectionRequest)
  case selectionNotify(SelectionNotify)
  /// This program has lost a selection.
  case selectionCleared(AtomName, owner: WindowID, time: Timestamp)
  /// A selection has a new owner, which may be this program, or none (`.none`). From XFixes.
  case selectionOwnerChanged(AtomName, owner: WindowID)

  case propertyChanged(AtomName, of: WindowID)
  case propertyDeleted(AtomName, of: WindowID)
  /// One of the ``awarenessProperties`` of a window was written or deleted. Replaces the two events above.
  ///
  /// - Parameter serial: The number of the last request of this program that the server had processed before the
  ///   change: see ``WindowSystem/nextSerial``.
  case awarenessChanged(AtomName, of: WindowID, serial: UInt)

  /// A window is destroyed, as `DestroyNotify` or the error of an earlier request of this program reports.
  case windowVanished(WindowID)
  /// A window that hit testing has read was mapped, moved, restacked or otherwise changed, so another target may be
  /// under a resting pointer now.
  case stackingChanged

  /// Pointer input that may become a drag, in a window that is watched for ``WindowInterest/gestures``. `.cancelled`
  /// reports the window's destruction.
  case gesture(DragGesture.Input, in: WindowID)

  /// A proxy that covers a window gets pointer input, so no source holds the pointer's grab. See
  /// ``WindowSystem/cover(_:with:)``.
  case proxyTouched(WindowID)

  /// A compositing manager has started or ended: see ``WindowSystem/isComposited``.
  case compositorChanged

  /// ``WindowSystem/settings`` may have changed.
  case settingsChanged

  // Input, while the driver holds its grab.
  case pointerMoved(PointerSample)
  case buttonPressed(PointerButton, PointerSample)
  case buttonReleased(PointerButton, PointerSample)
  /// Modifiers changed without motion.
  case modifiersChanged(PointerSample)
  /// A key that controls a drag. It may repeat.
  case keyPressed(DragKey, PointerSample)
  /// The server ended our grab, for example because its window was unmapped.
  case grabLost
}

extension ServerEvent {
  /// The properties whose changes are ``awarenessChanged(_:of:serial:)``. If another client changes one on a window
  /// that a proxy of this program serves, this program gives the window up.
  package static let awarenessProperties: Set<AtomName> = [.xdndAware, .xdndProxy, .xdndSavedBy]
}

/// The drop target under a point; if there is none, the windows there.
package struct FoundTarget: Equatable, Sendable {
  /// No target and no windows.
  package static let nothing = FoundTarget()

  package var target: DropTarget?
  /// The class of the target's program in `WM_CLASS`; `nil` if it was not requested or is missing.
  package var programClass: String?
  /// If there is no target: the windows under the point, each inside the one before.
  package var windows: [WindowID]

  package init(target: DropTarget? = nil, programClass: String? = nil, windows: [WindowID] = []) {
    self.target = target
    self.programClass = programClass
    self.windows = windows
  }
}

/// The properties in which a source describes its drag, besides `XdndEnter`.
package struct SourceOffer: Equatable, Sendable {
  /// The maximum number of types and of operations that are read: one more than are used, to notice longer lists.
  /// No program offers that many, and each name that is read stays in memory.
  package static let listLimit = Negotiation.offerLimit + 1
  /// The maximum number of bytes of `XdndActionDescription`.
  static let descriptionLimit = 65_536

  /// `XdndTypeList`; `nil` if it was not requested or cannot be read.
  package var types: [AtomName]?
  /// `XdndActionList`; `nil` if there is none.
  package var operations: [AtomName]?
  /// The texts of `XdndActionDescription`, in the order of `operations`.
  package var descriptions: [String] = []

  package init(types: [AtomName]? = nil, operations: [AtomName]? = nil, descriptions: [String] = []) {
    self.types = types
    self.operations = operations
    self.descriptions = descriptions
  }

  /// The strings of `XdndActionDescription`, which are separated by NUL.
  package static func strings(in bytes: [UInt8]) -> [String] {
    let bytes = bytes.last == 0 ? bytes.dropLast() : bytes[...]
    guard !bytes.isEmpty else { return [] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A page of a property that carries content.
package struct ContentPage: Equatable, Sendable {
  /// The header of the whole property.
  package var header: PropertyHeader
  /// Units of format 32 are four bytes each, in the machine's byte order.
  package var bytes: PropertyBytes
  /// The number of bytes of the property after this page.
  package var left: Int

  package init(header: PropertyHeader, bytes: PropertyBytes, left: Int) {
    self.header = header
    self.bytes = bytes
    self.left = left
  }

  /// The size that an `INCR` property announces; `nil` if it states none, as some owners do, or one that does not fit
  /// 32 bits.
  var announcedByteCount: Int? {
    guard header.type == .incr, bytes.count >= 4 else { return nil }
    let count = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    return count < .max ? Int(count) : nil
  }
}

extension ContentPage: CustomStringConvertible {
  /// Omits the bytes.
  package var description: String { "\(bytes.count) of \(header.byteCount) bytes of \(header.type), \(left) left" }
}

extension ServerEvent {
  /// Whether the driver may release the grab of pointer and keyboard because of this event.
  var mayEndGrab: Bool {
    switch self {
    case .buttonPressed, .buttonReleased, .keyPressed: true
    default: false
    }
  }

  /// Rewrites an event that is older than the driver's last move of the pointer. Motion is dropped; keys and buttons
  /// get the new position, because the user meant them there.
  package func onceMoved(to point: Point) -> ServerEvent? {
    func here(_ sample: PointerSample) -> PointerSample {
      PointerSample(point: point, time: sample.time, modifiers: sample.modifiers)
    }
    return switch self {
    case .pointerMoved: nil
    case .buttonPressed(let button, let sample): .buttonPressed(button, here(sample))
    case .buttonReleased(let button, let sample): .buttonReleased(button, here(sample))
    case .modifiersChanged(let sample): .modifiersChanged(here(sample))
    case .keyPressed(let key, let sample): .keyPressed(key, here(sample))
    default: self
    }
  }
}
