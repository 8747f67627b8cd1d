/// Merges several items into one XDND offer, which has one list of types and one answer for each type.
///
/// 1. A type that can be joined represents all items that have it, in their order. Lists of URIs are concatenated. Text
///    and HTML are joined by line feeds, and only if all items have them: half of a selection would look like all of
///    it.
/// 2. Any other type is offered only if exactly one item has it: the first of three pictures is not the three pictures.
/// 3. The types are in the order of the first item, followed by the types that the second item adds, and so on.
/// 4. The operations are the ones that all items permit, or a copy if they have none in common.
extension DragItem {
  /// Merges several items into one, as they are offered to other programs.
  ///
  /// Lists of files become one list. Texts become one text if all items have text. A type that cannot be joined is
  /// offered only if exactly one item has it. The permitted operations are those that all items permit, or
  /// ``DragOperation/copy`` if they have none in common. Values and ``localContext`` are not merged, and
  /// representations for this process alone are left out.
  public init(joining items: [DragItem]) { self.init(joining: items, isWhole: true) }

  /// - Parameter isWhole: Whether text and HTML are offered only if all items have them. On a clipboard it is enough
  ///   that all items with some text have them: pasting text takes nothing away from the other items.
  init(joining items: [DragItem], isWhole: Bool) {
    guard items.count != 1 else {
      self = items[0]
      representations.removeAll { $0.visibility != .all }
      return
    }
    self.init()
    var (types, parts): ([ContentType], [AtomName: [Representation]]) = ([], [:])
    var listed: Set<AtomName> = []
    for item in items {
      var own: Set<AtomName> = []
      for representation in item.representations where representation.visibility == .all {
        let (type, name) = (representation.type, representation.type.atomName)
        if own.insert(name).inserted { parts[name, default: []].append(representation) }
        if representation.isListed, listed.insert(name).inserted { types.append(type) }
      }
    }
    let textCount = isWhole ? items.count : items.count { $0.types.contains(where: Self.isText) }
    representations = types.compactMap { Self.joined(parts[$0.atomName] ?? [], of: $0, textCount: textCount) }
    filePromises = items.flatMap(\.filePromises)
    isJoined = true
    isRestrictedToApplication = items.contains(where: \.isRestrictedToApplication)
    let common = items.dropFirst().reduce(items.first?.operations ?? []) { left, right in
      left.filter(right.operations.contains)
    }
    operations = common.isEmpty ? [.copy] : common
    for item in items { operationDescriptions.merge(item.operationDescriptions) { first, _ in first } }
  }

  /// Returns the representation of all items with a type; `nil` if the type cannot be joined.
  private static func joined(
    _ parts: [Representation], of type: ContentType, textCount: Int
  ) -> Representation? {
    let separator: [UInt8]?
    switch type {
    // Each list ends with CRLF already.
    case .uriList: separator = []
    // The type is UTF-16 in the machine's byte order.
    case .mozURL: separator = withUnsafeBytes(of: UInt16(0x0A)) { Array($0) }
    case _ where isText(type):
      guard parts.count == textCount else { return nil }
      separator = [0x0A]
    default: separator = nil
    }
    if parts.count == 1 { return parts[0] }
    return separator.map { separator in
      Representation(
        type: type, byteCount: parts.reduce(0) { $0 + $1.byteCount },
        provide: { $0.fulfill(joining: parts.map(\.provide), separator: separator) })
    }
  }

  private static func isText(_ type: ContentType) -> Bool { type == .html || texts.contains(type) }

  /// Derived once: an offer may have thousands of types.
  private static let texts = Set(ContentType.plainText.synonyms)
}

extension DataRequest {
  /// Requests content from each of several providers, and answers with the concatenated answers. The request is refused
  /// if one of them refuses.
  func fulfill(joining parts: [(DataRequest) -> Void], separator: [UInt8]) {
    var readers: [Int: any ContentReader] = [:]
    var isRefused = false
    for (index, provide) in parts.enumerated() where !isRefused {
      // The parts retain this request until the last one is answered or deallocated.
      let part = DataRequest(type: type, requestor: requestor, doorbell: doorbell) { reader in
        guard !isRefused else { return }
        guard let reader else {
          isRefused = true
          return self.refuse()
        }
        readers[index] = reader
        guard readers.count == parts.count else { return }
        self.answer(with: JoinedReader(parts.indices.compactMap { readers[$0] }, separator: separator))
      }
      provide(part)
    }
  }
}
