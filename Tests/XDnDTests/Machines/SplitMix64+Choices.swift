import FuzzRuns
import TestSupport

extension SplitMix64: Choices {
  package var isOver: Bool { false }
}
