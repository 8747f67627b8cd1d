import XDnDX11

/// Selection ownership and conversion. The drag window is the owner; any window of this program may be the requestor.
package final class ServerSelections {
  private let display: DisplayHandle
  private let atoms: AtomTable
  private let window: WindowID
  private let tap: WireTap
  /// The event number of `XFixesSelectionNotify` on this display; `nil` without XFixes.
  package let ownerChangeEvent: Int32?

  package init(_ display: DisplayHandle, _ atoms: AtomTable, _ tap: WireTap, window: WindowID) {
    self.display = display
    self.atoms = atoms
    self.tap = tap
    self.window = window
    self.ownerChangeEvent = display.roundTrip { display in
      var event: Int32 = 0
      var error: Int32 = 0
      guard XFixesQueryExtension(display, &event, &error) != 0 else { return nil }
      return event + XFixesSelectionNotify
    }
  }

  package func observeOwner(of selection: AtomName, _ isObserved: Bool) {
    guard ownerChangeEvent != nil else { return }
    let atom = XDnDX11.Atom(atoms.atom(selection).rawValue)
    let all =
      XFixesSetSelectionOwnerNotifyMask | XFixesSelectionWindowDestroyNotifyMask | XFixesSelectionClientCloseNotifyMask
    // Select the events on the drag window: on the root, this would replace the host's mask.
    display.request(onError: .swallow) {
      XFixesSelectSelectionInput($0, window.xid, atom, isObserved ? UInt(all) : 0)
    }
  }

  /// `XSetSelectionOwner` reports no failure, for example when the time is too old, so the owner is verified (ICCCM
  /// §2.1).
  func own(_ selection: AtomName, at time: Timestamp) -> Bool {
    request(selection, at: time)
    return owner(of: selection) == window
  }

  /// Acquires a selection as ``own(_:at:)`` does, without waiting.
  ///
  /// - Parameter receive: Called later, with whether the drag window owns the selection; never if the connection is
  ///   lost.
  func claim(_ selection: AtomName, at time: Timestamp, then receive: @escaping (Bool) -> Void) {
    request(selection, at: time)
    var owner = WindowID.none
    var batch = RequestBatch(display)
    batch.owner(of: atoms.atom(selection)) { owner = $0 }
    batch.send { [window] in receive(owner == window) }
  }

  private func request(_ selection: AtomName, at time: Timestamp) {
    put(window, of: selection, at: time)
    tap.did(.owner(of: selection, window, time))
  }

  /// Sets the owner without the wire tap; `.none` clears it.
  package func put(_ owner: WindowID, of selection: AtomName, at time: Timestamp) {
    let atom = XDnDX11.Atom(atoms.atom(selection).rawValue)
    display.request(onError: .swallow) { XSetSelectionOwner($0, atom, owner.xid, time.xTime) }
  }

  func disown(_ selection: AtomName, at time: Timestamp) {
    guard owner(of: selection) == window else { return }
    put(.none, of: selection, at: time)
    tap.did(.owner(of: selection, .none, time))
  }

  package func owner(of selection: AtomName) -> WindowID {
    let atom = XDnDX11.Atom(atoms.atom(selection).rawValue)
    return display.wait { XGetSelectionOwner($0, atom) }.map(WindowID.init) ?? .none
  }

  /// Asks for the current owner without waiting.
  func askOwner(of selection: AtomName, _ receive: @escaping (WindowID) -> Void) {
    var batch = RequestBatch(display)
    batch.owner(of: atoms.atom(selection), receive)
    batch.send {}
  }

  func convert(
    _ selection: AtomName, to target: AtomName, property: AtomName, requestor: WindowID, time: Timestamp
  ) {
    let conversion = WireEvent.Conversion(
      selection: selection, target: target, property: property, requestor: requestor, time: time)
    put(conversion)
    tap.did(.conversion(conversion))
  }

  /// Requests the conversion without the wire tap.
  package func put(_ conversion: WireEvent.Conversion) {
    let names = [conversion.selection, conversion.target, conversion.property]
    atoms.intern(names.compactMap { $0 })
    let numbers = names.map { $0.map { XDnDX11.Atom(atoms.atom($0).rawValue) } ?? 0 }
    display.request(onError: .report) {
      XConvertSelection($0, numbers[0], numbers[1], numbers[2], conversion.requestor.xid, conversion.time.xTime)
    }
  }

  /// The server's time, from the `PropertyNotify` of a zero-length append (ICCCM §2.1).
  package func serverTime() -> Timestamp {
    let clock = XDnDX11.Atom(atoms.atom(.clock).rawValue)
    display.request(onError: .swallow) {
      XChangeProperty($0, window.xid, clock, XA_INTEGER, 32, PropModeAppend, nil, 0)
    }
    return display.roundTrip { display in
      // After the round trip, the event is in Xlib's queue. No other event is removed.
      XSync(display, False)
      var clock = Clock(window: window.xid, property: clock)
      var event = XEvent()
      let found = withUnsafeMutableBytes(of: &clock) { clock in
        XCheckIfEvent(display, &event, Clock.matches, clock.assumingMemoryBound(to: CChar.self).baseAddress)
      }
      return found == 0 ? nil : Timestamp(event.xproperty.time)
    } ?? .currentTime
  }

  private struct Clock {
    var window: Window
    var property: XDnDX11.Atom

    /// The predicate of `XCheckIfEvent`; its argument points to a `Clock`.
    static let matches:
      @Sendable @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<XEvent>?, UnsafeMutablePointer<CChar>?
      ) -> Int32 = { _, event, argument in
        guard let event, let argument else { return False }
        let clock = UnsafeRawPointer(argument).load(as: Clock.self)
        let isTick =
          event.pointee.type == PropertyNotify && event.pointee.xproperty.window == clock.window
          && event.pointee.xproperty.atom == clock.property
        return isTick ? True : False
      }
  }
}

extension AtomName {
  /// A property of the drag window that only serves to get timestamps.
  package static let clock = AtomName("_XDND_CLOCK")

  /// A property of the drag window that changes after the replies of a batch; see ``OpenBatches``.
  static let replies = AtomName("_XDND_REPLIES")
}
