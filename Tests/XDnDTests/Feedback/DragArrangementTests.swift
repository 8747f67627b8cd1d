import TestSupport
import Testing

@testable import XDnD

@Suite(.computing) struct `How the pictures of a drag lie together` {
  static func card(_ width: Int, _ height: Int, _ pixel: UInt32 = 0xFF33_6699) -> Bitmap {
    var bitmap = Bitmap(width: width, height: height)
    for index in bitmap.pixels.indices { bitmap.pixels[index] = pixel }
    return bitmap
  }

  private static let pointer = Point(x: 500, y: 400)

  private static func arranged(_ preview: DragPreview) -> DragArrangement { DragArrangement(preview, pointer: pointer) }

  @Test func `one picture without a badge is drawn as it is, with its hotspot at the pointer`() {
    let image = DragImage(Self.card(30, 20), hotspot: Point(x: 7, y: 3))
    let arrangement = Self.arranged(DragPreview(images: [image], opacity: 1, hasShadow: false))
    let picture = arrangement.picture(of: arrangement.resting)
    #expect(picture.bitmap == image.bitmap)
    #expect(picture.offset == Point(x: -7, y: -3))
  }

  @Test(arguments: [1.0, 2.0], DragFormation.allCases)
  func `a finger covers none of the pictures`(scale: Double, formation: DragFormation) {
    let images = [(30, 20), (60, 90), (48, 48)].map {
      DragImage(Self.card($0.0, $0.1), hotspot: Point(x: 7, y: 3), origin: Rect(x: 480, y: 390, width: 30, height: 20))
    }
    var preview = DragPreview(images: images, formation: formation, opacity: 1, scale: scale, hasShadow: false)
    preview.isAboveFinger = true
    let arrangement = Self.arranged(preview)
    let picture = arrangement.picture(of: arrangement.resting)
    let gap = -(picture.offset.y + picture.bitmap.height)
    #expect(gap >= Int(20 * scale) && gap <= Int(30 * scale))
  }

  @Test func `without a hotspot a picture is held where it is grasped, else in its middle`() {
    var image = DragImage(Self.card(30, 20), origin: Rect(x: 490, y: 395, width: 30, height: 20))
    let plain = DragPreview(images: [image], hasShadow: false)
    let grasped = Self.arranged(plain)
    #expect(grasped.picture(of: grasped.resting).offset == Point(x: -10, y: -5))
    image.origin = Rect(x: 0, y: 0, width: 30, height: 20)
    let elsewhere = Self.arranged(DragPreview(images: [image], hasShadow: false))
    #expect(elsewhere.picture(of: elsewhere.resting).offset == Point(x: -15, y: -10))
  }

  @Test func `a shadow changes nothing about where a picture lies`() {
    let image = DragImage(Self.card(31, 20), hotspot: Point(x: 7, y: 3))
    let arrangement = Self.arranged(DragPreview(images: [image], opacity: 1))
    let picture = arrangement.picture(of: arrangement.resting)
    #expect(picture.bitmap[-picture.offset.x - 7, -picture.offset.y - 3] == 0xFF33_6699)
    #expect(picture.bitmap[-picture.offset.x - 8, -picture.offset.y - 3] >> 24 < 255)
  }

  @Test func `where nothing shines through there is no shadow, and nothing is turned`() {
    let icons = Array(repeating: DragImage(Self.card(48, 48)), count: 3)
    var preview = DragPreview(images: icons)
    preview.isBlended = false
    let arrangement = Self.arranged(preview)
    #expect(arrangement.formation == .stack)
    #expect(arrangement.resting.layers.allSatisfy { $0.rotation == .none })
    #expect(arrangement.pictures.prefix(3).allSatisfy { $0 == icons[0].bitmap })
  }

  @Test func `up to four rows become a list, more of them and other pictures a pile`() {
    let rows = Array(repeating: DragImage(Self.card(200, 24)), count: 3)
    let icons = Array(repeating: DragImage(Self.card(48, 48)), count: 3)
    #expect(Self.arranged(DragPreview(images: rows)).formation == .list)
    #expect(Self.arranged(DragPreview(images: rows + rows.prefix(1))).formation == .list)
    #expect(Self.arranged(DragPreview(images: rows + rows.prefix(2))).formation == .pile)
    #expect(Self.arranged(DragPreview(images: icons)).formation == .pile)
    #expect(Self.arranged(DragPreview(images: rows + icons)).formation == .pile)
    #expect(Self.arranged(DragPreview(images: [rows[0]], formation: .pile)).formation == .none)
  }

  @Test func `rows of a list lie below each other, with the one that was grasped under the pointer`() {
    let rows = (0..<4).map {
      DragImage(Self.card(200, 24), origin: Rect(x: 450, y: 300 + 40 * $0, width: 200, height: 24))
    }
    let arrangement = Self.arranged(DragPreview(images: rows, hasShadow: false))
    let layers = arrangement.resting.layers
    #expect(arrangement.items == [0, 1, 2, 3])
    for (layer, next) in zip(layers, layers.dropFirst()) {
      #expect(next.center - layer.center == Vector(0, 27))
    }
    // The pointer is 50 pixels from the left of the third row and 20 from its top.
    #expect(layers[2].center == Vector(50, -8))
  }

  @Test func `what was grasped lies in front of a pile`() {
    var images = Array(repeating: DragImage(Self.card(48, 48)), count: 9)
    images[6].origin = Rect(x: 490, y: 390, width: 48, height: 48)
    let arrangement = Self.arranged(DragPreview(images: images))
    #expect(arrangement.items.last == 6)
    #expect(arrangement.resting.layers.last?.rotation == Rotation.none)
    #expect(arrangement.resting.layers.dropLast().allSatisfy { $0.rotation != Rotation.none })
  }

  @Test func `what is grasped beside all pictures lies in front if it is the nearest`() {
    let images = (0..<6).map {
      DragImage(Self.card(60, 52), origin: Rect(x: 20, y: 300 + 54 * $0, width: 60, height: 52))
    }
    let arrangement = Self.arranged(DragPreview(images: images, formation: .pile))
    // The second one is level with the pointer.
    #expect(arrangement.items.last == 1)
    let unplaced = images.map { DragImage($0.bitmap) }
    #expect(Self.arranged(DragPreview(images: unplaced, formation: .pile)).items.last == 0)
  }

  @Test func `what is too deep in a pile to be seen is drawn only if it has a place to come from`() {
    for (formation, seen) in [(DragFormation.pile, 5), (.stack, 4)] {
      let images = (0..<40).map { DragImage(Self.card(60, 52), origin: Rect(x: 20, y: 54 * $0, width: 60, height: 52)) }
      let placed = Self.arranged(DragPreview(images: images, formation: formation))
      #expect(placed.items.count == 16 && placed.unseenCount == 16 - seen)
      #expect(placed.resting.layers.suffix(seen).allSatisfy { $0.opacity == 1 })
      let unplaced = Self.arranged(
        DragPreview(images: images.map { DragImage($0.bitmap) }, formation: formation))
      #expect(unplaced.items.count == seen && unplaced.unseenCount == 0)
      #expect(
        placed.picture(of: placed.resting).bitmap.size == unplaced.picture(of: unplaced.resting).bitmap.size)
    }
  }

  @Test func `the badge of a list is at the corner of its first row, not beside it`() throws {
    let rows = [60, 200, 120].map { DragImage(Self.card($0, 20)) }
    let arrangement = Self.arranged(DragPreview(images: rows, formation: .list))
    let corner = arrangement.resting.layers[0].center + Vector(30, -10)
    let badge = try #require(arrangement.resting.badge)
    #expect((badge.center - corner).length < 10)
  }

  @Test func `of many items a few are drawn, and the badge has the number of all`() throws {
    for formation in DragFormation.allCases {
      let images = Array(repeating: DragImage(Self.card(120, 30)), count: 120)
      let arrangement = Self.arranged(DragPreview(images: images, formation: formation))
      #expect(arrangement.pictures.count <= 32)
      #expect(arrangement.badge == BadgeDrawing(count: 120, scale: 1)?.bitmap)
      let picture = arrangement.picture(of: arrangement.resting)
      #expect(picture.bitmap.width < 220 && picture.bitmap.height < 320, "\(formation)")
    }
  }

  @Test func `the last rows of a list fade if there are more of them`() {
    func opacities(_ count: Int) -> [Double] {
      let images = Array(repeating: DragImage(Self.card(120, 20)), count: count)
      return Self.arranged(DragPreview(images: images, formation: .list)).resting.layers.map(\.opacity)
    }
    #expect(opacities(8) == Array(repeating: 1, count: 8))
    #expect(opacities(9) == [1, 1, 1, 1, 1, 0.75, 0.5, 0.25])
  }

  @Test func `without a formation items keep their places`() {
    let images = [(480, 390), (560, 300), (10, 20)].map {
      DragImage(Self.card(40, 40), origin: Rect(x: $0.0, y: $0.1, width: 40, height: 40))
    }
    let arrangement = Self.arranged(DragPreview(images: images, formation: .none))
    for (layer, item) in zip(arrangement.resting.layers, arrangement.items) {
      #expect(layer.center == images[item].origin.map { $0.center - Vector(Self.pointer) })
    }
  }

  @Test func `what lies behind another does not shine through it`() {
    let images = [0xFF00_0000, 0xFFFF_FFFF].map { DragImage(Self.card(50, 50, $0)) }
    let arrangement = Self.arranged(DragPreview(images: images, formation: .pile, opacity: 0.5, hasShadow: false))
    let picture = arrangement.picture(of: arrangement.resting)
    #expect(picture.bitmap[-picture.offset.x, -picture.offset.y] == 0x8000_0000)
  }

  @Test func `a badge is whole and opaque, and its right end stays when the number grows`() throws {
    let images = Array(repeating: DragImage(Self.card(60, 60)), count: 2)
    var arrangement = Self.arranged(DragPreview(images: images, opacity: 0.3))
    var ends: Set<Double> = []
    for count in [1, 22, 120, 9999, 123_456] {
      arrangement.setBadge(.count(count))
      let drawing = try #require(BadgeDrawing(count: count, scale: 1))
      let layer = try #require(arrangement.resting.badge)
      ends.insert(layer.center.x + drawing.bitmap.size.x / 2)
      let picture = arrangement.picture(of: arrangement.resting)
      let corner = (layer.center - drawing.bitmap.size / 2).rounded
      let origin = Point(
        x: corner.x - picture.offset.x + drawing.frame.origin.x, y: corner.y - picture.offset.y + drawing.frame.origin.y
      )
      for y in drawing.frame.height / 2 - 4..<drawing.frame.height / 2 + 4 {
        for x in 4..<drawing.frame.width - 4 {
          #expect(
            picture.bitmap[origin.x + x, origin.y + y]
              == drawing.bitmap[drawing.frame.origin.x + x, drawing.frame.origin.y + y])
        }
      }
    }
    #expect(ends.count == 1)
    arrangement.setBadge(.none)
    #expect(arrangement.badge == nil && arrangement.resting.badge == nil)
  }

  @Test func `a picture that is too large is shrunk, and held in the same place of it`() {
    let image = DragImage(Self.card(1000, 500), hotspot: Point(x: 250, y: 250))
    let preview = DragPreview(images: [image], scale: 2, maximumSize: 100, hasShadow: false)
    let arrangement = Self.arranged(preview)
    let picture = arrangement.picture(of: arrangement.resting)
    #expect(picture.bitmap.width == 200 && picture.bitmap.height == 100)
    #expect(picture.offset == Point(x: -50, y: -50))
  }

  @Test func `numbers that make no sense are brought into their range`() {
    var preview = DragPreview(images: [], opacity: .nan, scale: .infinity, maximumSize: -.infinity)
    #expect(preview.opacity == 1 && preview.scale == 8 && preview.maximumSize == 16)
    preview.opacity = -3
    preview.scale = .nan
    preview.maximumSize = .nan
    #expect(preview.opacity == 0 && preview.scale == 1 && preview.maximumSize == 400)
    let far = DragImage(Self.card(9, 9), hotspot: Point(x: .max, y: .min))
    let arrangement = Self.arranged(DragPreview(images: [far]))
    #expect(arrangement.picture(of: arrangement.resting).bitmap.width < 100)
    let nothing = Self.arranged(DragPreview(images: [DragImage(Bitmap(width: 0, height: 5))]))
    #expect(nothing.picture(of: nothing.resting).bitmap.isEmpty)
  }

  @Test func `places that no screen has are no trap`() {
    for value in [Int.min, .max] {
      let origin = Rect(x: value, y: value, width: .max, height: .max)
      for formation in DragFormation.allCases {
        let images = Array(repeating: DragImage(Self.card(9, 9), origin: origin), count: 3)
        let preview = DragPreview(images: images, formation: formation)
        var feedback = DragFeedback()
        let pointer = Point(x: value, y: value)
        _ = feedback.receive(.began(preview, pointer: pointer, reducedMotion: false), at: .zero)
        _ = feedback.receive(.moved(Point(x: value, y: 0)), at: .zero)
        _ = feedback.receive(.ended(.failed, origins: [origin, origin, origin]), at: .zero)
        // Some frames are enough.
        while let deadline = feedback.nextDeadline { _ = feedback.receive(.tick, at: deadline + .milliseconds(80)) }
      }
    }
  }

  @Test func `an application without pictures gets a sheet of paper for each item, and a badge`() {
    let one = DragPreview.default(count: 1)
    #expect(one.images.count == 1 && one.badge == .none)
    let many = DragPreview.default(count: 120, scale: 2)
    #expect(many.images.count == 3 && many.badge == .count(120))
    #expect(many.images[0].bitmap.width == 2 * one.images[0].bitmap.width)
    let sheet = one.images[0].bitmap
    #expect(sheet[0, 0] == 0 && sheet[sheet.width - 1, 0] == 0)
    #expect(sheet[sheet.width / 2, sheet.height / 4] >> 24 == 255)
    #expect(DragPreview.default(count: -5).images.count == 1)
  }
}
