/// A peer's request to convert a selection: `SelectionRequest`.
struct SelectionRequest: Hashable, Sendable {
  var owner: WindowID
  var requestor: WindowID
  var selection: AtomName
  var target: AtomName
  /// `nil` from clients older than the ICCCM; the reply then goes to a property named like the target (ICCCM §2.2).
  var property: AtomName?
  var time: Timestamp
}

/// The owner's answer to one conversion: `SelectionNotify`.
struct SelectionNotify: Hashable, Sendable {
  var requestor: WindowID
  var selection: AtomName
  /// `nil` in Qt's refusals, which set no target.
  var target: AtomName?
  /// The property that holds the data; `nil` for a refusal.
  var property: AtomName?
  var time: Timestamp
}

/// One conversion of a `MULTIPLE` request; `nil` stands for `None`.
struct ConversionPair: Hashable, Sendable {
  var target: AtomName?
  var property: AtomName?
}
