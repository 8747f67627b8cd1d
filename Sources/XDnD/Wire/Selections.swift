/// A peer's request to convert a selection: `SelectionRequest`.
package struct SelectionRequest: Hashable, Sendable {
  package var owner: WindowID
  package var requestor: WindowID
  package var selection: AtomName
  package var target: AtomName
  /// `nil` from clients older than the ICCCM; the reply then goes to a property named like the target (ICCCM §2.2).
  package var property: AtomName?
  package var time: Timestamp

  package init(
    owner: WindowID, requestor: WindowID, selection: AtomName, target: AtomName, property: AtomName? = nil,
    time: Timestamp
  ) {
    self.owner = owner
    self.requestor = requestor
    self.selection = selection
    self.target = target
    self.property = property
    self.time = time
  }
}

/// The owner's answer to one conversion: `SelectionNotify`.
package struct SelectionNotify: Hashable, Sendable {
  package var requestor: WindowID
  package var selection: AtomName
  /// `nil` in Qt's refusals, which set no target.
  package var target: AtomName?
  /// The property that holds the data; `nil` for a refusal.
  package var property: AtomName?
  package var time: Timestamp

  package init(
    requestor: WindowID, selection: AtomName, target: AtomName? = nil, property: AtomName? = nil, time: Timestamp
  ) {
    self.requestor = requestor
    self.selection = selection
    self.target = target
    self.property = property
    self.time = time
  }
}

/// One conversion of a `MULTIPLE` request; `nil` stands for `None`.
struct ConversionPair: Hashable, Sendable {
  var target: AtomName?
  var property: AtomName?
}
