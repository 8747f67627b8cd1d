import TestSupport
import Testing

@testable import XDnD

@Suite(.computing) struct TypeDatabaseFuzzTests {
  @Test func `random bytes make some database, and no trap`() {
    var random = SplitMix64(seed: 23)
    let alphabet = Array("a/b:5 0\n\n*.[]-!?\\,cs#_NOGLOBS".utf8) + [0, 0xFF, 0x0D]
    func bytes(_ random: inout SplitMix64) -> [UInt8] {
      (0..<random.below(400)).map { _ in random.oneIn(20) ? UInt8(random.below(256)) : random.pick(alphabet) }
    }
    for _ in 0..<QuickTests.cases(of: 200) {
      let types = TypeDatabase([
        TypeDatabase.Directory(aliases: bytes(&random), subclasses: bytes(&random), globs2: bytes(&random)),
        TypeDatabase.Directory(aliases: bytes(&random), subclasses: bytes(&random), globs2: bytes(&random)),
      ])
      for _ in 0..<10 {
        let name = bytes(&random)
        let type = types.type(forFileName: name)
        let other = ContentType(String(decoding: bytes(&random).prefix(8), as: UTF8.self))
        if !types.conforms(type, to: type) { Issue.record("\(type) does not conform to itself") }
        if types.canonical(types.canonical(other)) != types.canonical(other) { Issue.record("\(other) has no name") }
        _ = (types.conforms(other, to: type), types.preferredExtension(for: type), types.supertypes(of: other))
      }
    }
  }

  @Test func `random relations have no end only where the bound is`() {
    var random = SplitMix64(seed: 29)
    for _ in 0..<QuickTests.cases(of: 100) {
      func pairs() -> String {
        (0..<60).map { _ in "t/\(random.below(12)) t/\(random.below(12))\n" }.joined()
      }
      let types = database(aliases: pairs(), subclasses: pairs())
      for number in 0..<12 {
        let type = ContentType("t/\(number)")
        let above = types.supertypes(of: type)
        if Set(above).count != above.count || above.count > 13 { Issue.record("\(type) is below \(above)") }
        for other in above where !types.conforms(type, to: other) { Issue.record("\(type) not to \(other)") }
      }
    }
  }

  @Test func `a huge database takes bounded time to read and to ask`() {
    var globs: [UInt8] = []
    var chain = ""
    for number in 0..<4000 {
      globs += Array("50:a/t\(number):*a*b*c*d\(number)[xyz]*\n50:a/t\(number):*.same\n".utf8)
      chain += "a/t\(number) a/t\(number + 1)\n"
    }
    let types = TypeDatabase(aliases: [], subclasses: Array(chain.utf8), globs2: globs)
    let clock = ContinuousClock()
    let time = clock.measure {
      let name = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
      _ = types.type(forFileName: name)
      _ = types.types(forFileName: Array("x.same".utf8))
      _ = types.conforms("a/t0", to: "a/t3999")
    }
    // Without bounds it would be minutes.
    #expect(time < .seconds(20))
    #expect(types.supertypes(of: "a/t0").count < 300)
  }
}
