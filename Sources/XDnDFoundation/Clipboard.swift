public import XDnD

extension Clipboard {
  /// Writes a text to the clipboard; `nil` removes this program's content. The counterpart of `UIPasteboard.string`.
  ///
  /// The property cannot be read: in X11, the program that has written the clipboard holds its content, and may answer
  /// late or never. Use ``string(completion:)``. A failure to write is ignored; `write(_:at:)` throws it.
  public var string: String? {
    @available(*, unavailable, message: "pasting is asynchronous: clipboard.string { text in }")
    get { nil }
    set {
      guard let newValue else { return clear() }
      try? write(DragItem(newValue))
    }
  }

  /// Loads the text of the clipboard. The counterpart of reading `UIPasteboard.string`.
  ///
  /// - Parameter completion: Called once, with the text; with `nil` if there is none, or if it does not arrive.
  ///   `load(_:limit:progress:completion:)` reports the error, and has an `async` variant.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func string(completion: @escaping (String?) -> Void) -> LoadTask {
    load(String.self) { completion(try? $0.get()) }
  }
}
