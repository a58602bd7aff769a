import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People

/// Smart playlists as a person makes, changes and plays them.
@Suite(.timeLimit(.minutes(2)))
struct SmartPlaylistTests {
  /// A catalogue of 30 albums of ten tracks of three minutes.
  private func stocked() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 30, tracks: 10)
    return catalogue
  }

  private func make(_ catalogue: TestCatalogue, _ rules: String, _ title: String = "Smart") async throws -> Playlist {
    try await catalogue.edit { try $0.create(.init(title: title, rules: rules)) }
  }

  private func page(
    _ catalogue: TestCatalogue, _ id: PlaylistID, after: String? = nil
  ) async throws -> Library.PlaylistPage {
    try await catalogue.database.read { try Catalogue.playlist(.init(id: id, after: after), $0) }
  }

  private func code(_ body: () async throws -> some Sendable) async -> String? {
    do {
      _ = try await body()
      return nil
    } catch { return LunaraError(error).code }
  }

  @Test func itsTracksAreFoundAtEachReadingPageByPage() async throws {
    let catalogue = try await stocked()
    let list = try await make(catalogue, #"{"all":[{"lt":{"tracknumber":10}}],"sort":"title"}"#)
    #expect(list.isSmart && list.isEditable == true && list.trackCount == 270)
    #expect(list.duration == Milliseconds(270 * 180_000))
    let first = try await page(catalogue, list.id)
    #expect(first.tracks.count == 200 && first.entries?.map(\.entry) == Array(1...200))
    let rest = try await page(catalogue, list.id, after: first.next)
    #expect(rest.tracks.count == 70 && rest.next == nil && rest.entries?.first?.entry == 201)
    #expect(Set((first.tracks + rest.tracks).map(\.id)).count == 270)
    #expect(first.rules == #"{"all":[{"lt":{"tracknumber":10}}],"sort":"title"}"#)
    try await catalogue.stock(albums: 1, tracks: 10, from: 2001)
    #expect(try await page(catalogue, list.id).playlist.trackCount == 279)
  }

  @Test func aSearchFindsItWithTheNumberOfItsTracks() async throws {
    let catalogue = try await stocked()
    _ = try await make(catalogue, #"{"all":[{"lt":{"tracknumber":10}}]}"#, "Early ones")
    #expect(try await catalogue.search("early").playlists?.map(\.trackCount) == [270])
  }

  @Test func itIsPlayedInItsOrder() async throws {
    let catalogue = try await stocked()
    let list = try await make(catalogue, #"{"all":[{"gt":{"tracknumber":0}}],"sort":"random","limit":50}"#)
    let shown = try await page(catalogue, list.id).tracks.map(\.id)
    var played: [TrackID] = []
    var after: String?
    repeat {
      let request = Library.ListPlayable(ids: [list.id.playable], after: after)
      let page = try await catalogue.database.read { try Catalogue.playable(request, host: "h1", $0) }
      played += page.tracks.map(\.track.id)
      after = page.next
    } while after != nil
    #expect(played == shown && shown.count == 50)
    // The random order stays.
    #expect(try await page(catalogue, list.id).tracks.map(\.id) == shown)
    #expect(shown != shown.sorted { $0.native < $1.native })
  }

  @Test func rulesAreChangedAndTakenBack() async throws {
    let catalogue = try await stocked()
    let list = try await make(catalogue, #"{"all":[{"is":{"tracknumber":1}}]}"#)
    let changed = try await catalogue.edit {
      try $0.describe(.init(id: list.id, rules: #"{"all":[{"lt":{"tracknumber":3}}]}"#, revision: list.revision))
    }
    #expect(changed.trackCount == 60)
    // Somebody else who saw the former rules is told.
    let late = await code {
      try await catalogue.edit {
        try $0.describe(.init(id: list.id, rules: #"{"all":[{"is":{"tracknumber":9}}]}"#, revision: list.revision))
      }
    }
    #expect(late == "library.changedMeanwhile")
    #expect(try await catalogue.edit { try $0.undo(.init(id: list.id)) }.trackCount == 30)
    try await catalogue.edit { try $0.delete(.init(id: list.id)) }
    let back = try await catalogue.edit { try $0.undo(.init(id: list.id)) }
    #expect(back.isSmart && back.trackCount == 30)
  }

  @Test func nothingIsPutIntoItByHandAndItsCopyIsAList() async throws {
    let catalogue = try await stocked()
    let list = try await make(catalogue, #"{"all":[{"is":{"tracknumber":1}}]}"#)
    let album = AlbumID(source: "plex", native: "a1001").playable
    #expect(
      await code { try await catalogue.edit { try $0.add(.init(id: list.id, ids: [album])) } } == "library.notEditable")
    let refused = await code {
      try await catalogue.edit {
        try $0.create(.init(title: "x", ids: [album], rules: #"{"all":[{"is":{"tracknumber":1}}]}"#))
      }
    }
    #expect(refused == "library.badPlaylist")
    #expect(await code { try await make(catalogue, "{}") } == "library.badRules")
    #expect(try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items.count == 1)
    let copy = try await catalogue.edit { try $0.create(.init(title: "Copy", copyOf: list.id)) }
    #expect(!copy.isSmart && copy.trackCount == 30)
    let entry = try #require(try await catalogue.order(copy.id).first)
    #expect(try await catalogue.edit { try $0.remove(.init(id: copy.id, entries: [entry])) }.trackCount == 29)
  }

  @Test func aPlaylistCannotBePartOfItself() async throws {
    let catalogue = try await stocked()
    let first = try await make(catalogue, #"{"all":[{"is":{"tracknumber":1}}]}"#, "First")
    let second = try await make(catalogue, #"{"all":[{"inPlaylist":{"id":"\#(first.id)"}}]}"#, "Second")
    #expect(second.trackCount == 30)
    let refused = await code {
      try await catalogue.edit {
        try $0.describe(.init(id: first.id, rules: #"{"all":[{"notInPlaylist":{"id":"\#(second.id)"}}]}"#))
      }
    }
    #expect(refused == "library.badRules")
    #expect(try await page(catalogue, first.id).playlist.trackCount == 30)
    // One that names a deleted playlist says so, and the list of playlists still works.
    try await catalogue.edit { try $0.delete(.init(id: first.id)) }
    let listed = try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items
    #expect(listed.map(\.title) == ["Second"] && listed.first?.note?.contains("not here") == true)
    #expect(await code { try await page(catalogue, second.id) } == "library.badRules")
  }

  @Test func aPreviewCountsWithoutMakingAnything() async throws {
    let catalogue = try await stocked()
    let found = try await catalogue.database.read {
      try Catalogue.preview(.init(rules: #"{"all":[{"lt":{"tracknumber":4}}]}"#), $0)
    }
    #expect(found.trackCount == 90 && found.tracks.count == 20 && found.duration == Milliseconds(90 * 180_000))
    #expect(try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items.isEmpty)
  }

  @Test func countsAreKeptWhileNothingChanges() throws {
    let counts = SmartCounts()
    var made = 0
    func count(_ state: String, since start: ContinuousClock.Instant = .now) -> Int {
      counts.count(of: 1, state: state, since: start) {
        made += 1
        return RuleCount(tracks: made, albums: 0, duration: .zero)
      }.tracks
    }
    #expect([count("a"), count("a"), count("b"), count("b")] == [1, 1, 2, 2])
    // A listing that took long shows the former number.
    #expect(count("c", since: .now - .seconds(5)) == 2)
    #expect(count("c") == 3)
  }
}
