import XDnD

extension FakeXServer {
  /// `SetSelectionOwner`, with the rule of ICCCM about time: earlier than the last change, or in the future, is
  /// ignored.
  func setOwner(_ owner: WindowID, of selection: AtomName, at stated: Timestamp) {
    let time = stated == .currentTime ? self.time : stated
    let old = selections[selection]
    if let old, old.changed.isLater(than: time) { return }
    guard !time.isLater(than: self.time) else { return }
    guard owner == .none || windows[owner] != nil else { return }
    selections[selection] = Selection(owner: owner, changed: time)
    // A client that replaces its own window is not told, one that lets go is.
    if let old, old.owner != owner, let loser = windows[old.owner]?.client,
      owner == .none || windows[owner]?.client !== loser
    {
      deliver(.selectionCleared(selection, owner: old.owner, time: time), to: loser)
    }
    for client in clients where client.observed.contains(selection) {
      deliver(.selectionOwnerChanged(selection, owner: owner), to: client)
    }
  }

  func convert(_ request: SelectionRequest, from client: FakeClient) {
    guard !client.isClosed else { return }
    if client.isChecked, request.property == nil { impossible("conversion to no property by \(client)") }
    guard windows[request.requestor] != nil else { return deliver(.windowVanished(request.requestor), to: client) }
    guard let owner = selections[request.selection]?.owner, let server = windows[owner]?.client else {
      let refusal = SelectionNotify(
        requestor: request.requestor, selection: request.selection, target: request.target, property: nil,
        time: request.time)
      return deliver(.selectionNotify(refusal), to: client)
    }
    var request = request
    request.owner = owner
    conversions.append((request, server))
    deliver(.selectionRequest(request), to: server)
  }

  func send(_ notify: SelectionNotify, from client: FakeClient) {
    guard !client.isClosed else { return }
    guard notify.requestor != .none else { return impossible("SelectionNotify to no window by \(client)") }
    guard let requestor = windows[notify.requestor]?.client else {
      return deliver(.windowVanished(notify.requestor), to: client)
    }
    let match = conversions.firstIndex { request, owner in
      owner === client && request.requestor == notify.requestor
        && (request.target == notify.target || notify.target == nil)
        && request.time == notify.time
        && (notify.property == nil || notify.property == request.property ?? request.target)
    }
    if let match {
      conversions.remove(at: match)
    } else if client.isChecked {
      impossible("\(client) answers a conversion to \(notify.target?.rawValue ?? "None") that nobody waits for")
    }
    deliver(.selectionNotify(notify), to: requestor)
  }
}
