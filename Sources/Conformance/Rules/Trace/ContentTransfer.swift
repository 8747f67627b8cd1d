import XDnD

/// A conversion, its answer, and all changes of its property.
struct ContentTransfer {
  var number: Int
  var time: Int
  var asked: WireEvent.Conversion
  var answer: (number: Int, time: Int, conversion: WireEvent.Conversion)?
  var steps: [(number: Int, time: Int, property: WireEvent.Property)] = []

  var target: String { asked.target.orNone }
  var label: String { "#\(number) \(target)" }
  var isRefused: Bool { answer.map { $0.conversion.property == nil } ?? false }

  /// Whether it requests content, and not data about the selection or an action of its owner.
  var requestsContent: Bool { !Self.otherTargets.contains(target) }

  static let otherTargets: Set<String> = [
    "TARGETS", "TIMESTAMP", "MULTIPLE", "DELETE", "SAVE_TARGETS", "XdndDirectSave0",
  ]

  struct Content {
    var type: String
    var format: Int
    /// The beginning of the content; recordings cut long content.
    var bytes: [UInt8]
    var byteCount: Int
    var words: [UInt32]
    var isWhole: Bool { bytes.count == byteCount }
  }

  // MARK: Content that the recorder read, as the target

  /// The reads of the property after the answer.
  var reads: [WireEvent.Property] {
    steps.filter { $0.property.change == .read && $0.number > answer?.number ?? .max }.map(\.property)
  }

  var isIncremental: Bool { reads.first?.isAnnouncement ?? false }

  /// The reads of an INCR transfer. Each part may have been read in several steps.
  var parts: [WireEvent.Property] { isIncremental ? Array(reads.dropFirst()) : [] }

  var content: Content? {
    let all = isIncremental ? parts : reads
    guard let first = all.first else { return nil }
    return Content(
      type: first.type.orNone, format: first.format, bytes: all.flatMap(\.bytes),
      byteCount: all.reduce(0) { $0 + $1.byteCount }, words: all.flatMap(\.words))
  }

  // MARK: Content that the recorder sent, as the source

  private var written: [(number: Int, time: Int, property: WireEvent.Property)] {
    steps.filter { $0.property.change == .written }
  }

  private var announcement: WireEvent.Property? { written.first { $0.property.isAnnouncement }?.property }

  var isAnnounced: Bool { announcement != nil }

  var bytesAnnounced: Int { Int(announcement?.words.first ?? 0) }

  /// The written parts without the announcement. Each was written after the part before was deleted.
  var partsWritten: [WireEvent.Property] { written.map(\.property).filter { !$0.isAnnouncement } }

  /// The entry that wrote the empty last part, which shows that all content was taken.
  var lastPart: Int? { written.last { $0.property.byteCount == 0 && !$0.property.isAnnouncement }?.number }

  /// The number of bytes that the target has taken: all parts but the last written one, and that one if it was deleted.
  var bytesTaken: Int {
    let isLastTaken =
      steps.last { $0.property.change == .written || $0.property.change == .removed }?.property.change == .removed
    return partsWritten.dropLast(isLastTaken ? 0 : 1).reduce(0) { $0 + $1.byteCount }
  }
}
