/// The drag image: images of the items, their formation, and a badge with their number.
///
/// The counterparts are UIKit's `UIDragPreview`, and AppKit's dragging items and `draggingFormation`.
public struct DragPreview: Hashable, Sendable {
  /// An image for each item, the most important first. Of many, only a few are drawn. An empty bitmap stands for an
  /// item without an image.
  public var images: [DragImage]
  /// The arrangement of several images.
  public var formation: DragFormation
  /// The badge at the upper-right corner of the front image, or of the top row of a list.
  public var badge: DragBadge
  /// The opacity of the images, from 0 to 1. The badge is always opaque.
  package var opacity: Double {
    didSet { opacity = Self.opacity(opacity) }
  }
  /// Device pixels per point, from 0.5 to 8. It determines the size of the badge, the shadows and the gaps.
  package var scale: Double {
    didSet { scale = Self.scale(scale) }
  }
  /// The maximum length of an image's longer side, in points, from 16 to 4096, but at most 2048 pixels. Larger images
  /// are scaled down in proportion.
  package var maximumSize: Double {
    didSet { maximumSize = Self.size(maximumSize) }
  }
  /// Whether the images have a soft shadow. It is shown only with a compositing manager.
  package var hasShadow: Bool
  /// Whether a compositing manager blends the image. Without one, each pixel is either opaque or missing.
  var isBlended = true
  /// Whether the images are above the pointer, because a finger would cover them.
  var isAboveFinger = false

  /// Creates a preview. Numbers out of range are clamped.
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

/// The arrangement of the images of several items. AppKit's counterpart is `NSDraggingFormation`.
public enum DragFormation: Hashable, CaseIterable, Sendable {
  /// A list if there are at most four images, each at least three times as wide as high, as rows are; otherwise a pile,
  /// which covers less of its target. A single image stays as it is.
  case automatic
  /// Each image keeps its place relative to the others on the screen.
  case none
  /// On top of each other, each rotated a little. Five are visible. Up to sixteen fly in from their
  /// own places when the drag begins, and back when it fails.
  case pile
  /// On top of each other, each offset to the lower right of the one above it. Four are visible. Up to sixteen fly
  /// in from their own places when the drag begins, and back when it fails.
  case stack
  /// Below each other, aligned at the left. At most eight are visible; if there are more below, the last ones fade.
  case list
}

/// The badge that shows the number of items. AppKit's counterpart is `NSDraggingInfo.numberOfValidItemsForDrop`.
public enum DragBadge: Hashable, Sendable {
  /// The number of images, if there are several.
  case automatic
  /// This number, even 1. Above 999,999 the badge shows `999,999+`; below 1 there is no badge.
  case count(Int)
  /// No badge.
  case none
}
