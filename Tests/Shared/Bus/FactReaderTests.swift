import Testing

@testable import Bus

@Suite struct FactCatchUpJudgementTests {
  let place: JournalPosition? = Invented.place(10, epoch: 2)

  @Test func theNextFactIsAppliedAndOlderOnesAreIgnored() {
    #expect(FactCatchUp.judge(fact: Invented.place(11, epoch: 2), at: place) == .apply)
    #expect(FactCatchUp.judge(fact: Invented.place(10, epoch: 2), at: place) == .ignore)
    #expect(FactCatchUp.judge(fact: Invented.place(11, epoch: 1), at: place) == .ignore)
  }

  @Test func aGapANewEpochAndAFirstContactAreFetched() {
    #expect(FactCatchUp.judge(fact: Invented.place(12, epoch: 2), at: place) == .fetch)
    // The number of a fact that was lost in a power cut.
    #expect(FactCatchUp.judge(fact: Invented.place(8, epoch: 3), at: place) == .fetch)
    #expect(FactCatchUp.judge(fact: Invented.place(1), at: nil) == .fetch)
  }

  @Test func aFactOfAnotherJournalDoesNotMoveTheReader() {
    #expect(FactCatchUp.judge(fact: Invented.place(11, epoch: 2, journal: "wiped"), at: place) == .ignore)
  }

  @Test func aHeadAheadOrOfAnotherJournalIsFetched() {
    #expect(FactCatchUp.judge(head: Invented.place(10, epoch: 2), at: place) == .ignore)
    #expect(FactCatchUp.judge(head: Invented.place(11, epoch: 2), at: place) == .fetch)
    #expect(FactCatchUp.judge(head: Invented.place(7, epoch: 3), at: place) == .fetch)
    #expect(FactCatchUp.judge(head: Invented.place(99, epoch: 1), at: place) == .ignore)
    #expect(FactCatchUp.judge(head: Invented.place(1, epoch: 1, journal: "wiped"), at: place) == .fetch)
    #expect(FactCatchUp.judge(head: Invented.place(0), at: nil) == .fetch)
  }

  @Test func theLagIsWhatIsMissing() {
    #expect(FactCatchUp.lag(behind: Invented.place(15, epoch: 2), at: place) == 5)
    #expect(FactCatchUp.lag(behind: Invented.place(3, epoch: 2), at: place) == 0)
    #expect(FactCatchUp.lag(behind: Invented.place(4, epoch: 1, journal: "wiped"), at: place) == 4)
  }

  @Test func absurdNumbersDoNotTrap() {
    let last = Invented.place(.max, epoch: .max)
    #expect(FactCatchUp.judge(fact: Invented.place(.min, epoch: .max), at: last) == .ignore)
    _ = FactCatchUp.lag(behind: Invented.place(.min), at: last)
    _ = FactCatchUp.lag(behind: Invented.place(.max), at: Invented.place(.min))
  }
}
