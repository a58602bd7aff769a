import Model
import Testing

@testable import Sync

@Suite struct ListMatchingTests {
  @Test(arguments: [
    ("Song (2011 Remaster)", "Song"), ("Song - Remastered 2009", "Song"), ("Song [Remastered]", "Song"),
    ("Song - Live - 2011 Remastered Version", "Song - Live"), ("Song (Live) (Remastered)", "Song (Live)"),
    ("Song (Live)", "Song (Live)"), ("Remastered", "Remastered"), ("(Remaster)", "(Remaster)"),
    ("Twenty-One", "Twenty-One"), ("Song (Remasterizado)", "Song"),
    ("The Remaster of Puppets", "The Remaster of Puppets"),
  ])
  func wordsOfRemastersDoNotCount(_ title: String, _ rest: String) {
    #expect(NormalForm.withoutRemaster(title) == rest)
  }

  @Test(arguments: [
    ("Sigur Rós", "sigurros"), ("AC/DC", "acdc"), ("!!!", "!!!"), ("東京事変", "東京事変"), ("ＭＯＮＯ", "mono"),
    ("Кино", "кино"), ("", ""),
  ])
  func normalFormsHaveOnlyLettersAndDigits(_ text: String, _ form: String) { #expect(NormalForm.of(text) == form) }

  private func remote(_ native: String, _ title: String, isrc: String? = nil, mbid: String? = nil) -> RemoteEntry {
    RemoteEntry(
      native: native, described: DescribedTrack(title: title, artist: "Nina", isrc: isrc, recordingID: mbid))
  }

  private func local(
    _ id: Int64, _ native: String?, _ title: String, isrc: String? = nil, mbid: String? = nil
  ) -> LocalEntry {
    let described = DescribedTrack(title: title, artist: "Nina", isrc: isrc, recordingID: mbid)
    return LocalEntry(id: id, track: SyncTrack(native: native, described: described))
  }

  private func pairs(_ local: [LocalEntry], _ remote: [RemoteEntry]) -> [[Int?]] {
    ListMatching(ListState(), local, remote).elements.map { [$0.local, $0.remote] }
  }

  @Test func newEntriesAreMatchedByEachKindOfKey() {
    #expect(pairs([local(1, "n", "A")], [remote("n", "B")]) == [[0, 0]])
    #expect(pairs([local(1, nil, "A", isrc: "US-AB1-23-45678")], [remote("n", "B", isrc: "usab12345678")]) == [[0, 0]])
    #expect(pairs([local(1, nil, "A", mbid: "1f")], [remote("n", "B", mbid: "1F")]) == [[0, 0]])
    #expect(pairs([local(1, nil, "Ä (2011 Remaster)")], [remote("n", "ä")]) == [[0, 0]])
    #expect(pairs([local(1, nil, "A")], [remote("n", "B")]) == [[0, nil], [nil, 0]])
    // A title without an artist, and a text that is both an ISRC and a title, are no keys.
    #expect(pairs([local(1, nil, "")], [remote("n", "")]) == [[0, nil], [nil, 0]])
  }

  @Test func theSurestKeyIsMatchedFirst() {
    let ours = [local(1, nil, "Song"), local(2, nil, "Song", isrc: "USAB12345678"), local(3, "c", "Song")]
    let theirs = [remote("c", "Song"), remote("b", "Song", isrc: "USAB12345678"), remote("a", "Song")]
    #expect(pairs(ours, theirs) == [[0, 2], [1, 1], [2, 0]])
  }

  @Test func duplicatesAreCounted() {
    let ours = [local(1, "n", "Song"), local(2, "n", "Song")]
    #expect(pairs(ours, [remote("n", "Song")]) == [[0, 0], [1, nil]])
    #expect(pairs([ours[0]], [remote("n", "Song"), remote("n", "Song")]) == [[0, 0], [nil, 1]])
  }

  @Test func anEntryWithAnotherIDOfTheProviderStaysTheSame() throws {
    var pair = try ListPair("abc", .spotify)
    pair.remote.entries[1].native = "relinked"
    try pair.settle()
    #expect(pair.here == "abc" && pair.there == "arelinkedc" && pair.plan.waiting == 0)
    pair.local.entries.remove(at: 1)
    try pair.run()
    #expect(pair.here == "ac" && pair.there == "ac")
  }

  @Test func anEntryThatTheProviderDoesNotHaveIsKeptAndNamed() throws {
    var pair = try ListPair("ab", .spotify)
    pair.local.insert(SyncTrack(native: nil, described: FakeTracks.described("x")), at: 1)
    for _ in 0..<3 { try pair.run() }
    #expect(pair.here == "aTitle xb" && pair.there == "ab" && pair.plan.unplaced == [3])
    // It is recognised when it appears there.
    pair.edit(there: "abx")
    try pair.settle()
    #expect(pair.here == "aTitle xb" && pair.plan.unplaced.isEmpty && pair.there == "axb")
  }
}
