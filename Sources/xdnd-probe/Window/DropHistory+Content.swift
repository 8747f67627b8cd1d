import ToolSupport
import ToolWindow
import XDnD

extension DropHistory.Part {
  /// Returns the parts of one representation: one per file of a list, up to ``DropHistory/mostParts``, or else a
  /// single part.
  ///
  /// - Parameter isKept: Whether the parts can be dragged out again.
  static func all(of received: ReceivedContent, isKept: Bool) -> [DropHistory.Part] {
    let content = received.decoded
    let size = Humane.size(received.count)
    if let files = content?.files {
      return files.prefix(DropHistory.mostParts).map { file in
        let size = file.size.map(Humane.size)
        return DropHistory.Part(
          title: file.visibleName ?? Humane.visible(file.uri),
          details: [size, file.visibleDirectory].compactMap(\.self).joined(separator: ", "), content: .files([file]),
          item: isKept ? DragItem(FileList(uris: [file.uri])) : nil)
      }
    }
    var part = DropHistory.Part(
      title: content?.preview ?? Humane.visible(received.requested.name),
      details: content?.preview == nil ? size : "\(Humane.visible(received.requested.name)), \(size)",
      type: received.requested,
      content: content)
    if received.requested.type == "image" { part.picture = received.bytes }
    if isKept, let bytes = received.bytes {
      if case .text(let text) = content, PlainText.reads(received.requested) {
        part.item = DragItem(text)
      } else {
        var item = DragItem()
        item.promise(received.requested, bytes: bytes)
        part.item = item
      }
    }
    if part.picture != nil || part.item != nil { part.heldBytes = received.bytes?.count ?? 0 }
    return [part]
  }
}
