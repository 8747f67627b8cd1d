/// Runs the source's half of direct saves (XDS, the Direct Save Protocol): a drag offers one file, and the application
/// writes it where the target asks.
final class DirectSaveOffers {
  /// The file that a drag offers.
  struct File {
    /// See ``DirectSaveProvider/patience``.
    let patience: Duration
    /// The leaf name, in UTF-8.
    let name: [UInt8]
    /// The name of this machine, for URIs that name a host.
    let hostName: String?
  }

  private struct Offer {
    var machine: DirectSaveProvider {
      didSet { alarm.time = machine.nextDeadline }
    }
    let alarm: Alarm
    let file: File
  }

  /// The longest URI that is read, in bytes: `PATH_MAX` with each byte escaped.
  private static let placeLimit = 3 * 4096 + 512

  private let context: DriverContext
  private let content: OutgoingContent
  private var offers: [DragID: Offer] = [:]

  init(_ context: DriverContext, content: OutgoingContent) {
    self.context = context
    self.content = content
  }

  var isSaving: Bool { offers.values.contains(where: \.machine.isSaving) }

  /// Whether a drag offers a file.
  func offersFile(_ drag: DragID) -> Bool { offers[drag] != nil }

  /// Whether the drag's target may still ask for the file, or it is being written.
  func isNeeded(_ drag: DragID) -> Bool { offers[drag]?.machine.isNeeded ?? false }

  /// Sets or removes the file that a drag offers.
  func offer(_ file: File?, by drag: DragID) {
    offers[drag] = file.map {
      Offer(
        machine: DirectSaveProvider(patience: $0.patience),
        alarm: context.alarms.alarm { [unowned self] in context.answer([.directSave(drag, .deadlineReached)]) },
        file: $0)
    }
  }

  func receive(_ input: DirectSaveProvider.Input, for drag: DragID) {
    guard let effects = offers[drag]?.machine.receive(input, at: context.now) else { return }
    for effect in effects { perform(effect, of: drag) }
  }

  private func perform(_ effect: DirectSaveProvider.Effect, of drag: DragID) {
    guard let file = offers[drag]?.file else { return }
    switch effect {
    case .publishName:
      guard hasDragWindow(drag) else { break }
      context.exchange.did("XdndDirectSave0 is \(ExchangeTrace.excerpt(file.name))")
      // GDK's readers ask for exactly this type, without a charset. libfm reads a C string: without the NUL it reads on
      // into the memory behind the name.
      context.system.write(
        PropertyValue(type: .plainText, contents: .bytes(file.name + [0])), to: .xdndDirectSave,
        of: context.system.dragWindow)
    case .removeName:
      if hasDragWindow(drag) { context.system.delete(.xdndDirectSave, of: context.system.dragWindow) }
    case .readPlace(let transfer):
      context.answer([.directSave(drag, .place(place(of: file, drag), for: transfer))])
    case .save(let paths):
      context.exchange.did("writes \(ExchangeTrace.excerpt(paths.first ?? []))")
      context.tell(.offer(drag, .saveNeeded(to: paths)))
    case .answer(let transfer, let answer):
      // The transfer of a destroyed requestor has ended already.
      if answer != .refusal, content.awaitsReader(for: transfer) {
        context.tell(.offer(drag, .directSaveAnswered(transfer)))
      }
      // Chromium, Emacs and ROX-Filer read one byte of this type.
      content.provide(transfer, answer.letter.map { BytesReader([$0], propertyType: .string) })
    case .extend(let transfer): context.answer([.offer(drag, .transfer(transfer, .providing))])
    case .concluded(let isSaved): context.answer([.source(drag, isSaved ? .savedDirectly : .directSaveFailed)])
    }
  }

  /// Whether the property on the drag window is this drag's, and not a newer one's.
  private func hasDragWindow(_ drag: DragID) -> Bool { !offers.keys.contains { $0 > drag } }

  /// Reads the URI that the target has written in place of the name.
  private func place(of file: File, _ drag: DragID) -> DirectSavePlace {
    guard hasDragWindow(drag) else { return .none }
    var bytes: [UInt8] = []
    let header = context.system.read(.xdndDirectSave, of: context.system.dragWindow, delete: false) { header, part in
      guard header.format == 8, header.byteCount <= Self.placeLimit else { return }
      bytes += part
    }
    context.exchange.did("reads XdndDirectSave0: \(ExchangeTrace.excerpt(bytes))")
    guard let header else { return .none }
    guard header.format == 8, header.byteCount <= Self.placeLimit else { return .malformed }
    return DirectSavePlace(property: bytes, name: file.name, hostName: file.hostName)
  }
}

extension DirectSaveProvider.Answer {
  /// The letter of XDS, "The protocol"; `nil` refuses the conversion.
  fileprivate var letter: UInt8? {
    switch self {
    case .saved: UInt8(ascii: "S")
    case .fetch: UInt8(ascii: "F")
    case .error: UInt8(ascii: "E")
    case .refusal: nil
    }
  }
}
