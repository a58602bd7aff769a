import Bus
import Model
import Testing

@testable import lunara

/// Rates, gaps, lag and latency a topic.
struct TapStatisticsTests {
  @Test func figuresAreKeptATopic() throws {
    var statistics = TapStatistics(startedAt: .zero, at: Sample.moment)
    for seq in [4, 5, 9] { statistics.add(try fact(seq, epoch: 1), topic: "p.den.heard.", seenAt: later(2)) }
    statistics.note(head: 12, of: try fact(1, epoch: 1).node)
    let line = "\(try #require(statistics.lines(at: Milliseconds(2000)).first))"
    #expect(
      line
        == #"{"topic":"p.den.heard.","class":"fact","count":3,"perSecond":1.5,"bytes":6,"gaps":3,"lag":3,"#
        + #""latencyMilliseconds":{"p50":2,"p99":2}}"#)
  }

  @Test func whatIsNotShownFillsNoGap() throws {
    var statistics = TapStatistics(startedAt: .zero, at: Sample.moment)
    statistics.add(try fact(1, epoch: 1), topic: "p.den.heard.", seenAt: later(0))
    statistics.add(try fact(2, epoch: 1), topic: "p.den.other.", seenAt: later(0), shown: false)
    statistics.add(try fact(3, epoch: 1), topic: "p.den.heard.", seenAt: later(0))
    #expect(statistics.topics["p.den.heard."]?.gaps == 0)
    #expect(statistics.topics["p.den.other."] == nil)
  }

  @Test func whatWasSaidBeforeTheTapBeganHasNoLatency() throws {
    var statistics = TapStatistics(startedAt: .zero, at: later(1))
    statistics.add(try fact(1, epoch: 1), topic: "p.den.heard.", seenAt: later(5000))
    #expect(statistics.topics["p.den.heard."]?.count == 1)
    #expect(statistics.topics["p.den.heard."]?.latency(0.5) == nil)
  }

  @Test func aRestartIsNoGap() throws {
    var statistics = TapStatistics(startedAt: .zero, at: Sample.moment)
    statistics.add(try fact(5, epoch: 1), topic: "p.den.heard.", seenAt: later(0))
    statistics.add(try fact(9, epoch: 2), topic: "p.den.heard.", seenAt: later(0))
    #expect(statistics.topics["p.den.heard."]?.gaps == 0)
  }

  @Test func theBusiestTopicStandsFirst() throws {
    var statistics = TapStatistics(startedAt: .zero, at: Sample.moment)
    statistics.add(try fact(1, epoch: 1), topic: "b.", seenAt: later(0))
    for seq in 2...3 { statistics.add(try fact(seq, epoch: 1), topic: "c.", seenAt: later(0)) }
    statistics.add(try fact(4, epoch: 1), topic: "a.", seenAt: later(0))
    let lines = statistics.lines(at: Milliseconds(1000)).map(\.description)
    #expect(["c.", "a.", "b."].enumerated().allSatisfy { lines[$0].hasPrefix("{\"topic\":\"\($1)\"") })
  }

  private func later(_ milliseconds: Int64) -> Timestamp {
    Timestamp(microseconds: Sample.moment.microseconds + milliseconds * 1000)
  }

  private func fact(_ seq: Int, epoch: Int) throws -> Envelope {
    let text =
      #"{"id":"i","node":"playback@den","epoch":\#(epoch),"seq":\#(seq),"time":"\#(Sample.moment)","kind":"p.heard","payload":{}}"#
    return try Envelope(decoding: Array(text.utf8))
  }
}
