import CX11

/// Performs actions as a tamper hook has written them, without ``WireTap``.
struct LiteralActions {
  let messages: Messages
  let selections: ServerSelections
  /// Without a tap.
  let properties: Properties

  func perform(_ action: WireEvent.Action) {
    switch action {
    case .message(let message):
      messages.put(message.type, message.words, to: message.window, via: message.destination ?? message.window)
    case .conversion(let conversion): selections.put(conversion)
    case .converted(let conversion):
      messages.put(
        SelectionNotify(
          requestor: conversion.requestor, selection: conversion.selection, target: conversion.target,
          property: conversion.property, time: conversion.time))
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
