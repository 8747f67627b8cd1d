// A program with Foundation's values.
import Foundation
import XDnD
import XDnDFoundation

struct Note: Codable, Transferable {
  var text: String

  static var transferRepresentation: some TransferRepresentation<Note> {
    CodableRepresentation(contentType: "application/x-note")
    DataRepresentation(contentType: "text/plain", exporting: { Data($0.text.utf8) }, importing: note)
  }

  private static func note(from data: Data) -> Note {
    Note(text: String(decoding: data, as: UTF8.self))
  }
}

var item = DragItem(Note(text: "note"))
item.promise("application/x-data", data: Data([1, 2, 3]))
print(item.types.map(\.name).joined(separator: " "))
print(DragItem(files: [URL(filePath: "/a b")]).types[0], DragItem(URL(filePath: "/a b")).types[0])
