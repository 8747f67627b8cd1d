extension DropOffer {
  /// Creates an offer that accepts all types from which a value can be imported, in their order of fidelity. The
  /// counterpart of `UIPasteConfiguration(forAccepting:)`.
  ///
  /// - Parameters:
  ///   - type: The type of the values to load from the drop.
  ///   - operations: The supported operations, preferred ones first; `nil` for the default of ``DropOffer/operations``.
  public init<Value: Transferable>(for type: Value.Type, operations: [DragOperation]? = nil) {
    self.init(Value.transferForms.imports.map(\.type), operations: operations)
  }
}
