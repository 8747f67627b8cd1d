import Glibc
package import Testing

extension Trait where Self == ConditionTrait {
  /// For searches through thousands of cases, which take many seconds. The quick tests leave them out.
  package static var exhaustive: Self {
    .disabled(if: getenv("XDND_QUICK_TESTS") != nil, "an exhaustive search: not one of the quick tests")
  }
}
