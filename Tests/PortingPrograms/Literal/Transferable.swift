import Foundation
import XDnD
import XDnDFoundation

extension UTType {
  static var trip: UTType { UTType(exportedAs: "org.example.trip") }
}

struct Trip: Codable, Equatable, Transferable {
  var name: String
  var stops: [String]
  var map: URL

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .trip)
    FileRepresentation(exportedContentType: .pdf) { trip in
      SentTransferredFile(trip.map)
    }
    FileRepresentation(importedContentType: .json) { received in
      try Trip(contentsOf: received.file)
    }
    DataRepresentation(exportedContentType: .html) { trip in
      Data(trip.html.utf8)
    }
    ProxyRepresentation(exporting: \.name)
  }

  init(name: String, stops: [String], map: URL) {
    self.name = name
    self.stops = stops
    self.map = map
  }

  init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(Trip.self, from: Data(contentsOf: file))
  }

  private var html: String {
    "<h1>\(name)</h1><ul>" + stops.map { "<li>\($0)</li>" }.joined() + "</ul>"
  }
}

// MARK: The view

func show(_ trip: Trip, _ dragAndDrop: DragAndDrop, in window: WindowID) {
  dragAndDrop.draggable(trip, in: window)
}
