@testable import XDnD

/// A server that offers `text/plain` and `image/png`, with a clock and small limits.
struct SelectionRun {
  typealias Effect = SelectionServer.Effect

  static let requestor = WindowID(rawValue: 0x500)
  static let property = AtomName("P")
  /// The time of the requests, and of the drop.
  static let time = Timestamp(rawValue: 7)

  var machine: SelectionServer
  var now = LoopTime.zero

  init(
    _ selection: AtomName = .xdndSelection, allowsDeletion: Bool = true,
    limits: OutgoingTransfer.Limits = .init(wholeProperty: 100, part: 10, stall: .seconds(10)),
    serving: SelectionServer.ServingLimits = .init()
  ) {
    self.machine = SelectionServer(
      selection: selection, types: [AtomName("text/plain"), AtomName("image/png")],
      acquired: Timestamp(rawValue: 4242), allowsDeletion: allowsDeletion,
      limits: limits, serving: serving,
      resourceMask: 0xFF, firstID: TransferID(rawValue: 1))
  }

  mutating func callAsFunction(_ input: SelectionServer.Input) -> [Effect] { machine.receive(input, at: now) }

  mutating func request(
    _ target: String, property: String = "P", requestor: WindowID = Self.requestor,
    time: UInt32 = Self.time.rawValue
  ) -> [Effect] {
    self(.request(makeRequest(target, property: property, requestor: requestor, time: time)))
  }

  /// Sends inputs to a transfer one after the other, and returns the effects of all.
  mutating func transfer(_ number: Int, _ inputs: OutgoingTransfer.Input...) -> [Effect] {
    inputs.flatMap { self(.transfer(id(number), $0)) }
  }

  func makeRequest(
    _ target: String, property: String? = "P", requestor: WindowID = Self.requestor,
    time: UInt32 = Self.time.rawValue
  ) -> SelectionRequest {
    SelectionRequest(
      owner: WindowID(rawValue: 0x200), requestor: requestor, selection: .xdndSelection,
      target: AtomName(rawValue: target), property: property.map { AtomName(rawValue: $0) },
      time: Timestamp(rawValue: time))
  }

  func id(_ number: Int) -> TransferID { TransferID(rawValue: number) }

  func destination(
    _ target: String, property: String = "P", requestor: WindowID = Self.requestor
  ) -> SelectionServer.Destination {
    .init(requestor: requestor, property: AtomName(rawValue: property), target: AtomName(rawValue: target))
  }

  func answer(_ target: String, property: String? = "P") -> Effect {
    .notify(
      SelectionNotify(
        requestor: Self.requestor, selection: .xdndSelection, target: AtomName(rawValue: target),
        property: property.map { AtomName(rawValue: $0) }, time: Timestamp(rawValue: 7)))
  }

  func refusal(_ target: String) -> Effect { answer(target, property: nil) }
}

extension Sequence<SelectionServer.Effect> {
  /// What was said to requestors.
  var answers: [SelectionServer.Effect] { filter { if case .notify = $0 { true } else { false } } }

  /// How many conversions are begun.
  var openings: Int { count { if case .open = $0 { true } else { false } } }

  /// Watches minus unwatches.
  var watchBalance: Int {
    reduce(0) {
      switch $1 {
      case .watch: $0 + 1
      case .unwatch: $0 - 1
      default: $0
      }
    }
  }
}
