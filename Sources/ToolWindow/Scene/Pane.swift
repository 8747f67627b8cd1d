extension Scene {
  /// The details of a drag or a drop, below the list: a preview of the content, and facts.
  package struct Pane: Hashable, Sendable {
    package struct Fact: Hashable, Sendable {
      /// Empty if the fact continues the one above.
      package var label: String
      package var value: String
      /// Whether the fact stands out among the others.
      package var isMarked: Bool

      package init(_ label: String, _ value: String, isMarked: Bool = false) {
        self.label = label
        self.value = value
        self.isMarked = isMarked
      }
    }

    package var preview: Preview?
    /// One line each. If they do not fit, the last line gives the number of omitted ones.
    package var facts: [Fact]

    package init(preview: Preview? = nil, facts: [Fact] = []) {
      self.preview = preview
      self.facts = facts
    }
  }
}

/// Divides a space between the list and the pane below it.
struct PaneLayout {
  static let factHeight = 20.0
  /// The distance between the border of the pane and its facts.
  static let inset = 8.0
  /// The minimum height of a preview. If there is less room, the preview is left out.
  static let leastPreview = 40.0
  /// The minimum height of the list, if there is room for it: a row with two lines.
  private static let leastList = 62.0

  let list: Box
  /// The whole pane.
  let box: Box
  let preview: Box?
  let facts: Box

  /// - Parameter listHeight: The height that the list needs; 0 if it is empty. The pane then takes all of the space.
  init(_ pane: Scene.Pane, in room: Box, belowListOf listHeight: Double) {
    let factsHeight = pane.facts.isEmpty ? 0 : Double(pane.facts.count) * Self.factHeight + 2 * Self.inset
    let half = ((room.height - SceneLayout.gap) / 2).rounded()
    // A preview takes the space that the list does not need.
    let free = room.height - SceneLayout.gap - listHeight
    let wanted = pane.preview == nil ? factsHeight : max(half, factsHeight + 2 * Self.leastPreview, free)
    let most = max(half, room.height - SceneLayout.gap - Self.leastList)
    var (list, box) = (room, room)
    if listHeight == 0 {
      list.height = 0
    } else {
      box.height = max(0, min(wanted, most))
      // Without a preview, the unused space is below the pane.
      let rest = max(0, room.height - box.height - SceneLayout.gap)
      list.height = pane.preview == nil ? min(rest, listHeight) : rest
      box.y = room.y + list.height + SceneLayout.gap
    }
    self.list = list
    self.box = box
    let previewHeight = box.height - factsHeight
    var facts = box
    if pane.preview != nil, previewHeight >= Self.leastPreview {
      preview = Box(x: box.x, y: box.y, width: box.width, height: previewHeight)
      facts.y += previewHeight
      facts.height -= previewHeight
    } else {
      preview = nil
    }
    self.facts = facts
  }
}

extension Scene {
  /// A preview of dropped content.
  package enum Preview: Hashable, Sendable {
    /// Lines of text; text that does not fit is cut off.
    case text(String)
    /// Lines of text; lines that do not fit are cut off at the top.
    case output(String)
    /// Styled text in a proportional font; text that does not fit is cut off.
    case styled([TextRun])
    /// A picture, scaled down to fit. Transparent areas show a checkerboard.
    case picture(Picture)
    /// A color and its name. Components are from 0 to 1, not premultiplied.
    case color(red: Double, green: Double, blue: Double, alpha: Double, name: String)
  }
}
