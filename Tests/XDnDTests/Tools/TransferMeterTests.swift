import Testing

@testable import XDnDToolSupport

@Suite("The rate of a transfer, and its rest")
struct TransferMeterTests {
  private let start = ContinuousClock.now

  /// A meter of a transfer that has had this rate in bytes per second for some seconds.
  private func meter(rate: Int, seconds: Int) -> TransferMeter {
    var meter = TransferMeter(start: start)
    for tenth in 1...(seconds * 10) { meter.advance(to: rate * tenth / 10, at: start + .milliseconds(100 * tenth)) }
    return meter
  }

  @Test func `nothing is said of the first second`() {
    var meter = TransferMeter(start: start)
    meter.advance(to: 1000, at: start + .milliseconds(900))
    #expect(meter.rate(at: start + .milliseconds(999)) == nil)
    #expect(meter.words(of: 2000, at: start + .milliseconds(999)) == [])
    #expect(meter.rate(at: start + .seconds(1)) == 1000)
  }

  @Test func `a steady transfer has its rate, and the rest takes as long as it must`() throws {
    let now = start + .seconds(8)
    let meter = meter(rate: 1 << 20, seconds: 8)
    let rate = try #require(meter.rate(at: now))
    #expect(abs(rate - Double(1 << 20)) < 1)
    #expect(meter.words(of: 20 << 20, at: now) == ["1.0 MiB/s", "12 s left"])
    #expect(meter.words(of: nil, at: now) == ["1.0 MiB/s"])
  }

  @Test func `what was long ago does not count`() throws {
    var meter = meter(rate: 1_000_000, seconds: 20)
    for second in 21...30 { meter.advance(to: 20_000_000 + 1000 * (second - 20), at: start + .seconds(second)) }
    #expect(try #require(meter.rate(at: start + .seconds(30))) == 1000)
  }

  @Test func `a transfer that stands still has no rate, and no end`() {
    let meter = meter(rate: 1000, seconds: 3)
    #expect(meter.words(of: 9000, at: start + .seconds(60)) == ["0 B/s"])
    #expect(meter.rest(of: 9000, at: start + .seconds(60)) == nil)
  }

  @Test func `a transfer that begins again is measured from there`() {
    var meter = meter(rate: 1000, seconds: 5)
    meter.advance(to: 0, at: start + .seconds(6))
    #expect(meter.rate(at: start + .seconds(6)) == nil)
    meter.advance(to: 500, at: start + .seconds(8))
    #expect(meter.rate(at: start + .seconds(8)) == 250)
  }

  @Test func `long times are told in minutes and hours, rounded up`() {
    let now = start + .seconds(5)
    let meter = meter(rate: 1000, seconds: 5)
    func rest(_ seconds: Int) -> String? { meter.words(of: 5000 + 1000 * seconds, at: now).last }
    #expect(rest(1) == "1 s left")
    #expect(rest(59) == "59 s left")
    #expect(rest(61) == "2 min left")
    #expect(rest(3600) == "1 h left")
    #expect(rest(3601) == "2 h left")
    #expect(rest(0) == "0 s left")
  }
}
