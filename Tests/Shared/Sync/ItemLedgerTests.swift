import Model
import Testing

@testable import Sync

@Suite struct ItemLedgerTests {
  @Test func bothSidesGetWhatTheOtherOneHas() {
    var pair = ItemPair(here: "ab", there: "bc")
    pair.run()
    #expect(pair.letters == "abc" && pair.letters() == "abc")
    #expect(pair.plan.additions.map(\.item.title) == ["Title a"] && pair.plan.addedLocally.count == 1)
    pair.run()
    #expect(pair.plan == ItemPlan())
  }

  @Test func whatAProviderGaveIsRemovedAfterTwoReadingsWithoutIt() {
    var pair = ItemPair(there: "ab")
    pair.run()
    pair.there["p"] = ["a"]
    pair.run()
    #expect(pair.letters == "ab" && pair.plan.waiting == 1)
    // A run without a reading does not count, and one that has it begins anew.
    pair.run(reads: false)
    #expect(pair.letters == "ab")
    pair.there["p"] = ["a", "b"]
    pair.run()
    pair.there["p"] = ["a"]
    pair.run()
    #expect(pair.letters == "ab")
    pair.run()
    #expect(pair.letters == "a" && pair.plan.removedLocally.map(\.key) == ["b"] && pair.letters() == "a")
  }

  @Test func whatAPersonAddedHereIsNeverTouched() {
    var pair = ItemPair(here: "a", there: "b")
    pair.run()
    pair.there["p"] = []
    for _ in 0..<3 { pair.run() }
    #expect(pair.letters == "a" && pair.letters().isEmpty)
  }

  @Test func anItemStaysWhileAnotherProviderGivesIt() {
    var pair = ItemPair(there: "a")
    pair.there["q"] = ["a"]
    pair.run("p", direction: .pull)
    pair.run("q", direction: .pull)
    #expect(pair.ledger.items.values.first?.sources.keys.sorted() == ["p", "q"])
    pair.there["p"] = []
    for _ in 0..<2 { pair.run("p", direction: .pull) }
    #expect(pair.letters == "a")
    pair.there["q"] = []
    for _ in 0..<2 { pair.run("q", direction: .pull) }
    #expect(pair.letters.isEmpty)
  }

  @Test func aCopyThatWeAddedAtAnotherProviderKeepsNothingHere() {
    var pair = ItemPair(there: "a")
    pair.run("p")
    pair.run("q")
    #expect(pair.letters("q").isEmpty == false)
    pair.there["p"] = []
    for _ in 0..<2 { pair.run("p") }
    pair.run("q")
    #expect(pair.letters.isEmpty && pair.letters("q").isEmpty)
  }

  @Test func aQuarterAndAtLeastFiveAskAPerson() {
    var pair = ItemPair(there: "abcdefgh")
    pair.run()
    pair.there["p"] = []
    for _ in 0..<3 { pair.run() }
    #expect(pair.letters == "abcdefgh" && pair.plan.question?.removed.count == 8 && pair.letters().isEmpty)
    var kept = pair
    kept.run(answer: .keep)
    #expect(kept.letters == "abcdefgh" && kept.letters() == "abcdefgh")
    pair.run(answer: .remove)
    #expect(pair.letters.isEmpty && pair.ledger.questions.isEmpty)
    // They are back after the question was answered otherwise.
    for removal in pair.ledger.removals {
      if let item = pair.ledger.undo(removal, at: pair.now) { pair.here.insert(String(item.title.dropFirst(6))) }
    }
    pair.run()
    #expect(pair.letters == "abcdefgh" && pair.letters() == "abcdefgh")
  }

  @Test func whatAPersonRemovedHereIsRemovedThereAndDoesNotComeBack() {
    var pair = ItemPair(there: "ab")
    pair.run()
    pair.here = ["a"]
    pair.run(failing: true)
    #expect(pair.letters == "a" && pair.letters() == "ab")
    pair.run(losingAnswers: true)
    #expect(pair.letters == "a" && pair.letters() == "a")
    pair.run()
    #expect(pair.letters == "a" && pair.letters() == "a" && pair.plan == ItemPlan())
  }

  @Test func aTombstoneLasts365DaysFromTheLastSighting() {
    var pair = ItemPair(there: "a")
    pair.run(direction: .pull)
    pair.here = []
    pair.run(direction: .pull)
    for _ in 0..<3 {
      pair.pass(days: 364)
      pair.run(direction: .pull)
      #expect(pair.letters.isEmpty)
    }
    pair.pass(days: 366)
    pair.run(direction: .pull)
    #expect(pair.letters == "a")
  }

  @Test func anItemThatAPersonAddsAgainComesBack() {
    // Here.
    var pair = ItemPair(there: "a")
    pair.run()
    pair.here = []
    pair.run(failing: true)
    pair.here = ["a"]
    pair.run()
    #expect(pair.letters == "a" && pair.letters() == "a")
    // There, after readings without it.
    pair.here = []
    for _ in 0..<3 { pair.run() }
    #expect(pair.letters().isEmpty)
    pair.there["p"] = ["a"]
    pair.run()
    #expect(pair.letters == "a" && pair.letters() == "a")
  }

  @Test func aRemovalIsKeptFor30Days() throws {
    var pair = ItemPair(there: "a")
    pair.run()
    pair.there["p"] = []
    for _ in 0..<2 { pair.run() }
    let removal = try #require(pair.ledger.removals.first)
    #expect(removal.provider == "p" && pair.letters.isEmpty)
    var late = pair
    late.pass(days: 31)
    let tooLate = late.ledger.undo(removal, at: late.now)
    #expect(tooLate == nil && late.ledger.removals.isEmpty)
    let item = pair.ledger.undo(removal, at: pair.now)
    #expect(item == ItemPair.item("a"))
    pair.here = ["a"]
    pair.run()
    #expect(pair.letters == "a" && pair.letters() == "a")
  }

  @Test func anAdditionWhoseAnswerWasLostIsNotTakenForARemoval() {
    var pair = ItemPair(here: "a")
    pair.run(failing: true)
    for _ in 0..<3 { pair.run() }
    #expect(pair.letters == "a" && pair.letters() == "a")
    var lost = ItemPair(here: "a")
    lost.run(losingAnswers: true)
    lost.run()
    #expect(lost.plan == ItemPlan() && lost.letters() == "a")
  }

  @Test func aProviderThatCannotHaveAnItemIsNotAskedAgain() {
    var pair = ItemPair(here: "a")
    pair.run(failing: true)
    pair.ledger.refuseAddition(ItemPair.item("a").id, at: "p")
    pair.run()
    #expect(pair.plan.additions.isEmpty && pair.letters == "a")
  }

  @Test func nothingIsAddedBeforeTheFirstReading() {
    var pair = ItemPair(here: "a")
    pair.run(reads: false)
    #expect(pair.plan.additions.isEmpty)
  }

  @Test func anItemIsRecognisedByItsKeysAndKeepsThemWhenItIsRetagged() {
    var ledger = ItemLedger()
    let theirs = SyncItem(artist: "Björk", title: "Jóga", album: "Homogenic", isrc: "GBBKS9700090")
    let ours = SyncItem(artist: "Bjork", title: "Joga", album: "Homogenic (Deluxe)", isrc: "GB-BKS-97-00090")
    var plan = ledger.compare(
      [RemoteItem(native: "n", item: theirs), RemoteItem(native: "n", item: theirs)], of: "p",
      local: [LocalItem(key: "t1", item: ours)], at: Timestamp(seconds: 0))
    #expect(plan == ItemPlan() && ledger.items.count == 1)
    let retagged = SyncItem(artist: "Björk Guðmundsdóttir", title: "Jóga (live)")
    plan = ledger.compare(
      [RemoteItem(native: "n", item: theirs)], of: "p", local: [LocalItem(key: "t1", item: retagged)],
      at: Timestamp(seconds: 1))
    #expect(plan == ItemPlan() && ledger.items.count == 1)
  }

  @Test func severalVersionsAtAProviderAreOneItemAndAreRemovedTogether() {
    var ledger = ItemLedger()
    let item = SyncItem(artist: "Nina", title: "Song", album: "Album")
    let both = [RemoteItem(native: "n1", item: item), RemoteItem(native: "n2", item: item)]
    var plan = ledger.compare(both, of: "p", local: [], at: Timestamp(seconds: 0))
    #expect(plan.addedLocally == [item])
    let here = [LocalItem(key: "k", item: item)]
    for _ in 0..<3 {
      plan = ledger.compare([both[0]], of: "p", local: here, at: Timestamp(seconds: 0))
      #expect(plan == ItemPlan())
    }
    plan = ledger.compare(both, of: "p", local: here, at: Timestamp(seconds: 0))
    plan = ledger.compare(both, of: "p", local: [], at: Timestamp(seconds: 0))
    #expect(plan.removals == ["n1", "n2"])
  }
}
