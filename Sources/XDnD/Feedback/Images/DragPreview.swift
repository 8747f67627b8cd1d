/// What is seen under the pointer during a drag: pictures of the items, how they lie together, and a badge with their number.
public struct DragPreview: Hashable, Sendable {
  /// A picture for each item, the most important first. Of many only the first few are drawn.
  public var images: [DragImage]
  /// How several pictures lie together.
  public var formation: DragFormation
  /// The number at the upper right corner.
  public var badge: DragBadge
  /// How much of what is below the pictures they cover, from 0 to 1. The badge is always opaque.
  public var opacity: Double {
    didSet { opacity = Self.opacity(opacity) }
  }
  /// Device pixels in a point: the size of the badge, of shadows and of gaps. From 0.5 to 8.
  public var scale: Double {
    didSet { scale = Self.scale(scale) }
  }
  /// The longest side of a picture in points; larger ones are shrunk to it, in proportion.
  public var maximumSize: Double {
    didSet { maximumSize = Self.size(maximumSize) }
  }
  /// Whether the pictures float above a soft shadow. It is seen with a compositor only.
  public var hasShadow: Bool
  /// Whether what is on the screen shines through: without a compositor an edge is there or is not, pixel by pixel.
  var isBlended = true

  /// A preview of these pictures. A number that makes no sense is brought into its range.
  public init(
    images: [DragImage], formation: DragFormation = .automatic, badge: DragBadge = .automatic, opacity: Double = 0.85,
    scale: Double = 1, maximumSize: Double = 400, hasShadow: Bool = true
  ) {
    self.images = images
    self.formation = formation
    self.badge = badge
    self.opacity = Self.opacity(opacity)
    self.scale = Self.scale(scale)
    self.maximumSize = Self.size(maximumSize)
    self.hasShadow = hasShadow
  }

  private static func opacity(_ value: Double) -> Double { value.isNaN ? 1 : min(max(value, 0), 1) }
  private static func scale(_ value: Double) -> Double { value.isNaN ? 1 : min(max(value, 0.5), 8) }
  private static func size(_ value: Double) -> Double { value.isNaN ? 400 : min(max(value, 16), 4096) }
}

/// How the pictures of several items lie together during a drag.
public enum DragFormation: Hashable, CaseIterable, Sendable {
  /// What suits the pictures: rows make a list, others a pile; one picture lies alone.
  case automatic
  /// As they lie on the screen, in the same places relative to one another.
  case none
  /// On top of each other, each turned a little.
  case pile
  /// On top of each other, each a little below and to the right of the one above it.
  case stack
  /// Below each other, with their left edges in line.
  case list
}

/// The number that a drag shows.
public enum DragBadge: Hashable, Sendable {
  /// The number of pictures, if there are several.
  case automatic
  /// This number, also if it is 1; above 9999 it is `9999+`, and below 1 there is no badge.
  case count(Int)
  /// No badge.
  case none
}
