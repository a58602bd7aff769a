import Messages
import Model
import Storage
import Testing

@testable import lunara_library

/// Described listens that earlier versions recorded, whose rows have no keys.
@Suite(.timeLimit(.minutes(2)))
struct EarlierListenTests {
  private static let start: Int64 = 1_600_000_000

  /// A library with the album X by A, and a listen of a described track, as an earlier version stored it.
  private func catalogue(_ title: String, _ artist: String) async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    let described = DescribedTrack(title: title, artist: artist)
    var listen = try PlaysTests.counted(described.track, listen: "own", at: Self.start)
    listen.subject.item.described = described
    let counted = listen
    try await catalogue.database.write { transaction in
      try ListenRows.record(counted, at: counted.subject.startedAt, transaction)
      try transaction.execute("UPDATE listen_tracks SET title_key = NULL, artist_key = NULL")
    }
    return catalogue
  }

  private func add(_ catalogue: TestCatalogue, _ title: String, _ artist: String, at seconds: Int64) async throws
    -> [Int]
  {
    let listen = Scrobble.ImportedListen(
      startedAt: Timestamp(seconds: Self.start + seconds), title: title, artist: artist)
    let answer = try await catalogue.database.write {
      try HistoryImport.add(
        .init(name: "i", listens: [listen], isLast: false), at: Timestamp(seconds: 1_800_000_000), $0)
    }
    return [answer.added, answer.known]
  }

  private func plays(_ catalogue: TestCatalogue, _ filter: Library.PlayFilter) async throws -> [Library.Play] {
    try await catalogue.database.read { try History.plays(.init(filter: filter), $0) }.items
  }

  @Test func anImportJoinsThemAndShowsThemUnderTheirArtist() async throws {
    let catalogue = try await catalogue("Stray", "A")
    #expect(try await add(catalogue, "Stray", "A", at: 5) == [0, 1])
    #expect(try await add(catalogue, "Stray", "A", at: 1000) == [1, 0])
    #expect(try await catalogue.database.read { try $0.value("SELECT count(*) FROM listen_tracks") } == 1)
    let artist = try await catalogue.album("X").artistID
    #expect(try await plays(catalogue, .init(artist: artist)).count == 2)
  }

  @Test func theyBecomeListensOfTheirTrackWhenItsMusicComes() async throws {
    let catalogue = try await catalogue("Song 2 of y", "B")
    try catalogue.tree.album("y", ["ALBUM=Y", "ARTIST=B"])
    try await catalogue.refresh()
    #expect(try await DescribedListenLinker(database: catalogue.database).run())
    let track = try await catalogue.track("Song 2 of y")
    #expect(try await plays(catalogue, .init(track: track.id)).map(\.track.id) == [track.id])
    #expect(try await catalogue.album("Y").lastPlayedAt == Timestamp(seconds: Self.start))
  }

  @Test func theyShowUnderTheirArtistOnceTheLibraryHasChanged() async throws {
    let catalogue = try await catalogue("Stray", "A")
    #expect(try await !DescribedListenLinker(database: catalogue.database).run())
    let artist = try await catalogue.album("X").artistID
    #expect(try await plays(catalogue, .init(artist: artist)).map(\.track.title) == ["Stray"])
  }
}
