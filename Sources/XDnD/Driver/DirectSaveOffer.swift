/// The source's half of a direct save (XDS, the Direct Save Protocol): a drag offers one file, and the application
/// writes it where the target asks.
final class DirectSaveOffer {
  /// The file that a drag offers.
  struct File {
    /// See ``DirectSaveProvider/patience``.
    let patience: Duration
    /// The leaf name, in UTF-8.
    let name: [UInt8]
    /// The name of this machine, for URIs that name a host.
    let hostName: String?
  }

  /// The longest URI that is read, in bytes: `PATH_MAX` with each byte escaped.
  private static let placeLimit = 3 * 4096 + 512

  private var machine: DirectSaveProvider {
    didSet { alarm.time = machine.nextDeadline }
  }
  private let inbox = Inbox<DirectSaveProvider.Input>()
  private lazy var alarm = context.alarms.alarm { [unowned self] in receive(.deadlineReached) }
  private let file: File
  private unowned let offer: Offer
  private let context: DriverContext

  init(_ file: File, of offer: Offer, _ context: DriverContext) {
    self.file = file
    self.offer = offer
    self.context = context
    machine = DirectSaveProvider(patience: file.patience)
  }

  var isSaving: Bool { machine.isSaving }

  /// Whether the drag's target may still ask for the file, or the file is being written.
  var isNeeded: Bool { machine.isNeeded }

  func receive(_ input: DirectSaveProvider.Input) {
    inbox.process(input) { input in
      for effect in machine.receive(input, at: context.now) { perform(effect) }
    }
  }

  private func perform(_ effect: DirectSaveProvider.Effect) {
    let system = context.system
    switch effect {
    case .publishName:
      guard !offer.isFileReplaced else { break }
      context.exchange.did("XdndDirectSave0 is \(ExchangeTrace.excerpt(file.name))")
      // GDK's readers ask for exactly this type, without a charset. libfm reads a C string: without the NUL it reads on
      // into the memory behind the name.
      system.write(
        PropertyValue(type: .plainText, contents: .bytes(file.name + [0])), to: .xdndDirectSave,
        of: system.dragWindow)
    case .removeName: if !offer.isFileReplaced { system.delete(.xdndDirectSave, of: system.dragWindow) }
    case .readPlace(let transfer): receive(.place(place, for: transfer))
    case .save(let paths):
      context.exchange.did("writes \(ExchangeTrace.excerpt(paths.first ?? []))")
      offer.tell(.saveNeeded(to: paths))
    case .answer(let transfer, let answer):
      // Chromium, Emacs and ROX-Filer read one byte of this type.
      offer.provide(transfer, answer.letter.map { BytesReader([$0], propertyType: .string) })
    case .extend(let transfer): offer.receive(.transfer(transfer, .providing))
    case .concluded(let isSaved): offer.drag?.receive(isSaved ? .savedDirectly : .directSaveFailed)
    }
  }

  /// The place that the property names, once the target has replaced the file name by a URI.
  private var place: DirectSavePlace {
    guard !offer.isFileReplaced else { return .none }
    let value = context.system.value(of: .xdndDirectSave, on: context.system.dragWindow)
    let uri = value.flatMap { $0.header.format == 8 && $0.header.byteCount <= Self.placeLimit ? $0.bytes : nil }
    context.exchange.did("reads XdndDirectSave0: \(ExchangeTrace.excerpt(uri ?? []))")
    guard value != nil else { return .none }
    guard let uri else { return .malformed }
    return DirectSavePlace(property: uri, name: file.name, hostName: file.hostName)
  }
}

extension DirectSaveProvider.Answer {
  /// The answer's letter (XDS, "The protocol"); `nil` refuses the conversion.
  fileprivate var letter: UInt8? {
    switch self {
    case .saved: UInt8(ascii: "S")
    case .fetch: UInt8(ascii: "F")
    case .error: UInt8(ascii: "E")
    case .refusal: nil
    }
  }
}
