import Model
import Testing

@testable import Sync

@Suite struct SyncReportTests {
  @Test func aPartSaysWhatHappenedOnWhichSide() throws {
    var pair = try ListPair("abcd", .listenBrainz)
    pair.edit(here: "dabxy")
    pair.edit(there: "abcdz")
    pair.local.insert(SyncTrack(native: nil, described: FakeTracks.described("only")), at: 0)
    try pair.run()
    let part = SyncReport.Part(title: "Road Trip", pair.plan)
    #expect(
      part.sentences(about: "ListenBrainz") == [
        "1 added here.", "2 added, 1 removed, 2 moved at ListenBrainz.",
        "Only here, since ListenBrainz does not have them: 1.",
      ])
    #expect(pair.there == "dzabxy" && !part.isQuiet)
    try pair.run()
    pair.local.entries.remove(at: 0)
    try pair.run()
    #expect(SyncReport.Part(title: "Road Trip", pair.plan).isQuiet)
  }

  @Test func aReplacementIsToldAsWhatItChanges() throws {
    var pair = try ListPair("abcd", .onlyReplacing)
    pair.edit(here: "abxd")
    try pair.run()
    let part = SyncReport.Part(title: "List", pair.plan)
    #expect((part.addedThere, part.removedThere, part.movedThere) == (1, 1, 0))
  }

  @Test func aQuestionSaysWhatAPersonCanDo() throws {
    var pair = try ListPair("abcdefgh", .plex)
    pair.edit(there: "h")
    try pair.run()
    #expect(
      SyncReport.Part(title: "List", pair.plan).sentences(about: "Plex") == [
        "To be decided by the next reading of Plex: 7."
      ])
    try pair.run()
    #expect(
      SyncReport.Part(title: "List", pair.plan).sentences(about: "Plex") == [
        "Plex no longer has 7 of 8. Nothing is removed here until you say if they are to be removed or kept."
      ])
  }

  @Test func aPartOfItemsCountsThem() throws {
    var pair = ItemPair(here: "ab", there: "bcd")
    pair.run()
    var part = SyncReport.Part(title: "Liked tracks", pair.plan)
    part.error = LunaraError("client.example", "Spotify did not answer.")
    #expect(
      part.sentences(about: "Spotify") == ["2 added here.", "1 added at Spotify.", "Spotify did not answer."])
    var report = SyncReport(provider: "Spotify", startedAt: Timestamp(seconds: 0))
    report.parts = [part]
    #expect(try Stored.copy(report) == report)
  }
}
