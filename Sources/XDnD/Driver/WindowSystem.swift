/// What the driver needs of a window system, and nothing else.
///
/// Two types conform: `XlibConnection`, and the simulated server of the tests. Everything above runs unchanged over
/// either. Requests to windows of other clients never fail visibly: when such a window turns out to be gone, one-way
/// requests lead to ``ServerEvent/windowVanished(_:)`` later, and round trips answer `nil`.
protocol WindowSystem: AnyObject {
  /// Whether the connection to the server is lost. Then all requests do nothing and all answers are `nil`.
  var isClosed: Bool { get }

  /// The next event that has already arrived, or `nil`; never waits. On a borrowed display always `nil`.
  func nextEvent() -> ServerEvent?

  /// Whether ``nextEvent()`` has something although the connection's descriptor may be quiet: a round trip reads
  /// events off the connection that nobody has waited for.
  var hasQueuedEvents: Bool { get }

  /// Sends what is buffered.
  func flush()

  /// What the desktop has set, read again after it has changed; a few round trips then, and none otherwise.
  var settings: DesktopSettings { get }

  /// The bits of a window's id that its client chooses; the others tell clients apart.
  var resourceMask: UInt32 { get }

  // MARK: Windows

  /// The window that acts for us in drags: it holds the grab, owns `XdndSelection` and carries the drag's properties.
  ///
  /// It is never the application's own, so a drag survives when that one is unmapped, and its properties and masks
  /// are ours to change.
  var dragWindow: WindowID { get }

  /// Asks for the given events of a window, in addition to whatever the host asked for. Calls nest.
  func watch(_ window: WindowID, for interest: WindowInterest)

  /// Takes one ``watch(_:for:)`` back.
  func unwatch(_ window: WindowID, for interest: WindowInterest)

  /// Whether the window still exists: one round trip.
  func exists(_ window: WindowID) -> Bool

  /// Turns root coordinates into coordinates of a window.
  func translate(_ root: Point, to window: WindowID) -> Point?

  /// The window at a place on the root that an XDND message should be addressed to.
  ///
  /// The top-most mapped window decides, input shapes and frames of window managers considered; what lies below it
  /// is never looked at. `nil` where nothing takes drops.
  func locateTarget(at point: Point) -> DropTarget?

  /// Brings a top-level window of ours to the user: on top, and with the keyboard. The window manager may know better.
  ///
  /// - Parameter time: Of what the user did.
  func activate(_ window: WindowID, at time: Timestamp)

  /// The windows that take drops and can be seen, top-most first, each with a place where the pointer would be over it.
  func dropPlaces() -> [DropPlace]

  /// The window that messages about a drop on a given window should be addressed to, whatever covers it and whether it
  /// can be seen: the window itself, else what is inside of it at a place, else the nearest that it is inside of.
  ///
  /// - Parameter point: In the window's coordinates; `nil` for its middle.
  /// - Returns: `nil` if none of them takes drops, or there is no such window.
  func dropTarget(for window: WindowID, at point: Point?) -> DropPlace?

  // MARK: Messages

  /// Sends a message in a session of the given version; see ``DropTarget`` for the two windows.
  func send(_ message: XdndMessage, version: ProtocolVersion, to window: WindowID, via destination: WindowID)

  /// Answers a conversion.
  func send(_ notify: SelectionNotify)

  // MARK: Properties

  /// Reads a list of atoms; `nil` if the property is missing, of another type or format, or the window is gone.
  /// Elements that are `None` or unknown to the server are `nil`. What comes after `limit` elements is not read.
  func atoms(in property: AtomName, of window: WindowID, type: AtomName, limit: Int) -> [AtomName?]?

  /// The names of atoms that came as numbers in a property, in one round trip; `nil` for `None` and unknown ones.
  func names(ofAtoms numbers: [UInt32]) -> [AtomName?]

  /// Reads a page of a property of any type: one round trip, and no more memory than the page takes.
  ///
  /// - Parameters:
  ///   - offset: Where the page begins, in bytes: where the one before it ended.
  ///   - delete: Whether to delete the property if nothing is left after this page.
  ///   - part: Called with what the whole property is; not at all if there is nothing to see. Format-32 units are four
  ///     bytes each, in the machine's order.
  /// - Returns: What the whole property is, and how many of its bytes come after this page; `nil` if there is no such
  ///   property or no such window.
  func readPage(
    _ property: AtomName, of window: WindowID, from offset: Int, delete: Bool,
    part: (PropertyHeader, UnsafeRawBufferPointer) -> Void
  ) -> (header: PropertyHeader, left: Int)?

  /// Replaces a property.
  func write(_ value: PropertyValue, to property: AtomName, of window: WindowID)

  /// Deletes a property; nothing happens if there is none.
  func delete(_ property: AtomName, of window: WindowID)

  /// The most bytes that one ``write(_:to:of:)`` can carry.
  var maximumWriteSize: Int { get }

  // MARK: Text

  /// The text that bytes of the type `COMPOUND_TEXT` are; `nil` if characters would be lost.
  func text(fromCompoundText bytes: [UInt8]) -> String?

  /// The text as bytes of the type `COMPOUND_TEXT`; `nil` if characters would be lost.
  func compoundText(from text: String) -> [UInt8]?

  // MARK: Selections

  /// Takes a selection for ``dragWindow`` at a real time, and verifies that it worked.
  func own(_ selection: AtomName, at time: Timestamp) -> Bool

  /// Gives a selection up if ``dragWindow`` still has it.
  func disown(_ selection: AtomName, at time: Timestamp)

  /// The owner right now; `.none` if there is none.
  func owner(of selection: AtomName) -> WindowID

  /// Whether to be told when somebody takes or releases a selection: ``ServerEvent/selectionOwnerChanged(_:owner:)``.
  /// For `XdndSelection` that is always told.
  func observeOwner(of selection: AtomName, _ isObserved: Bool)

  /// Asks the owner for a conversion; the answer is a ``ServerEvent/selectionNotify(_:)``.
  func convert(
    _ selection: AtomName, to target: AtomName, property: AtomName, requestor: WindowID, time: Timestamp)

  /// The server's time now: one round trip.
  func serverTime() -> Timestamp

  // MARK: Input

  /// Grabs pointer and keyboard for ``dragWindow``. On failure neither is held.
  ///
  /// - Returns: where the pointer was right after the grab, and which buttons were down.
  func grab(cursor: CursorShape, at time: Timestamp) throws(GrabFailure) -> (PointerSample, down: Set<PointerButton>)

  /// The release of a button that came before the grab: an event for a window of ours that has been read and is still in
  /// the queue, where it stays.
  ///
  /// - Parameter time: Of the press. An older release belongs to an earlier press.
  /// - Returns: `nil` if the release is not in the queue; a toolkit may have taken it.
  func queuedRelease(of button: PointerButton, since time: Timestamp) -> PointerSample?

  /// Lets pointer and keyboard go.
  func ungrab(at time: Timestamp)

  /// Moves the pointer of the grab.
  ///
  /// - Parameter time: Of what has asked for it.
  /// - Returns: where it has come to; what of motion is older is not told any more, and keys and buttons that are older
  ///   are told as if they had been pressed there. `nil` without a grab.
  func movePointer(_ move: PointerMove, at time: Timestamp) -> PointerSample?

  /// Whether a compositing manager blends the image with what is below it; changes are told from now on, see
  /// ``ServerEvent/compositorChanged``.
  var isComposited: Bool { get }

  /// Changes the cursor of the grab.
  func show(_ cursor: CursorShape)

  // MARK: Drag image

  /// Shows a picture above all windows, in place of the one that is there. The pointer goes through it, and it is
  /// never a target.
  ///
  /// - Parameter origin: Its upper-left corner, in root coordinates.
  func showImage(_ bitmap: Bitmap, at origin: Point)

  /// Moves the picture, if there is one. Never waits for the server.
  func moveImage(to origin: Point)

  /// Takes the picture away. Does nothing if there is none.
  func hideImage()

  /// Where a part of a window is on the screen, in root coordinates; `nil` if its middle cannot be seen.
  func visiblePlace(of frame: Rect, in window: WindowID) -> Rect?

  /// What a window shows now, its children and what covers it included; `nil` if nothing of it is on the screen.
  ///
  /// - Parameter area: A part of it, in the window's coordinates; `nil` for all.
  func picture(of window: WindowID, _ area: Rect?) -> WindowPicture?
}

extension WindowSystem {
  /// Reads a whole property, page by page.
  ///
  /// - Returns: `nil` also if somebody has replaced it meanwhile: then the pages do not belong together.
  func read(
    _ property: AtomName, of window: WindowID, delete: Bool, part: (PropertyHeader, UnsafeRawBufferPointer) -> Void
  ) -> PropertyHeader? {
    var known: PropertyHeader?
    var offset = 0
    while true {
      guard let (header, left) = readPage(property, of: window, from: offset, delete: delete, part: part),
        known == nil || known == header
      else { return nil }
      if left == 0 { return header }
      known = header
      offset = header.byteCount - left
    }
  }
}

/// What a part of a window shows.
struct WindowPicture: Equatable {
  var bitmap: Bitmap
  /// Which part, in the window's coordinates: what is off the screen is missing.
  var part: Rect
  /// Where it is, in root coordinates.
  var place: Rect
}

/// What to be told about a window.
struct WindowInterest: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// That it is destroyed.
  static let destruction = WindowInterest(rawValue: 1 << 0)
  /// That its properties change.
  static let properties = WindowInterest(rawValue: 1 << 1)
  /// What the pointer does in it while a button is down, and its end: ``ServerEvent/gesture(_:in:)``.
  static let gestures = WindowInterest(rawValue: 1 << 2)
}

/// Why the pointer or the keyboard could not be grabbed: the replies of `XGrabPointer`.
enum GrabFailure: String, Error, Sendable {
  case alreadyGrabbed = "another client holds a grab"
  case notViewable = "the drag window is not viewable"
  case invalidTime = "the time of the grab is not valid"
  case frozen = "another client's grab has frozen the device"
  case closed = "the connection to the server is lost"
}

extension WindowSystem {
  /// Reads a list of types or operations. No program offers as many as ``Negotiation/offerLimit``, and each name is kept.
  func atoms(in property: AtomName, of window: WindowID, type: AtomName) -> [AtomName?]? {
    atoms(in: property, of: window, type: type, limit: Negotiation.offerLimit)
  }
}
