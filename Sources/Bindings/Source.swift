// xdnd.h documents the functions of the interface.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import XDnD
public import XDnDInterface

/// A draggable window: asks the host for the items of a press.
final class Source: DragInteractionDelegate {
  private weak var context: Context?
  private let window: WindowID
  private let source: xdnd_drag_source
  private let user: UnsafeMutableRawPointer?
  /// The drag whose items were returned, and that has not begun.
  private var next: Drag?
  private(set) lazy var interaction = DragInteraction(driver, delegate: self)
  private unowned let driver: DragAndDrop

  init(_ window: WindowID, _ source: xdnd_drag_source, _ user: UnsafeMutableRawPointer?, of context: Context) {
    self.window = window
    self.source = source
    self.user = user
    self.context = context
    driver = context.driver
  }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    guard let context, context.isOpen else { return [] }
    var options = xdnd_drag_options()
    options.size = MemoryLayout<xdnd_drag_options>.size
    let (x, y) = (CInt(clamping: press.location.x), CInt(clamping: press.location.y))
    guard source(window.rawValue, x, y, &options, user) else { return [] }
    // Deallocation calls `destroyed`.
    let drag = Drag(options, of: context)
    guard context.isOpen, let items = try? Item.all(options.items, options.item_count), !items.isEmpty else {
      drag.endHandle()
      return []
    }
    next?.endHandle()
    next = drag
    return items
  }

  func dragInteraction(_ interaction: DragInteraction, began drag: DragSession) {
    guard let next else { return }
    self.next = nil
    next.follow(drag)
    drag.delegate = next
  }
}

@c @implementation
public func xdnd_on_drag(
  _ context: OpaquePointer?, _ window: xdnd_window, _ source: xdnd_drag_source?, _ user: UnsafeMutableRawPointer?
) -> xdnd_result {
  result { () throws(Failure) in
    let context = try Context.find(context)
    guard window != 0 else { throw .argument("there is no window 0") }
    let id = WindowID(rawValue: window)
    context.observe(id, for: source.map { Source(id, $0, user, of: context) })
  }
}
