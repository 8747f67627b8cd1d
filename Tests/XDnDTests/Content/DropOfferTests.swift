import TestSupport
import Testing

@testable import XDnD

@Suite(.computing) struct DropOfferTests {
  func content(_ types: [ContentType], _ operations: [DragOperation] = []) -> OfferedContent {
    OfferedContent(types: types, operations: operations)
  }

  // MARK: Types

  @Test func `the target's order of preference decides, not the source's`() {
    let offer = DropOffer([.png, .uriList])
    #expect(offer.bestType(among: [.uriList, .png]) == .png)
  }

  @Test(arguments: ["UTF8_STRING", "text/plain", "TEXT", "STRING", "text/plain;charset=UTF-8"])
  func `plain text is found under whatever name it is offered, and asked for by that name`(name: String) {
    #expect(DropOffer([.plainText]).bestType(among: [.html, ContentType(name)])?.name == name)
  }

  @Test func `the best name for plain text wins`() {
    let offered: [ContentType] = ["STRING", "TEXT", "text/plain", "UTF8_STRING", "text/plain;charset=utf-8"]
    #expect(DropOffer([.plainText]).bestType(among: offered) == .plainText)
    #expect(DropOffer([.plainText]).bestType(among: Array(offered.dropLast()))?.name == "UTF8_STRING")
  }

  @Test func `another name for a less wanted type does not come before the more wanted one`() {
    #expect(DropOffer([.html, .plainText]).bestType(among: ["STRING", .html]) == .html)
  }

  @Test func `nothing in common is nothing`() {
    #expect(DropOffer([.png]).bestType(among: [.html]) == nil)
    #expect(DropOffer([]).bestType(among: [.html]) == nil)
    #expect(DropOffer([.png]).bestType(among: []) == nil)
  }

  // MARK: Operations

  @Test func `what the user asks for is done if the target can`() {
    let offer = DropOffer([.png], operations: [.copy, .move])
    #expect(offer.proposal(accepting: content([.png], [.copy, .move]), requested: .move) == .accept(.move))
  }

  @Test func `what the target cannot do becomes its first operation that the source permits`() {
    let offer = DropOffer([.png], operations: [.link, .copy])
    #expect(offer.proposal(accepting: content([.png], [.copy, .move]), requested: .move) == .accept(.copy))
    #expect(offer.proposal(accepting: content([.png], [.copy, .move, .link]), requested: .move) == .accept(.link))
  }

  @Test func `no operation in common is a refusal`() {
    let offer = DropOffer([.png], operations: [.link])
    #expect(offer.proposal(accepting: content([.png], [.copy, .move]), requested: .move) == .forbidden)
  }

  @Test func `no type in common is a refusal, whatever the operations`() {
    #expect(DropOffer([.html]).bestType(among: [.png]) == nil)
  }

  @Test func `without an action list the request counts, and Copy`() {
    #expect(
      DropOffer([.png], operations: [.copy]).proposal(accepting: content([.png]), requested: .move) == .accept(.copy))
    #expect(
      DropOffer([.png], operations: [.move]).proposal(accepting: content([.png]), requested: .move) == .accept(.move))
    #expect(DropOffer([.png], operations: [.move]).proposal(accepting: content([.png]), requested: nil) == .forbidden)
    #expect(
      DropOffer([.png], operations: [.copy]).proposal(accepting: content([.png]), requested: nil) == .accept(.copy))
    #expect(DropOffer([.png], operations: [.move]).proposal(accepting: content([.png]), requested: .copy) == .forbidden)
  }

  @Test func `without a request the target's preference decides among what is listed`() {
    let offer = DropOffer([.png], operations: [.move, .copy])
    #expect(offer.proposal(accepting: content([.png], [.copy, .move]), requested: nil) == .accept(.move))
  }

  @Test func `an unknown request is not taken for a known one`() {
    let vendor = DragOperation(name: AtomName("_VENDOR_ACTION"))
    let offer = DropOffer([.png], operations: [.copy])
    #expect(offer.proposal(accepting: content([.png]), requested: vendor) == .accept(.copy))
  }

  @Test func `a copy can be made of what is offered to be moved, as gThumb offers its pictures`() {
    let offer = DropOffer([.png], operations: [.copy])
    let source = content([.png], [.move, .ask])
    #expect(offer.proposal(accepting: source, requested: .move) == .accept(.copy))
    #expect(offer.proposal(accepting: source, requested: .ask) == .accept(.copy))
    #expect(offer.proposal(accepting: source, requested: nil) == .accept(.copy))
    #expect(DropOffer([.png], operations: [.link]).proposal(accepting: source, requested: .move) == .forbidden)
    // What both list comes first: who offers a link and not a copy means that.
    let both = DropOffer([.png], operations: [.copy, .link])
    #expect(both.proposal(accepting: content([.png], [.link, .ask]), requested: .ask) == .accept(.link))
  }

  @Test func `an offer that takes nothing refuses`() {
    #expect(
      DropOffer([.png], operations: []).proposal(accepting: content([.png], [.copy]), requested: .copy) == .forbidden)
  }

  // MARK: What is permitted

  @Test func `the action list is what is permitted`() {
    #expect(content([], [.move, .copy]).permittedOperations(requested: .copy) == [.move, .copy])
    #expect(content([], [.move, .copy]).permittedOperations(requested: nil) == [.move, .copy])
  }

  @Test func `without a list it is the request, and Copy`() {
    #expect(content([]).permittedOperations(requested: nil) == [.copy])
    #expect(content([]).permittedOperations(requested: .copy) == [.copy])
    #expect(content([]).permittedOperations(requested: .link) == [.link, .copy])
  }

  @Test func `the request is permitted although the list leaves it out, as Emacs does with Ask`() {
    #expect(content([], [.copy, .move]).permittedOperations(requested: .ask) == [.ask, .copy, .move])
  }

  @Test func `whatever is suggested is permitted`() {
    let all: [DragOperation] = [.copy, .move, .link, .ask, .private]
    var random = SplitMix64(seed: 11)
    for _ in 0..<QuickTests.cases(of: 20_000) {
      let listed = Array(all.shuffled(using: &random).prefix(random.below(6)))
      let offer = DropOffer([.png], operations: Array(all.shuffled(using: &random).prefix(random.below(6))))
      let requested = random.oneIn(5) ? nil : random.pick(all)
      let source = content([.png], listed)
      guard let suggested = offer.proposal(accepting: source, requested: requested).operation else { continue }
      if !source.permittedOperations(requested: requested).contains(suggested) {
        Issue.record("\(suggested) is not permitted by \(listed), asked for \(String(describing: requested))")
      }
    }
  }
}
