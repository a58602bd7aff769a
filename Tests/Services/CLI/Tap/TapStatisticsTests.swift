import Bus
import Client
import Messages
import Model
import TestSupport
import Testing

@testable import lunara

/// Rate, gaps, lag and latency of each topic.
struct TapStatisticsTests {
  @Test func figuresAreKeptForEachTopic() throws {
    var statistics = TapStatistics(startedAt: .zero, at: Sample.moment)
    for seq in [4, 5, 9] { statistics.add(try fact(seq, epoch: 1), topic: "p.den.heard.", seenAt: later(2)) }
    statistics.update(head: 12, of: try fact(1, epoch: 1).node)
    statistics.update(drops: ["p.den.heard.": 2, "other.": 5])
    let line = "\(try #require(StatisticsView(statistics: statistics, now: Milliseconds(2000)).json.first))"
    #expect(
      line
        == #"{"topic":"p.den.heard.","class":"fact","count":3,"perSecond":1.5,"bytes":6,"gaps":3,"lag":3,"drops":2,"#
        + #""latencyMilliseconds":{"p50":2,"p99":2,"uncertainty":0}}"#)
  }

  @Test func filteredMessagesCauseNoGap() throws {
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
    #expect(statistics.topics["p.den.heard."]?.latencies.quantiles([0.5]) == nil)
  }

  @Test func whatComesFromAnotherHostIsJudgedByItsClock() throws {
    var statistics = TapStatistics(startedAt: .zero, at: Sample.moment)
    // The other clock is an hour behind: the time of a message sent now lies before the start of the tap.
    let asked = later(3_600_000)
    let offset = ClockOffset(askedAt: asked, saidAt: later(5), heardAt: later(3_600_010))
    #expect(offset.milliseconds == -3_600_000 && offset.uncertainty == 5)
    statistics.add(try fact(1, epoch: 1), topic: "t.", seenAt: later(3_600_003), offset: offset)
    #expect(statistics.topics["t."]?.latencies.quantiles([0.5]) == [3])
    #expect(statistics.topics["t."]?.uncertainty == 5)
    statistics.add(try fact(2, epoch: 1), topic: "unknown.", seenAt: later(3_600_003), offset: nil)
    #expect(statistics.topics["unknown."]?.latencies.quantiles([0.5]) == nil)
  }

  @Test func aRestartIsNoGap() throws {
    var statistics = TapStatistics(startedAt: .zero, at: Sample.moment)
    statistics.add(try fact(5, epoch: 1), topic: "p.den.heard.", seenAt: later(0))
    statistics.add(try fact(9, epoch: 2), topic: "p.den.heard.", seenAt: later(0))
    #expect(statistics.topics["p.den.heard."]?.gaps == 0)
  }

  @Test func aRateIsOfTheLastSeconds() throws {
    var statistics = TapStatistics(startedAt: .zero, at: Sample.moment)
    for seq in 1...30 { statistics.add(try fact(seq, epoch: 1), topic: "t.", seenAt: later(0)) }
    for second in 1...20 { statistics.mark(at: Milliseconds(Int64(second) * 1000)) }
    #expect(statistics.rate(of: "t.", at: Milliseconds(20_000)) == 0)
    #expect(statistics.meanRate(of: "t.", at: Milliseconds(20_000)) == 1.5)
    statistics.add(try fact(31, epoch: 1), topic: "t.", seenAt: later(0))
    #expect(statistics.rate(of: "t.", at: Milliseconds(21_000)) == 0.1)
  }

  @Test func theBusiestTopicStandsFirst() throws {
    let statistics = try busy(["b.": 1, "c.": 2, "a.": 1])
    #expect(statistics.sorted.map(\.topic) == ["c.", "a.", "b."])
  }

  @Test func thePageFitsTheTerminal() throws {
    let topics = Dictionary(uniqueKeysWithValues: (1...40).map { ("playback.a-room-with-a-name-\($0).state.", $0) })
    let view = StatisticsView(statistics: try busy(topics), now: Milliseconds(1000))
    for screen in [Screen(columns: 80, rows: 24), Screen(columns: 140, rows: 10), Screen(columns: 40, rows: 4)] {
      let lines = view.lines(on: screen, style: .plain)
      #expect(lines.count <= screen.rows)
      if screen.columns >= 80 { #expect(lines.allSatisfy { Printable.columns($0) <= screen.columns }, "\(lines)") }
    }
    let lines = view.lines(on: Screen(columns: 140, rows: 10), style: .plain)
    #expect(lines[0].hasPrefix("40 topics"))
    #expect(lines[3].contains("playback.a-room-with-a-name-40.state."))
    #expect(lines.last == "… and 34 quieter topics")
    #expect(view.lines(on: Screen(columns: 140, rows: 60), style: .plain).count == 43)
  }

  @Test func aPageIsDrawnOverTheOneBefore() {
    let page = LivePage.draw(["one", "two"])
    #expect(page.contains("\u{1B}[Hone\u{1B}[K\r\ntwo\u{1B}[K\u{1B}[J"))
    #expect(!page.contains("\u{1B}[2J"))
  }

  @Test func theNewestValuesAreKept() {
    var values = RecentValues(limit: 3)
    #expect(values.quantiles([0.5]) == nil)
    for value in [9, 1, 2, 3] { values.add(Double(value)) }
    #expect(values.quantiles([0, 0.5, 0.99]) == [1, 2, 3])
  }

  private func busy(_ counts: [String: Int]) throws -> TapStatistics {
    var statistics = TapStatistics(startedAt: .zero, at: Sample.moment)
    var seq = 0
    for (topic, count) in counts {
      for _ in 0..<count {
        seq += 1
        statistics.add(try fact(seq, epoch: 1), topic: topic, seenAt: later(0))
      }
    }
    return statistics
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
