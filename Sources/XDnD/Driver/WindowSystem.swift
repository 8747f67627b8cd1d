/// The requests that the driver makes to a window system.
///
/// Two types conform: `XlibConnection`, and `FakeClient`, a connection to the simulated server. A request that does not
/// wait takes a callback for its answer; see ``Question``. The callback never runs within the request, nor after the
/// loss of the connection.
///
/// A request to another client's window never throws. If the window is destroyed, a message to it or a change of its
/// properties is followed by ``ServerEvent/windowVanished(_:)``, and a round trip returns `nil`.
package protocol WindowSystem: AnyObject {
  /// Whether the connection to the server is lost. Then requests have no effect and return at once, without an answer.
  var isClosed: Bool { get }

  /// Removes and returns the next event or answer that has arrived; `nil` if there is none. Never blocks. On a borrowed
  /// display, whose events the host reads, returns only other arrivals, such as vanished windows and answers.
  func nextArrival() -> Arrival?

  /// Whether ``nextArrival()`` would return something although the connection's descriptor may not be readable: a round
  /// trip reads events from the connection and queues them.
  var hasQueuedEvents: Bool { get }

  /// Sends the buffered requests.
  func flush()

  /// The serial number of the next request; 0 once the connection is lost.
  var nextSerial: UInt { get }

  /// The desktop's settings. Makes a few round trips while a change is still being read, and none otherwise.
  var settings: DesktopSettings { get }

  /// The bits of a window's id that its client chooses. The others identify the client.
  var resourceMask: UInt32 { get }

  // MARK: Windows

  /// This library's own window: it holds the grab, owns the selections and carries the properties of drags.
  ///
  /// The application does not use it: a drag continues when the application unmaps its windows, and the library may
  /// change this window's properties and event mask.
  var dragWindow: WindowID { get }

  /// Selects events of a window, in addition to the host's event mask. Makes at most one round trip. Calls nest.
  func watch(_ window: WindowID, for interest: WindowInterest)

  /// Watches a window as ``watch(_:for:)`` does, without waiting: the events are selected a round trip later.
  func watchSoon(_ window: WindowID, for interest: WindowInterest)

  /// Watches a window as ``watchSoon(_:for:)`` does, and calls `selected` once the events are selected or the
  /// window turns out not to exist. Requests that are sent from then on find them selected.
  func watch(_ window: WindowID, for interest: WindowInterest, then selected: @escaping () -> Void) -> Question

  /// Undoes one ``watch(_:for:)``, ``watchSoon(_:for:)`` or ``watch(_:for:then:)``.
  func unwatch(_ window: WindowID, for interest: WindowInterest)

  /// Whether a window exists. Makes one round trip.
  func exists(_ window: WindowID) -> Bool

  /// Converts root coordinates to a window's coordinates; `nil` if the window is destroyed. Makes one round trip,
  /// unless the place of the window is known: see ``follow(_:then:)``.
  func translate(_ root: Point, to window: WindowID) -> Point?

  /// Finds the drop target at a point in root coordinates, without waiting. Gives up a pending search.
  ///
  /// Only the topmost mapped top-level window at the point is searched, with its descendants; it may be a window
  /// manager's frame. Input shapes are respected.
  ///
  /// - Parameter namesProgram: Whether to find the class of the target's program as well.
  func locateTarget(
    at point: Point, namingProgram namesProgram: Bool, then found: @escaping (FoundTarget) -> Void
  ) -> Reply<FoundTarget>

  /// Reads a source's offer, without waiting. The source's properties are watched from before the read until
  /// ``unwatch(_:for:)``.
  ///
  /// - Parameter typeList: Whether to read `XdndTypeList`, too.
  func readOffer(of source: WindowID, typeList: Bool, then read: @escaping (SourceOffer) -> Void) -> Question

  /// Checks whether the source of a drag exists and `XdndSelection` has an owner, without waiting.
  func checkSource(_ source: WindowID, then checked: @escaping (_ isAlive: Bool) -> Void) -> Question

  // MARK: Windows of other clients

  /// Reads the properties that decide which program receives the drops of a window; `nil` if the window does not exist.
  /// Makes up to three round trips.
  func foreignWindow(_ window: WindowID) -> ForeignWindow?

  /// The window itself, or its nearest ancestor, that has `WM_STATE` (ICCCM §4.1.3.1); otherwise the child of the root.
  /// `nil` if the window does not exist, or is a root window. Makes a round trip for each level.
  func topLevelWindow(of window: WindowID) -> WindowID?

  /// Creates an invisible, unmapped window that receives the messages to another client's window.
  func createProxy() -> WindowID

  /// Destroys a window that ``createProxy()`` has created.
  func destroyProxy(_ proxy: WindowID)

  /// Asks whether the pointer is over a window, without waiting. The answer is the window's place; `nil` if the pointer
  /// is elsewhere.
  func findPointer(over window: WindowID, then found: @escaping (ForeignPlace?) -> Void) -> Question

  /// Maps a proxy just above a window, with the window's place and size. The proxy stays invisible. Its pointer input
  /// is reported by ``ServerEvent/proxyTouched(_:)``.
  func cover(_ place: ForeignPlace, with proxy: WindowID)

  /// Unmaps a proxy.
  func uncover(_ proxy: WindowID)

  /// Activates a top-level window of this program: raises it and focuses it. The window manager may refuse.
  ///
  /// - Parameter time: The timestamp of the user's action.
  func activate(_ window: WindowID, at time: Timestamp)

  /// The visible windows that take drops, topmost first, each with a point at which the pointer would be over it.
  func dropPlaces() -> [DropPlace]

  /// Finds the target of a drop on a given window, which may be covered or invisible: the window itself, or its
  /// descendant at a point, or its nearest ancestor that takes drops.
  ///
  /// - Parameter point: In the window's coordinates; `nil` for its middle.
  /// - Returns: `nil` if none of them takes drops, or if the window does not exist.
  func dropTarget(for window: WindowID, at point: Point?) -> DropPlace?

  // MARK: Messages

  /// Sends a message, encoded for a protocol version. See ``DropTarget`` for the two windows.
  func send(_ message: XdndMessage, version: ProtocolVersion, to window: WindowID, via destination: WindowID)

  /// Sends the answer to a conversion request.
  func send(_ notify: SelectionNotify)

  // MARK: Properties

  /// Reads a list of atoms, at most `limit` of them, without waiting.
  ///
  /// - Parameter read: Gets `nil` if the property is missing or of another type or format, or if the window is
  ///   destroyed. Elements that are `None` or unknown to the server are `nil`.
  func requestAtoms(
    in property: AtomName, of window: WindowID, type: AtomName, limit: Int, then read: @escaping ([AtomName?]?) -> Void
  ) -> Question

  /// The names of atoms that a property contains as numbers; `nil` for `None` and unknown atoms. Makes at most one
  /// round trip.
  func names(ofAtoms numbers: [UInt32]) -> [AtomName?]

  /// Reads a short property of any type. Makes one round trip, or two if the type's name is unknown. Content, which may
  /// be long, is read by ``requestPage(_:of:from:then:)``.
  ///
  /// - Returns: The header of the whole property, and the bytes of its first page; `nil` if the property or the window
  ///   does not exist. Units of format 32 are four bytes each, in the machine's byte order.
  func value(of property: AtomName, on window: WindowID) -> (header: PropertyHeader, bytes: [UInt8])?

  /// Reads a page of a property of any type, without waiting, and deletes the property with its last page. After the
  /// loss of the server there is no answer.
  ///
  /// - Parameters:
  ///   - offset: The start of the page in bytes: the end of the page before.
  ///   - read: Gets `nil` if the property or the window does not exist.
  func requestPage(
    _ property: AtomName, of window: WindowID, from offset: Int, then read: @escaping (ContentPage?) -> Void
  ) -> Question

  /// Replaces a property.
  func write(_ value: PropertyValue, to property: AtomName, of window: WindowID)

  /// Deletes a property, if it exists.
  func delete(_ property: AtomName, of window: WindowID)

  /// The maximum number of bytes of one ``write(_:to:of:)``.
  var maximumWriteSize: Int { get }

  // MARK: Text

  /// Decodes `COMPOUND_TEXT`; `nil` if characters would be lost.
  func text(fromCompoundText bytes: [UInt8]) -> String?

  // MARK: Selections

  /// Acquires a selection for ``dragWindow``, and returns whether the window owns it now.
  ///
  /// - Parameter time: A timestamp of the server, and not `CurrentTime`.
  func own(_ selection: AtomName, at time: Timestamp) -> Bool

  /// Requests the atoms of names without waiting. Once a later question is answered, using these names makes no round
  /// trip.
  func learn(_ names: [AtomName])

  /// Acquires a selection for ``dragWindow`` as ``own(_:at:)`` does, without waiting, for a drag.
  ///
  /// - Parameter time: The timestamp of the press. Releases of buttons are noted from now on: see
  ///   ``queuedRelease(of:since:)``.
  /// - Returns: Whether ``dragWindow`` owns the selection now.
  func claim(
    _ selection: AtomName, at time: Timestamp, then claimed: @escaping (_ isOurs: Bool) -> Void
  ) -> Reply<Bool>

  /// Releases a selection if ``dragWindow`` still owns it.
  func disown(_ selection: AtomName, at time: Timestamp)

  /// The current owner; `.none` if the selection has none. Makes one round trip.
  func owner(of selection: AtomName) -> WindowID

  /// Sets whether changes of a selection's owner are reported by ``ServerEvent/selectionOwnerChanged(_:owner:)``. The
  /// owner of `XdndSelection` is always observed.
  func observeOwner(of selection: AtomName, _ isObserved: Bool)

  /// Asks the selection's owner for a conversion. The answer is a ``ServerEvent/selectionNotify(_:)``.
  func convert(
    _ selection: AtomName, to target: AtomName, property: AtomName, requestor: WindowID, time: Timestamp)

  /// The server's current time. Makes one round trip.
  func serverTime() -> Timestamp

  // MARK: Input

  /// Grabs a pointer and the keyboard for ``dragWindow``, both or neither, without waiting.
  ///
  /// Releases the implicit grab of the press. For a touch, only the keyboard is grabbed.
  ///
  /// Input that arrives before the answer is reported after it. If ``ungrab(at:)`` is called before the answer, a
  /// granted grab is released, and there is no answer.
  func grab(
    _ device: InputDevice, cursor: CursorShape, at time: Timestamp, then answered: @escaping (GrabResult) -> Void
  ) -> Reply<GrabResult>

  /// Finds a button's release that came before the grab. It is an event of one of this program's windows, and the host
  /// still gets it.
  ///
  /// - Parameter time: The timestamp of the press. An older release belongs to an earlier press.
  /// - Returns: `nil` if the release has not been read since ``claim(_:at:then:)`` and is not in Xlib's queue. A
  ///   toolkit may have removed it.
  func queuedRelease(of button: PointerButton, since time: Timestamp) -> PointerSample?

  /// Releases the grab of pointer and keyboard, or withdraws the unanswered request for it.
  func ungrab(at time: Timestamp)

  /// Discards the window tree that ``locateTarget(at:namingProgram:then:)`` has read since the last grab, and stops
  /// watching its windows.
  ///
  /// Call this after the last search, which comes after the ungrab: without the tree, that search would take as many
  /// round trips as the first one. A pending ``findPlaces(of:then:)`` keeps the tree until its answer.
  func endTracking()

  /// Moves the pointer during the grab. Older motion that has not been read is dropped. Older keys and buttons are
  /// reported at the new position.
  ///
  /// - Parameter time: The timestamp of the key press.
  /// - Returns: The new position; `nil` without a grab, and for a touch.
  func movePointer(_ move: PointerMove, at time: Timestamp) -> PointerSample?

  /// Whether a compositing manager blends the image with the windows below. Changes are reported by
  /// ``ServerEvent/compositorChanged``.
  var isComposited: Bool { get }

  /// Changes the cursor of the grab.
  func show(_ cursor: CursorShape)

  // MARK: Drag image

  /// Shows the drag image above all windows, or replaces it. It takes no input and is never a target.
  ///
  /// - Parameter origin: The upper left corner, in root coordinates.
  func showImage(_ bitmap: Bitmap, at origin: Point)

  /// Moves the drag image, if there is one. Makes no round trip.
  func moveImage(to origin: Point)

  /// Removes the drag image, if there is one.
  func hideImage()

  /// Captures the screen at a window, including its children and the windows that cover it; `nil` if the window is
  /// unmapped or off the screen.
  ///
  /// - Parameter area: A part of the window, in its coordinates; `nil` for all of it.
  func picture(of window: WindowID, _ area: Rect?) -> WindowPicture?

  // MARK: Places of windows

  /// Requests the place of a window, without waiting, and keeps track of it until ``unfollow(_:)``, so that
  /// ``translate(_:to:)`` needs no round trip once the answers have arrived. Calls nest.
  ///
  /// The place is as of the last processed event. A window that this program moves has its new place only when the
  /// `ConfigureNotify` has been processed.
  ///
  /// - Parameter settled: Called when the place is known, or cannot be known because the window is destroyed or on
  ///   another screen. Not called after the last ``unfollow(_:)``.
  /// - Returns: `nil` if no answer is awaited: the place is known, or cannot be known.
  func follow(_ window: WindowID, then settled: @escaping () -> Void) -> Question?

  /// Undoes one ``follow(_:then:)``.
  func unfollow(_ window: WindowID)

  /// Finds the places of parts of windows on the screen, without waiting: in root coordinates, `nil` for a part whose
  /// middle is not visible. Gives up a pending question.
  func findPlaces(of parts: [WindowPart], then found: @escaping ([Rect?]) -> Void) -> Reply<[Rect?]>
}

extension WindowSystem {
  /// Whether a window's id belongs to this connection, and not to another connection of this or another program.
  package func owns(_ window: WindowID) -> Bool {
    ClientID(of: window, resourceMask: resourceMask) == ClientID(of: dragWindow, resourceMask: resourceMask)
  }
}

package struct WindowPicture: Equatable {
  package var bitmap: Bitmap
  /// The part of the window, in its coordinates, clipped to the screen.
  package var part: Rect
  /// The same part, in root coordinates.
  package var place: Rect

  package init(bitmap: Bitmap, part: Rect, place: Rect) {
    self.bitmap = bitmap
    self.part = part
    self.place = place
  }
}

package struct WindowPart: Hashable, Sendable {
  package var window: WindowID
  /// In the window's coordinates.
  package var frame: Rect
}

/// The events to select on a window.
package struct WindowInterest: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let destruction = WindowInterest(rawValue: 1 << 0)
  /// Changes of the window's properties.
  package static let properties = WindowInterest(rawValue: 1 << 1)
  /// Pointer input in the window while a button is down, and the window's destruction: ``ServerEvent/gesture(_:in:)``.
  package static let gestures = WindowInterest(rawValue: 1 << 2)
}

/// The place of another client's window on its screen.
package struct ForeignPlace: Equatable, Sendable {
  /// Inside the window's border, in root coordinates.
  package var frame: Rect
  /// The child of the root that contains the window, or the window itself.
  package var topLevel: WindowID

  package init(frame: Rect, topLevel: WindowID) { (self.frame, self.topLevel) = (frame, topLevel) }
}
