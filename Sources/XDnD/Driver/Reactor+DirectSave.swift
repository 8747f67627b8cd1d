/// What a drag offers by XDS, the Direct Save Protocol: one file that is saved where the target says.
extension Reactor {
  struct DirectSave {
    var machine: DirectSaveProvider
    /// The leaf name, in UTF-8.
    let name: [UInt8]
    /// This machine, for the places that name one.
    let hostName: String?
  }

  /// The longest place that is read, in bytes: `PATH_MAX`, each byte escaped.
  private static let placeLimit = 3 * 4096 + 512

  func run(directSave drag: DragID, _ input: DirectSaveProvider.Input) {
    guard let effects = directSaves[drag]?.machine.receive(input, at: now) else { return }
    for effect in effects { perform(effect, directSaveOf: drag) }
    releaseOffers()
  }

  private func perform(_ effect: DirectSaveProvider.Effect, directSaveOf drag: DragID) {
    guard let save = directSaves[drag] else { return }
    switch effect {
    case .publishName:
      // GDK's readers ask for this very type, and get nothing if there is a charset behind it. libfm reads a C string,
      // and takes what is behind it in memory for the rest of the name if there is no NUL.
      guard hasDragWindow(drag) else { break }
      traceDone("XdndDirectSave0 is \(Self.excerpt(save.name))")
      system.write(
        PropertyValue(type: .plainText, contents: .bytes(save.name + [0])), to: .xdndDirectSave, of: system.dragWindow)
    case .removeName: if hasDragWindow(drag) { system.delete(.xdndDirectSave, of: system.dragWindow) }
    case .readPlace(let transfer): answer([.directSave(drag, .place(place(of: save, drag), for: transfer))])
    case .save(let paths):
      traceDone("writes \(Self.excerpt(paths.first ?? []))")
      tell(.offer(drag, .saveNeeded(to: paths)))
    case .answer(let transfer, let answer):
      if answer != .refusal { tell(.offer(drag, .directSaveAnswered(transfer))) }
      // Chromium, Emacs and ROX-Filer look at one byte of this type.
      provide(transfer, answer.letter.map { BytesReader([$0], propertyType: .string) })
    case .concluded(let isSaved): answer([.source(drag, isSaved ? .savedDirectly : .directSaveFailed)])
    }
  }

  /// Whether the properties of the drag window are those of this drag: a newer one may have taken it over.
  private func hasDragWindow(_ drag: DragID) -> Bool {
    !directSaves.keys.contains { $0 > drag }
  }

  private func place(of save: DirectSave, _ drag: DragID) -> DirectSavePlace {
    guard hasDragWindow(drag) else { return .none }
    var bytes: [UInt8] = []
    let header = system.read(.xdndDirectSave, of: system.dragWindow, delete: false) { header, part in
      guard header.format == 8, header.byteCount <= Self.placeLimit else { return }
      bytes += part
    }
    traceDone("reads XdndDirectSave0: \(Self.excerpt(bytes))")
    guard let header else { return .none }
    guard header.format == 8, header.byteCount <= Self.placeLimit else { return .malformed }
    return DirectSavePlace(property: bytes, name: save.name, hostName: save.hostName)
  }
}

extension DirectSaveProvider.Answer {
  /// XDS, "The protocol"; `nil` refuses the conversion.
  fileprivate var letter: UInt8? {
    switch self {
    case .saved: UInt8(ascii: "S")
    case .fetch: UInt8(ascii: "F")
    case .error: UInt8(ascii: "E")
    case .refusal: nil
    }
  }
}
