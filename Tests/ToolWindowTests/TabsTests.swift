import Testing

@testable import XDnDToolWindow

@Suite struct TabsTests {
  private func layout(rows: Int = 40, tabs: [String] = ["One", "Two"], height: Double = 300) -> SceneLayout {
    var scene = Scene(rows: (0..<rows).map { Scene.Row("\($0)") }, density: .compact)
    scene.tabs = Scene.Tabs(tabs, selected: 0)
    return SceneLayout(scene, width: 300, height: height)
  }

  @Test func `tabs lie side by side above the list, and are equally wide`() throws {
    let layout = layout()
    let tabs = try #require(layout.tabs)
    #expect(tabs.tabs.count == 2)
    #expect(tabs.tabs[0].maxX == tabs.tabs[1].x && tabs.tabs[0].width == tabs.tabs[1].width)
    #expect(tabs.box.maxY < layout.list.y)
    for (index, tab) in tabs.tabs.enumerated() {
      #expect(tabs.tab(at: LogicalPoint(x: tab.x, y: tab.y)) == index)
      #expect(tabs.tab(at: LogicalPoint(x: tab.maxX - 0.5, y: tab.maxY - 0.5)) == index)
    }
    #expect(tabs.tab(at: LogicalPoint(x: 150, y: layout.list.midY)) == nil)
  }

  @Test func `a scene without tabs is as it was`() {
    let scene = Scene(rows: [Scene.Row("x")])
    #expect(SceneLayout(scene, width: 300, height: 300).list.y == SceneLayout.padding)
  }

  @Test func `the room of the list ends where the window does, however few rows there are`() {
    for rows in [0, 1, 40] {
      let layout = layout(rows: rows)
      #expect(layout.view.maxY == 288)
      #expect(layout.view.y == layout.list.y && layout.view.height >= layout.list.height)
      #expect(layout.box(of: .list) == layout.view)
    }
  }

  @Test func `parts that are not there are the window`() {
    #expect(layout().box(of: .tab(7)) == layout().window)
    #expect(SceneLayout(Scene(), width: 10, height: 10).box(of: .tab(0)) == Box(x: 0, y: 0, width: 10, height: 10))
  }

  @Test func `no size of the window makes anything negative`() throws {
    for height in stride(from: 0.0, to: 80, by: 3) {
      let layout = layout(height: height)
      #expect(layout.view.height >= 0 && layout.list.height >= 0)
      #expect(try #require(layout.tabs).tabs.allSatisfy { $0.height >= 0 })
    }
  }
}
