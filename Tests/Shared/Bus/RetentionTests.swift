import Model
import TestSupport
import Testing

@testable import Bus

@Suite struct RetentionTests {
  private let retention = Retention(facts: 100, days: 30)
  private let now = Timestamp(seconds: 100 * 86_400)

  /// Facts from a number on, each so many days old.
  private func aged(_ first: Int64, _ days: [Int64]) -> [Retention.Aged] {
    days.enumerated().map { .init(seq: first + Int64($0), time: now - .days($1)) }
  }

  private func drop(_ facts: [Retention.Aged], head: Int64, needed: Int64?) -> Int {
    retention.droppable(facts, head: head, needed: needed, at: now)
  }

  @Test func whatAllReadersHaveGoesOnceItIsAWeekOld() {
    let facts = aged(1, [20, 15, 8, 6, 1])
    #expect(drop(facts, head: 5, needed: 6) == 3)
    #expect(drop(facts, head: 5, needed: 2) == 1)
    #expect(drop(facts, head: 5, needed: 1) == 0)
  }

  @Test func withoutAReaderFactsAreKeptUpToTheLimits() {
    #expect(drop(aged(1, [29, 20, 10]), head: 50, needed: nil) == 0)
    #expect(drop(aged(1, [40, 31, 29]), head: 50, needed: nil) == 2)
    #expect(drop(aged(1, [9, 9, 9]), head: 102, needed: nil) == 2)
  }

  @Test func theLimitsHoldForAReaderThatNeverComesBack() {
    #expect(drop(aged(1, [40, 10]), head: 50, needed: 1) == 1)
    #expect(drop(aged(1, [1, 1, 1]), head: 101, needed: 1) == 1)
  }

  @Test func theNewestFactStays() {
    #expect(drop(aged(7, [400, 400]), head: 8, needed: 99) == 1)
    #expect(drop([], head: 0, needed: nil) == 0)
  }

  @Test func aClockThatStepsKeepsTooMuchRatherThanTooLittle() {
    #expect(drop(aged(1, [20, -300, 20, 20]), head: 9, needed: 9) == 1)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func nothingThatAReaderLacksGoesWithinTheLimits(seed: UInt64) {
    var random = Seeded(seed)
    let days = (0..<50).map { _ in Int64.random(in: 0...60, using: &random) }
    let first = Int64.random(in: 1...1000, using: &random)
    let head = first + 49 + Int64.random(in: 0...80, using: &random)
    let needed: Int64? = Bool.random(using: &random) ? nil : Int64.random(in: 1...head + 1, using: &random)
    let facts = aged(first, days)
    for fact in facts.prefix(drop(facts, head: head, needed: needed)) {
      #expect(fact.seq < head)
      let isBeyond = fact.seq <= head - 100 || now - fact.time > .days(30)
      let isRead = needed.map { fact.seq < $0 } ?? false
      #expect(isBeyond || (isRead && now - fact.time > .days(7)))
    }
  }
}
