import Testing

@testable import Bus

@Suite struct FactReaderTests {
  let reader = FactReader(position: Invented.place(10, epoch: 2))

  @Test func theNextFactIsAppliedAndOlderOnesAreIgnored() {
    #expect(reader.judge(fact: Invented.place(11, epoch: 2)) == .apply)
    #expect(reader.judge(fact: Invented.place(10, epoch: 2)) == .ignore)
    #expect(reader.judge(fact: Invented.place(11, epoch: 1)) == .ignore)
  }

  @Test func aGapANewEpochAndAFirstContactAreFetched() {
    #expect(reader.judge(fact: Invented.place(12, epoch: 2)) == .fetch)
    // The number of a fact that was lost in a power cut.
    #expect(reader.judge(fact: Invented.place(8, epoch: 3)) == .fetch)
    #expect(FactReader().judge(fact: Invented.place(1)) == .fetch)
  }

  @Test func aFactOfAnotherJournalDoesNotMoveTheReader() {
    #expect(reader.judge(fact: Invented.place(11, epoch: 2, journal: "wiped")) == .ignore)
  }

  @Test func aHeadAheadOrOfAnotherJournalIsFetched() {
    #expect(reader.judge(head: Invented.place(10, epoch: 2)) == .ignore)
    #expect(reader.judge(head: Invented.place(11, epoch: 2)) == .fetch)
    #expect(reader.judge(head: Invented.place(7, epoch: 3)) == .fetch)
    #expect(reader.judge(head: Invented.place(99, epoch: 1)) == .ignore)
    #expect(reader.judge(head: Invented.place(1, epoch: 1, journal: "wiped")) == .fetch)
    #expect(FactReader().judge(head: Invented.place(0)) == .fetch)
  }

  @Test func theLagIsWhatIsMissing() {
    #expect(reader.lag(behind: Invented.place(15, epoch: 2)) == 5)
    #expect(reader.lag(behind: Invented.place(3, epoch: 2)) == 0)
    #expect(reader.lag(behind: Invented.place(4, epoch: 1, journal: "wiped")) == 4)
  }

  @Test func absurdNumbersDoNotTrap() {
    let last = FactReader(position: Invented.place(.max, epoch: .max))
    #expect(last.judge(fact: Invented.place(.min, epoch: .max)) == .ignore)
    _ = last.lag(behind: Invented.place(.min))
    _ = FactReader(position: Invented.place(.min)).lag(behind: Invented.place(.max))
  }
}
