import CX11
public import XDnD

extension RawPeer {
  /// A property of a window.
  struct Place: Hashable {
    var window: WindowID
    var property: AtomName
  }

  /// An INCR transfer to a requestor (ICCCM 2.7.2).
  struct Outgoing {
    var content: Content
    var part: Int
    var offset = 0
  }

  // MARK: Owning

  /// Takes ownership of a selection. Returns whether `window` then owns it, by one round trip.
  @discardableResult
  public func own(_ selection: String, by window: WindowID, at time: Timestamp) -> Bool {
    guard !isClosed else { return false }
    XSetSelectionOwner(display, xatom(selection), window.xid, Time(time.rawValue))
    tell(.sent, .owner(of: AtomName(rawValue: selection), window, time))
    return owner(of: selection) == window
  }

  /// Gives up a selection: it has no owner then.
  public func disown(_ selection: String, at time: Timestamp) {
    guard !isClosed else { return }
    XSetSelectionOwner(display, xatom(selection), 0, Time(time.rawValue))
    tell(.sent, .owner(of: AtomName(rawValue: selection), .none, time))
    XFlush(display)
  }

  /// The selection's owner; ``WindowID/none`` if there is none. One round trip.
  public func owner(of selection: String) -> WindowID {
    isClosed ? .none : WindowID(xid: XGetSelectionOwner(display, xatom(selection)))
  }

  /// The selection's owner, also reported to ``onWireEvent``. The time of ownership is unknown and reported as
  /// `currentTime`.
  @discardableResult
  public func lookUpOwner(of selection: String) -> WindowID {
    let window = owner(of: selection)
    tell(.received, .owner(of: AtomName(rawValue: selection), window, .currentTime))
    return window
  }

  /// Reports changes of a selection's owner, with their times. Needs the XFixes extension; does nothing without it.
  public func watchOwner(of selection: String) {
    guard !isClosed else { return }
    var (event, error): (Int32, Int32) = (0, 0)
    guard XFixesQueryExtension(display, &event, &error) != 0 else { return }
    ownerEvent = event + XFixesSelectionNotify
    XFixesSelectSelectionInput(
      display, XDefaultRootWindow(display), xatom(selection),
      UInt(
        XFixesSetSelectionOwnerNotifyMask | XFixesSelectionWindowDestroyNotifyMask
          | XFixesSelectionClientCloseNotifyMask))
    XSync(display, False)
  }

  /// Answers a conversion: writes the property and notifies the requestor, or refuses.
  ///
  /// - Parameters:
  ///   - content: The content; `nil` refuses.
  ///   - part: The length of the parts of an INCR transfer, in bytes; `nil` writes a single property.
  ///     ``next(until:where:)`` writes each further part after the requestor has deleted the one before.
  public func answer(_ conversion: WireEvent.Conversion, with content: Content?, part: Int? = nil) {
    guard !isClosed else { return }
    var answer = conversion
    // ICCCM 2.2: an obsolete requestor names no property and means the one with the target's name.
    answer.property = content == nil ? nil : conversion.property ?? conversion.target
    if let content, let property = answer.property {
      if let part {
        watch(conversion.requestor)
        outgoing[Place(window: conversion.requestor, property: property)] = Outgoing(content: content, part: part)
        let incr = Content(type: AtomName(rawValue: "INCR"), words: [UInt32(content.bytes.count)])
        setProperty(property.rawValue, of: conversion.requestor, incr)
      } else {
        setProperty(property.rawValue, of: conversion.requestor, content)
      }
    }
    notify(answer)
  }

  /// Sends a `SelectionNotify` with exactly these fields.
  public func notify(_ answer: WireEvent.Conversion) {
    guard !isClosed else { return }
    var event = XEvent()
    event.xselection.type = SelectionNotify
    event.xselection.requestor = answer.requestor.xid
    event.xselection.selection = xatom(answer.selection.rawValue)
    event.xselection.target = answer.target.map { xatom($0.rawValue) } ?? 0
    event.xselection.property = answer.property.map { xatom($0.rawValue) } ?? 0
    event.xselection.time = Time(answer.time.rawValue)
    tell(.sent, .converted(answer))
    XSendEvent(display, answer.requestor.xid, False, NoEventMask, &event)
    XFlush(display)
  }

  /// Whether an INCR transfer is in progress.
  public var isSendingParts: Bool { !outgoing.isEmpty }

  /// Stops all INCR transfers without sending their remaining parts.
  public func abandonTransfers() { outgoing = [:] }

  /// Writes the next part after the requestor has deleted the previous one.
  func continueTransfer(to place: Place) {
    guard var transfer = outgoing[place] else { return }
    let end = min(transfer.content.bytes.count, transfer.offset + transfer.part)
    let part = Content(
      type: transfer.content.type, format: transfer.content.format,
      bytes: Array(transfer.content.bytes[transfer.offset..<end]))
    transfer.offset = end
    // The empty part ends the transfer.
    outgoing[place] = part.bytes.isEmpty ? nil : transfer
    setProperty(place.property.rawValue, of: place.window, part)
  }

  func forgetTransfers(to window: WindowID) {
    outgoing = outgoing.filter { $0.key.window != window }
  }

  // MARK: Asking

  /// Sends `ConvertSelection` and returns at once. The answer arrives as an event.
  @discardableResult
  public func convert(
    _ selection: String, to target: String, property: String, on requestor: WindowID, at time: Timestamp
  ) -> WireEvent.Conversion {
    let conversion = WireEvent.Conversion(
      selection: AtomName(rawValue: selection), target: AtomName(rawValue: target),
      property: AtomName(rawValue: property), requestor: requestor, time: time)
    guard !isClosed else { return conversion }
    tell(.sent, .conversion(conversion))
    XConvertSelection(
      display, xatom(selection), xatom(target), xatom(property), requestor.xid, Time(time.rawValue))
    XFlush(display)
    return conversion
  }

  /// The result of a conversion.
  public enum Answer: Hashable, Sendable {
    case content(Content)
    /// The owner refused the conversion.
    case refused
    /// No answer in time, or the transfer stalled.
    case silence
  }

  /// Waits for the answer to a conversion and reads the content, also from an INCR transfer.
  ///
  /// Other events stay in the queue for ``next(until:where:)``.
  ///
  /// - Parameter patience: The time limit for the answer, and for each part of an INCR transfer.
  public func answer(to conversion: WireEvent.Conversion, within patience: Duration) -> Answer {
    let answered = next(until: .now + patience) { event in
      guard case .converted(let answer) = event.action else { return false }
      return answer.requestor == conversion.requestor && answer.selection == conversion.selection
        // A refusal may lack the target: Qt's do.
        && (answer.target == conversion.target || answer.target == nil)
    }
    guard case .converted(let answer) = answered?.action else { return .silence }
    guard let property = answer.property else { return .refused }
    let name = property.rawValue
    let first = readProperty(name, of: conversion.requestor)
    guard let first, first.type.rawValue == "INCR" else {
      deleteProperty(name, of: conversion.requestor)
      return first.map(Answer.content) ?? .silence
    }
    let isNew = { (event: WireEvent) in
      guard case .property(let news) = event.action else { return false }
      return news.change == .changed && news.window == conversion.requestor && news.name == property
    }
    // The change by which INCR was announced, or one of an earlier transfer, is not a part.
    takeIn()
    queue.removeAll(where: isNew)
    deleteProperty(name, of: conversion.requestor)
    var whole: Content?
    while next(until: .now + patience, where: isNew) != nil {
      guard let part = readProperty(name, of: conversion.requestor, delete: true) else { continue }
      if whole == nil { whole = part } else { whole?.bytes += part.bytes }
      if part.bytes.isEmpty { return whole.map(Answer.content) ?? .silence }
    }
    return .silence
  }
}
