import XDnDX11

/// Performs actions as a tamper hook or a scripted client has written them, without ``WireTap``.
package struct LiteralActions {
  private let messages: Messages
  private let selections: ServerSelections
  private let properties: Properties

  /// - Parameter properties: Properties without a tap.
  package init(messages: Messages, selections: ServerSelections, properties: Properties) {
    self.messages = messages
    self.selections = selections
    self.properties = properties
  }

  package func perform(_ action: WireEvent.Action) {
    switch action {
    case .message(let message):
      messages.put(message.type, message.words, to: message.window, via: message.destination ?? message.window)
    case .conversion(let conversion): selections.put(conversion)
    case .converted(let conversion): messages.put(conversion)
    case .owner(let selection, let owner, let time): selections.put(owner, of: selection, at: time)
    case .property(let property): perform(property)
    case .vanished: break
    }
  }

  private func perform(_ property: WireEvent.Property) {
    switch property.change {
    case .deleted: properties.delete(property.name, of: property.window)
    case .written:
      guard let type = property.type, let unit = PropertyUnit(rawValue: property.format) else { break }
      properties.write(
        PropertyValue(type: type, contents: .units(property.bytes[...], of: unit)), to: property.name,
        of: property.window)
    case .read, .changed, .removed: break
    }
  }
}
