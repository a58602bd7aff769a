import Model
import Testing

@testable import Sync

@Suite struct ListRemovalTests {
  @Test func anEntryIsRemovedHereOnlyAfterTwoReadingsInARow() throws {
    var pair = try ListPair("abc", .plex)
    pair.edit(there: "ac")
    try pair.run()
    #expect(pair.here == "abc" && pair.there == "ac" && pair.plan.waiting == 1)
    let entry = pair.remote.entries[0]
    pair.edit(there: "abc")
    // The entry came back with another id, as the provider gives one to each addition.
    #expect(pair.remote.entries[0] == entry)
    try pair.run()
    #expect(pair.here == "abc" && pair.there == "abc" && pair.plan.waiting == 0)
    pair.edit(there: "ac")
    try pair.run()
    #expect(pair.here == "abc")
    try pair.run()
    #expect(pair.here == "ac" && pair.there == "ac")
  }

  @Test func anEmptyAnswerOfALongListAsksAPerson() throws {
    var pair = try ListPair("abcdefgh", .spotify)
    pair.edit(there: "")
    try pair.settle()
    #expect(pair.here == "abcdefgh" && pair.plan.question?.removed.count == 8 && pair.plan.question?.total == 8)
    // It asks until it is answered.
    try pair.run()
    #expect(pair.here == "abcdefgh" && pair.there.isEmpty && pair.plan.question != nil)
    var kept = pair
    try kept.run(answer: .keep)
    #expect(kept.here == "abcdefgh" && kept.there == "abcdefgh" && kept.state.question == nil)
    try pair.run(answer: .remove)
    #expect(pair.here.isEmpty && pair.there.isEmpty && pair.state.question == nil)
  }

  @Test func aQuarterOrLessThanFiveAreNotAskedAbout() throws {
    var few = try ListPair("abcdefgh", .spotify)
    few.edit(there: "efgh")
    try few.settle()
    #expect(few.here == "efgh" && few.plan.question == nil)
    var part = try ListPair("abcdefghijklmnopqrstuvwxyz", .spotify)
    part.edit(there: "fghijklmnopqrstuvwxyz")
    try part.settle()
    #expect(part.here == "fghijklmnopqrstuvwxyz" && part.plan.question == nil)
    var quarter = try ListPair("abcdefghijklmnopqrst", .spotify)
    quarter.edit(there: "fghijklmnopqrst")
    try quarter.settle()
    #expect(quarter.here == "abcdefghijklmnopqrst" && quarter.plan.question?.removed.count == 5)
  }

  @Test func anAnswerDoesNotHoldForRemovalsThatWereNotAskedAbout() throws {
    var pair = try ListPair("abcdefgh", .spotify)
    pair.edit(there: "fgh")
    try pair.settle()
    #expect(pair.plan.question?.removed.count == 5)
    pair.edit(there: "")
    try pair.run()
    try pair.run(answer: .remove)
    #expect(pair.here == "abcdefgh" && pair.plan.question?.removed.count == 8)
  }

  @Test func aRemovalCanBeTakenBackFor30Days() throws {
    var pair = try ListPair("abc", .listenBrainz)
    pair.edit(there: "ac")
    try pair.settle()
    let removal = try #require(pair.state.removals.first)
    #expect(removal.isLocal && removal.entry.track.native == "b" && pair.here == "ac")
    var late = pair.state
    let lateEdit = late.undo(removal, at: Timestamp(seconds: 1_000_000 + 31 * 86_400))
    #expect(lateEdit == nil && late.removals.isEmpty)
    let edit = pair.state.undo(removal, at: Timestamp(seconds: 1_000_000 + 30 * 86_400))
    _ = pair.local.apply([try #require(edit)])
    #expect(pair.here == "abc" && pair.state.removals.isEmpty)
    try pair.settle()
    #expect(pair.here == "abc" && pair.there == "abc")
  }

  @Test func aRemovalHereThatTheProviderDidAsWellIsKeptToo() throws {
    var pair = try ListPair("abc", .spotify)
    pair.edit(here: "ac")
    try pair.run(failingAt: 0)
    try pair.run()
    #expect(pair.there == "ac" && pair.state.removals.map(\.isLocal) == [false])
    #expect(pair.state.removals.first?.entry.track.native == "b")
  }

  @Test func whatWasRemovedHereDoesNotComeBackFromAProviderThatCannotRemove() throws {
    for capabilities in [ListCapabilities.onlyAdding, .readOnly] {
      var pair = try ListPair("abc", capabilities)
      pair.edit(here: "ac")
      for _ in 0..<3 { try pair.run() }
      #expect(pair.here == "ac" && pair.there == "abc")
    }
    var pair = try ListPair("abc", .plex)
    pair.direction = .pull
    pair.edit(here: "ac")
    pair.edit(there: "abcx")
    for _ in 0..<3 { try pair.run() }
    #expect(pair.here == "acx" && pair.there == "abcx")
  }

  @Test func aProviderThatFollowsUsGetsBackWhatItLacks() throws {
    var pair = try ListPair("abc", .plex)
    pair.direction = .push
    pair.edit(there: "axc")
    pair.edit(here: "abcd")
    try pair.settle()
    #expect(pair.here == "abcd" && pair.there == "axbcd")
  }
}
