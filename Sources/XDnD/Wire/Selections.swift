/// A peer asks the owner of a selection for a conversion: `SelectionRequest`.
struct SelectionRequest: Hashable, Sendable {
  var owner: WindowID
  var requestor: WindowID
  var selection: AtomName
  var target: AtomName
  /// `nil` from clients older than ICCCM; the reply then goes to the property named like the target.
  var property: AtomName?
  var time: Timestamp
}

/// The owner's answer to one conversion: `SelectionNotify`.
struct SelectionNotify: Hashable, Sendable {
  var requestor: WindowID
  var selection: AtomName
  /// `nil` in refusals of Qt, which leave it out.
  var target: AtomName?
  /// Where the data is; `nil` is a refusal.
  var property: AtomName?
  var time: Timestamp
}

/// One conversion of a `MULTIPLE` request; `nil` stands for `None`.
struct ConversionPair: Hashable, Sendable {
  var target: AtomName?
  var property: AtomName?
}
