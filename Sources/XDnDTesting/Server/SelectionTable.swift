import XDnD

/// The owners of the simulated server's selections, and the conversions that they have not answered.
struct SelectionTable {
  struct Selection {
    var owner: WindowID
    var changed: Timestamp
  }

  struct Conversion {
    var request: SelectionRequest
    /// The client of the selection's owner.
    var owner: FakeClient
  }

  private var selections: [AtomName: Selection] = [:]
  private(set) var conversions: [Conversion] = []

  subscript(_ selection: AtomName) -> Selection? { selections[selection] }

  /// The selections that a window owns.
  func selections(ownedBy window: WindowID) -> [AtomName] {
    selections.compactMap { name, selection in selection.owner == window ? name : nil }
  }

  /// Changes an owner. The change is ignored if its time is before the last change or in the future (ICCCM §2.1).
  ///
  /// - Returns: Whether the owner was set.
  mutating func setOwner(_ owner: WindowID, of selection: AtomName, at time: Timestamp, now: Timestamp) -> Bool {
    if let old = selections[selection], old.changed.isLater(than: time) { return false }
    guard !time.isLater(than: now) else { return false }
    selections[selection] = Selection(owner: owner, changed: time)
    return true
  }

  mutating func begin(_ request: SelectionRequest, askedOf owner: FakeClient) {
    conversions.append(Conversion(request: request, owner: owner))
  }

  /// Ends the conversion that a client answers; `false` if there is none.
  mutating func end(with notify: SelectionNotify, from client: FakeClient) -> Bool {
    let match = conversions.firstIndex { conversion in
      let request = conversion.request
      return conversion.owner === client && request.requestor == notify.requestor
        && (request.target == notify.target || notify.target == nil)
        && request.time == notify.time
        && (notify.property == nil || notify.property == request.property ?? request.target)
    }
    guard let match else { return false }
    conversions.remove(at: match)
    return true
  }

  mutating func forgetConversions(requestedBy window: WindowID) {
    conversions.removeAll { $0.request.requestor == window }
  }

  mutating func forgetConversions(askedOf client: FakeClient) { conversions.removeAll { $0.owner === client } }
}
