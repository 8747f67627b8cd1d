package import XDnD

/// A pen on a tablet, which moves the pointer of a display. The server makes its events as those of a real one.
///
/// When a call returns, the server has processed it, and has written the events to the clients that get them.
package final class Pen: Sendable {
  /// What `XIQueryDevice` calls it.
  package static let name = "pen"

  private let device: SyntheticDevice

  init(_ device: SyntheticDevice) { self.device = device }

  /// Brings the tip near the tablet, which takes no notice of a pen that is farther away.
  ///
  /// - Parameter place: In root coordinates.
  package func approach(_ place: Point) throws {
    try device.post(.proximity, [1], at: place)
    try move(to: place)
  }

  /// Moves the tip.
  package func move(to place: Point) throws { try device.post(.motion, [1], at: place) }

  /// Puts the tip on the tablet, which is button 1.
  package func press(at place: Point) throws { try device.post(.button, [1, 1, 1], at: place) }

  /// Lifts the tip from the tablet.
  package func lift(at place: Point) throws { try device.post(.button, [1, 1, 0], at: place) }
}
