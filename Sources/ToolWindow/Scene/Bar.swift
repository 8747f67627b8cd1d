extension Scene {
  /// A question at the bottom of the window, with buttons for the answers.
  package struct Bar: Hashable, Sendable {
    /// A button, or a check box, with a shortcut key.
    package struct Button: Hashable, Sendable {
      package var label: String
      /// The shortcut key, one character; letter case is ignored. The focus keys (Tab, arrows, Return, Space) also
      /// work. Shown while typed keys go to the window.
      package var key: String
      /// Whether the button is emphasized and initially focused.
      package var isDefault: Bool
      /// Whether Escape activates the button.
      package var isCancel: Bool
      /// Whether it is a check box. It is initially off, and does not answer the question.
      package var isCheckBox: Bool

      package init(
        _ label: String, key: String, isDefault: Bool = false, isCancel: Bool = false, isCheckBox: Bool = false
      ) {
        self.label = label
        self.key = key
        self.isDefault = isDefault
        self.isCancel = isCancel
        self.isCheckBox = isCheckBox
      }
    }

    /// The question; none if empty.
    package var sentence: String
    /// The facts for the decision, one per line.
    package var details: [String]
    /// Distinguishes a question from the next one, which may have the same text.
    package var number = 0
    /// From left to right; the layout suits one to four. Check boxes come last, and are placed above the others.
    package var buttons: [Button]

    package init(_ sentence: String, details: [String] = [], buttons: [Button]) {
      self.sentence = sentence
      self.details = details
      self.buttons = buttons
    }
  }
}

struct BarLayout {
  /// Aligns the question with the texts of the rows.
  static let horizontalInset = 16.0
  static let verticalInset = 10.0
  static let sentenceHeight = 22.0
  static let detailHeight = 20.0
  static let checkBoxHeight = 26.0
  static let buttonHeight = 32.0
  static let gap = 8.0
  /// The maximum width of buttons with short labels.
  static let widest = 200.0

  let box: Box
  /// The question, in at most two lines.
  let lines: [(text: String, box: Box)]
  let details: [Box]
  let buttons: [Box]

  /// - Parameter inner: The available space. The bar takes its full width and its lower end.
  init(_ bar: Scene.Bar, in inner: Box) {
    let width = max(0, inner.width - 2 * Self.horizontalInset)
    let pushed = bar.buttons.filter { !$0.isCheckBox }
    let (count, checkCount) = (pushed.count, bar.buttons.count - pushed.count)
    let wanted = pushed.map(Self.wantedWidth).max() ?? 0
    // All buttons have the same width. If that would truncate a label, they are split into two rows, or stacked.
    func share(_ columns: Int) -> Double { (width - Double(columns - 1) * Self.gap) / Double(columns) }
    let columns = [count, (count + 1) / 2].first { $0 > 0 && share($0) >= wanted } ?? 1
    let rows = count == 0 ? 0 : (count + columns - 1) / columns
    let texts = Self.wrapped(bar.sentence, width: width)
    let detailsTop = Double(texts.count) * Self.sentenceHeight
    let checksTop = detailsTop + Double(bar.details.count) * Self.detailHeight
    let textHeight = checksTop + Double(checkCount) * Self.checkBoxHeight
    let sentenceHeight = textHeight + (textHeight > 0 && count > 0 ? Self.gap : 0)
    let buttonsHeight = Double(rows) * Self.buttonHeight + Double(max(0, rows - 1)) * Self.gap
    let height = 2 * Self.verticalInset + sentenceHeight + buttonsHeight
    box = Box(x: inner.x, y: inner.maxY - height, width: inner.width, height: height)
    let content = box.inset(dx: Self.horizontalInset, dy: Self.verticalInset)
    lines = texts.enumerated().map { index, text in
      let y = content.y + Double(index) * Self.sentenceHeight
      return (text, Box(x: content.x, y: y, width: content.width, height: Self.sentenceHeight))
    }
    details = bar.details.indices.map { index in
      let y = content.y + detailsTop + Double(index) * Self.detailHeight
      return Box(x: content.x, y: y, width: content.width, height: Self.detailHeight)
    }
    let buttonWidth = max(0, rows == 1 ? min(share(columns), max(wanted, Self.widest)) : share(columns))
    // A single row of buttons is aligned to the right, as in dialogs.
    let start = content.maxX - Double(columns) * buttonWidth - Double(columns - 1) * Self.gap
    let top = content.y + sentenceHeight
    let pushBoxes = (0..<count).map { index in
      Box(
        x: start + Double(index % columns) * (buttonWidth + Self.gap),
        y: top + Double(index / columns) * (Self.buttonHeight + Self.gap), width: buttonWidth, height: Self.buttonHeight
      )
    }
    let checkBoxes = bar.buttons[count...].enumerated().map { index, button in
      Box(
        x: content.x, y: content.y + checksTop + Double(index) * Self.checkBoxHeight,
        width: min(content.width, Self.wantedWidth(button) + Self.checkBoxHeight), height: Self.checkBoxHeight)
    }
    buttons = pushBoxes + checkBoxes
  }

  func button(at point: LogicalPoint) -> Int? { buttons.firstIndex { $0.contains(point) } }

  /// Estimates the width from the number of characters, because the layout has no fonts: generous for Latin text,
  /// sufficient for wide characters.
  private static func wantedWidth(_ button: Scene.Bar.Button) -> Double {
    width(of: button.label) + (button.key.isEmpty ? 0 : 18) + 18
  }

  private static func width(of text: some StringProtocol) -> Double {
    8 * Double(text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 ? 2 : 1) })
  }

  /// Splits a sentence at a space into at most two lines. Text that still does not fit is truncated when it is drawn.
  private static func wrapped(_ sentence: String, width: Double) -> [String] {
    guard !sentence.isEmpty else { return [] }
    guard Self.width(of: sentence) > width else { return [sentence] }
    var end: String.Index?
    for index in sentence.indices where sentence[index] == " " {
      guard Self.width(of: sentence[..<index]) <= width else { break }
      end = index
    }
    guard let end else { return [sentence] }
    return [String(sentence[..<end]), String(sentence[sentence.index(after: end)...])]
  }
}
