extension Recording {
  /// Draws a sequence diagram of the drag and returns it as an SVG file. The same recording always gives the same file.
  ///
  /// The colors follow the viewer's light or dark scheme. Repeated messages share a row, which counts them.
  ///
  /// - Parameter remarks: Drawn beside their arrows, and listed below the diagram.
  package func svg(noting remarks: [Remark] = []) -> String {
    var painter = DiagramPainter(DragDiagram(self, noting: remarks), remarks)
    return painter.paint()
  }
}

/// Lays the diagram out. Text cannot be measured without fonts, so a fixed character width is assumed.
private struct DiagramPainter {
  private let diagram: DragDiagram
  private let remarks: [Remark]
  private var body: [String] = []
  private var y = 0

  private static let timeWidth = 84
  private static let laneWidth = 350
  private static let lineHeight = 15
  /// The number of small-font characters that fit between two lanes.
  private static let lineLength = 52
  private static let headHeight = 74

  init(_ diagram: DragDiagram, _ remarks: [Remark]) {
    self.diagram = diagram
    self.remarks = remarks
  }

  private var width: Int { Self.timeWidth + 100 + laneSpan + (remarks.isEmpty ? 150 : 190) }

  private var laneSpan: Int { Self.laneWidth * max(diagram.headers.count - 1, 2) }

  private func x(of lane: DragDiagram.Lane) -> Int {
    let left = Self.timeWidth + 100
    return switch lane {
    case .source: left
    case .server: left + laneSpan / 2
    case .target: left + laneSpan
    }
  }

  mutating func paint() -> String {
    y = Self.headHeight
    for row in diagram.rows {
      let top = y
      draw(row)
      note(row.remarks, from: top)
    }
    let end = y + 8
    list()
    let height = y + 24
    let lanes = diagram.headers.map { header in
      let x = x(of: header.lane)
      return """
        <line class="lane" x1="\(x)" y1="\(Self.headHeight - 16)" x2="\(x)" y2="\(end)"/>
        \(Self.text("title", header.title, x: x, y: 26))
        \(Self.text("detail middle", header.subtitle, x: x, y: 44, limit: 48))
        """
    }
    return
      ([
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img">
        <title>\(XMLText.label(title))</title>
        \(Self.style)
        <rect class="page" width="\(width)" height="\(height)"/>
        <text class="time" x="\(Self.timeWidth - 8)" y="44">ms</text>
        """
      ] + lanes + body + ["</svg>", ""]).joined(separator: "\n")
  }

  private var title: String {
    let names = [DragDiagram.Lane.source, .target].map { lane in
      diagram.headers.first { $0.lane == lane }?.subtitle ?? ""
    }
    return "Drag and drop: from \(names[0]) to \(names[1])"
  }

  private static func text(_ kind: String, _ text: String, x: Int, y: Int, limit: Int = .max) -> String {
    "<text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\">\(XMLText.label(text, limit: limit))</text>"
  }

  private mutating func draw(_ row: DragDiagram.Row) {
    switch row.shape {
    case .arrow(let from, let to): arrow(row, from: x(of: from), to: x(of: to))
    case .end(let lane):
      let x = x(of: lane)
      y += 22
      time(row)
      body.append(
        "<path class=\"cross\" d=\"M\(x - 7) \(y - 11)l14 14m0 -14l-14 14\"/>"
          + Self.text("label refusal middle", row.caption.label, x: x, y: y + 18, limit: 40))
      y += 24
    case .fold, .wait:
      let isFold = row.shape == .fold
      let middle = (x(of: .source) + x(of: .target)) / 2
      y += 24
      if isFold { time(row) }
      let kind = isFold ? (row.isRefusal ? "fold refusal" : "fold") : "wait"
      body.append(
        "<rect class=\"band\" x=\"\(x(of: .source) - 30)\" y=\"\(y - 16)\" width=\"\(laneSpan + 60)\" height=\"22\" rx=\"4\"/>"
          + Self.text("\(kind) middle", row.caption.label, x: middle, y: y, limit: 110))
      y += 10
    }
  }

  private mutating func arrow(_ row: DragDiagram.Row, from: Int, to: Int) {
    let middle = (from + to) / 2
    let length = Self.lineLength * abs(to - from) / Self.laneWidth
    let lines = row.caption.details.flatMap { XMLText.wrapped($0, at: length, lines: 3) }
    y += 22
    time(row)
    let kind = row.isRefusal ? " refusal" : ""
    body.append(Self.text("label middle\(kind)", row.caption.label, x: middle, y: y, limit: length))
    y += 6
    let way = to > from ? 1 : -1
    body.append(
      "<path class=\"arrow\(kind)\" d=\"M\(from) \(y)H\(to - 2 * way)m\(-7 * way) -4l\(7 * way) 4l\(-7 * way) 4\"/>")
    for line in lines {
      y += Self.lineHeight - 1
      body.append(Self.text("detail middle", line, x: middle, y: y))
    }
    y += 4
  }

  private mutating func note(_ remarks: [Remark], from top: Int) {
    for (index, remark) in remarks.enumerated() {
      let line = top + 22 + index * Self.lineHeight
      body.append(Self.text(Self.kind(of: remark), remark.label, x: x(of: .target) + 38, y: line, limit: 24))
      y = max(y, line + 4)
    }
  }

  private static func kind(of remark: Remark) -> String { remark.isAdvice ? "remark advice" : "remark" }

  private mutating func list() {
    guard !remarks.isEmpty else { return }
    y += 20
    for remark in remarks {
      y += Self.lineHeight + 8
      body.append(Self.text(Self.kind(of: remark), remark.label, x: 24, y: y))
      for line in XMLText.wrapped(remark.sentence, at: 2 * Self.lineLength + 16, lines: 4) {
        body.append(Self.text("note", line, x: x(of: .source), y: y))
        y += Self.lineHeight
      }
      y -= Self.lineHeight
    }
  }

  private mutating func time(_ row: DragDiagram.Row) {
    let tenths = row.time / 100
    body.append(Self.text("time", "\(tenths / 10).\(tenths % 10)", x: Self.timeWidth - 8, y: y))
  }

  // Uses no CSS variables, which only browsers support.
  private static let style = """
    <style>
    text { font-family: system-ui, "Noto Sans", "DejaVu Sans", sans-serif; paint-order: stroke; stroke-width: 4px; stroke-linejoin: round }
    .lane { stroke-width: 2 }
    .title { font-size: 15px; font-weight: 600; text-anchor: middle }
    .label { font-size: 13px }
    .detail, .time, .remark, .note { font-size: 11px }
    .remark { font-weight: 600 }
    .fold, .wait { font-size: 12px; stroke-width: 0 }
    .wait { font-style: italic }
    .time { text-anchor: end; font-variant-numeric: tabular-nums }
    .middle { text-anchor: middle }
    .arrow, .cross { fill: none; stroke-width: 1.5 }
    text { fill: #1f2328; stroke: #ffffff }
    .page { fill: #ffffff }
    .lane { stroke: #d0d7de }
    .band { fill: #f6f8fa }
    .arrow { stroke: #0969da }
    .detail, .time, .fold, .wait { fill: #656d76 }
    text.refusal, .remark { fill: #cf222e }
    .advice { fill: #9a6700 }
    .cross, path.refusal { stroke: #cf222e }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; stroke: #0d1117 }
    .page { fill: #0d1117 }
    .lane { stroke: #3d444d }
    .band { fill: #151b23 }
    .arrow { stroke: #4493f8 }
    .detail, .time, .fold, .wait { fill: #9198a1 }
    text.refusal, .remark { fill: #f85149 }
    .advice { fill: #d29922 }
    .cross, path.refusal { stroke: #f85149 }
    }
    </style>
    """
}
