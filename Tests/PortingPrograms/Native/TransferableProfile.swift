import XDnD

struct Profile: Equatable, Transferable {
  struct Unreadable: Error {}

  var name: String
  var portrait: [UInt8]

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: "application/x-profile") {
      Array($0.name.utf8) + [0] + $0.portrait
    } importing: {
      let parts = $0.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw Unreadable() }
      return Profile(name: String(decoding: parts[0], as: UTF8.self), portrait: Array(parts[1]))
    }
    .visibility(.ownProcess)
    DataRepresentation(exportedContentType: .png) { $0.portrait }
      .exportingCondition { !$0.portrait.isEmpty }
      .suggestedFileName { "\($0.name).png" }
    ProxyRepresentation(exporting: \.name)
  }
}
