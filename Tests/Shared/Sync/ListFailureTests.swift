import Model
import Testing

@testable import Sync

@Suite struct ListFailureTests {
  /// Both sides are edited, a step fails, and the next runs repair what is missing.
  @Test(arguments: [ListCapabilities.plex, .subsonic, .listenBrainz, .spotify, .onlyReplacing], 0..<8)
  func afterAFailureAtAnyStepNothingIsLostOrDoubled(_ capabilities: ListCapabilities, _ step: Int) throws {
    var pair = try ListPair("abcaef", capabilities)
    pair.edit(here: "xfabyez")
    pair.edit(there: "abcwaef")
    try pair.run(failingAt: step)
    for _ in 0..<3 { try pair.run() }
    #expect(pair.here.sorted() == "xfabwyez".sorted() && pair.there.sorted() == pair.here.sorted())
    if capabilities != .onlyReplacing { #expect(pair.there == pair.here) }
  }

  @Test func aReplacementThatWasCutOffIsCompletedAndNotTakenForRemovals() throws {
    var pair = try ListPair("abcdefgh", .subsonic)
    pair.edit(here: "hgfedcba")
    try pair.run(failingAt: 0)
    // The provider kept only the beginning of the new list.
    pair.edit(there: "hg")
    for _ in 0..<3 { try pair.run() }
    #expect(pair.here == "hgfedcba" && pair.there == "hgfedcba" && pair.state.question == nil)
  }

  @Test func theOtherEntriesOfARemovedTrackAreAddedAgain() throws {
    var pair = try ListPair("abac", .spotify)
    pair.edit(here: "abc")
    try pair.run(failingAt: 1)
    #expect(pair.there == "bc" && pair.here == "abc")
    for _ in 0..<3 { try pair.run() }
    #expect(pair.here == "abc" && pair.there == "abc")
  }

  @Test func anEntryThatCannotBeAddedAgainIsNeverRemovedForOthers() throws {
    var pair = try ListPair("aba", .spotify)
    for index in [0, 2] { pair.remote.entries[index].isFixed = true }
    pair.edit(here: "ab")
    try pair.run()
    #expect(pair.there == "aba" && pair.plan.remoteSteps.isEmpty)
    var replaced = try ListPair("abc", .subsonic)
    replaced.remote.entries[1].isFixed = true
    replaced.edit(here: "cba")
    try replaced.run()
    #expect(replaced.there == "abc" && replaced.here == "cba")
  }

  @Test func anOrderThatWasChangedHalfwayIsNotTakenForAPersonsWish() throws {
    var pair = try ListPair("abcdef", .listenBrainz)
    pair.edit(here: "fedcba")
    try pair.run(failingAt: 2)
    #expect(pair.there != "fedcba" && pair.there != "abcdef")
    try pair.run()
    #expect(pair.here == "fedcba" && pair.there == "fedcba")
  }

  @Test func anEntryThatIsReadTwiceOnceIsNotDoubled() throws {
    var pair = try ListPair("abc", .listenBrainz)
    let clean = pair.remote
    pair.edit(there: "aabc")
    try pair.run()
    #expect(pair.here == "abc" && pair.plan.waiting == 1)
    var cured = pair
    cured.remote = clean
    try cured.run()
    #expect(cured.here == "abc" && cured.there == "abc" && cured.plan.waiting == 0)
    try pair.run()
    #expect(pair.here == "aabc" && pair.there == "aabc")
    // Of a list that is new, one entry of the track comes at once.
    var new = try ListPair("", .listenBrainz)
    new.edit(there: "aba")
    try new.run()
    #expect(new.here == "ab")
    try new.run()
    #expect(new.here == "aba")
  }

  @Test func tenThousandEntriesAreMerged() throws {
    var remote = FakeRemoteList(.listenBrainz)
    var local = FakeLocalList()
    for number in 0..<10_000 {
      remote.entries.append(RemoteEntry(native: "t\(number)", described: FakeTracks.described("t\(number)")))
      local.entries.append(LocalEntry(id: Int64(number + 1), track: FakeTracks.track("t\(number)")))
    }
    let first = ListMerger.plan(
      ListState(), local: local.entries, remote: remote.entries, capabilities: .listenBrainz, at: Timestamp(seconds: 0))
    #expect(first.localEdits.isEmpty && first.remoteSteps.isEmpty)
    local.entries.insert(local.entries.remove(at: 9000), at: 10)
    local.entries.remove(at: 5000)
    let second = ListMerger.plan(
      first.confirmedState(inserted: [], over: ListState()), local: local.entries, remote: remote.entries,
      capabilities: .listenBrainz, at: Timestamp(seconds: 0))
    #expect(second.remoteSteps.count == 2)
  }

  @Test func aLongListIsPulledInOneEdit() {
    let tracks = (0..<20_000).map { RemoteEntry(native: "t\($0)", described: FakeTracks.described("t\($0)")) }
    let plan = ListMerger.plan(
      ListState(), local: [], remote: tracks, capabilities: .listenBrainz, at: Timestamp(seconds: 0))
    #expect(plan.localEdits.count == 1 && plan.insertedCount == 20_000)
  }
}
