import Foundation
import Observation
import XDnD
import XDnDFoundation

@Observable
final class Tray {
  private(set) var texts: [String]
  private(set) var pictures: [Data] = []

  init(_ texts: [String]) {
    self.texts = texts
  }

  func itemProvider() -> NSItemProvider {
    NSItemProvider(object: texts.joined(separator: "\n") as NSString)
  }

  func load(_ providers: [NSItemProvider]) -> Bool {
    for provider in providers {
      if provider.canLoadObject(ofClass: String.self) {
        _ = provider.loadObject(ofClass: String.self) { text, error in
          if let text {
            self.add(text)
          } else if let error {
            self.report(error)
          }
        }
      } else {
        _ = provider.loadDataRepresentation(for: .image) { picture, error in
          if let picture {
            self.add(picture)
          } else if let error {
            self.report(error)
          }
        }
      }
    }
    return !providers.isEmpty
  }

  private func add(_ text: String) {
    texts.append(text)
  }

  private func add(_ picture: Data) {
    pictures.append(picture)
  }

  private func report(_ error: any Error) {
    print("The tray cannot load an item: \(error)")
  }
}

// MARK: The view

func show(_ tray: Tray, _ dragAndDrop: DragAndDrop, in window: WindowID) {
  dragAndDrop.onDrag(in: window) { tray.itemProvider() }
  dragAndDrop.onDrop(of: [.text, .image], isTargeted: nil, in: window) { providers in tray.load(providers) }
}
