/// The property `WM_CLASS` (ICCCM §4.1.2.5): two strings, each with a NUL at its end.
package enum WindowClass {
  /// The class of the program: the second string. `nil` if there is none, or if it is not UTF-8.
  package static func program(in property: [UInt8]) -> String? {
    let strings = property.split(separator: 0, omittingEmptySubsequences: false)
    return strings.count > 1 ? String(validating: strings[1], as: UTF8.self) : nil
  }
}
