import Bus
import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People
@testable import Records
@testable import Sources

/// Counts of plays that other players wrote into tags are taken over where a person asks for it, and so is the way
/// back.
@Suite(.timeLimit(.minutes(2)))
struct PlayImportTests {
  private func write(_ catalogue: TestCatalogue, _ folder: String, _ counts: [String?], album: String? = nil) throws {
    for (index, count) in counts.enumerated() {
      try catalogue.tree.flac(
        "\(folder)/\(index + 1).flac",
        ["TITLE=\(folder)\(index + 1)", "ALBUM=\(album ?? folder)", "ARTIST=A", "TRACKNUMBER=\(index + 1)"]
          + (count.map { [$0] } ?? []))
    }
  }

  private func run(
    _ catalogue: TestCatalogue, _ request: Library.ImportPlays = .init(), at seconds: Int64 = 7,
    journal: Journal? = nil
  ) async throws -> Library.ImportedPlays {
    try await PlayImport(database: catalogue.database, publisher: .to(journal), now: { Timestamp(seconds: seconds) })
      .run(
        request)
  }

  private func undo(
    _ catalogue: TestCatalogue, _ kind: Library.ImportKind, isDryRun: Bool = false, journal: Journal? = nil
  ) async throws -> Library.UndoneImport {
    try await ImportUndo(
      database: catalogue.database, kinds: .folders, publisher: .to(journal),
      now: { Timestamp(seconds: 9) }
    ).run(.init(of: kind, isDryRun: isDryRun))
  }

  private func counts(
    _ catalogue: TestCatalogue, _ dimension: Library.CountPlays.Dimension = .track,
    _ filter: Library.PlayFilter = .init()
  ) async throws -> [String] {
    try await catalogue.database.read {
      try History.counts(.init(filter: filter, by: dimension), $0).rows.map { "\($0.title) \($0.plays)" }
    }
  }

  private func unplayed(_ catalogue: TestCatalogue) async throws -> [String] {
    let tags = [Library.Tag(kind: .unplayed, name: "")]
    return try await catalogue.database.read {
      try Catalogue.tracks(.init(tags: tags), randomSeed: 1, $0).items.map(\.title)
        + Catalogue.albums(.init(tags: tags), randomSeed: 1, $0).items.map(\.title)
        + Catalogue.tags(.init(of: .unplayed), $0).items.map { "\($0.albums)" }
    }
  }

  @Test func aCountIsAddedOnceAndNeverLowered() async throws {
    let catalogue = try TestCatalogue()
    try write(catalogue, "a", ["PLAYCOUNT=7", "FMPS_PLAYCOUNT=2.0", nil, "PLAYCOUNT=0"])
    try write(catalogue, "b", ["PLAY_COUNT=3", "PLAYCOUNT=often"])
    try write(catalogue, "c", [nil])
    try await catalogue.refresh()
    let all = Library.ImportedPlays(found: 3, raised: 3, plays: 12)
    #expect(try await run(catalogue, .init(isDryRun: true)) == all)
    #expect(try await counts(catalogue) == [])
    #expect(try await unplayed(catalogue) == ["a1", "a2", "a3", "a4", "b1", "b2", "c1", "a", "b", "c", "3"])
    let folder = LocalPath(bytes: catalogue.tree.path("a"))
    #expect(try await run(catalogue, .init(folder: folder)) == .init(found: 2, raised: 2, plays: 9))
    #expect(try await run(catalogue) == .init(found: 3, raised: 1, same: 2, plays: 3))
    #expect(try await run(catalogue) == .init(found: 3, same: 3))
    #expect(try await counts(catalogue) == ["a1 7", "b1 3", "a2 2"])
    #expect(try await unplayed(catalogue) == ["a3", "a4", "b2", "c1", "c", "1"])

    // A listen is added to the count.
    let tracks = try await catalogue.tracks()
    let listen = try PlaysTests.counted(tracks[0], listen: "l", at: 1_800_000_000)
    try await catalogue.database.write { try ListenRows.record(listen, at: Timestamp(seconds: 1_800_000_000), $0) }
    #expect(try await counts(catalogue) == ["a1 8", "b1 3", "a2 2"])
    #expect(try await counts(catalogue, .album) == ["a 10", "b 3"])
    #expect(try await counts(catalogue, .artist) == ["A 13"])
    #expect(try await counts(catalogue, .track, .init(album: try await catalogue.album("b").id)) == ["b1 3"])
    #expect(try await counts(catalogue, .track, .init(track: tracks[0].id)) == ["a1 8"])
    #expect(
      try await counts(catalogue, .album, .init(artist: try #require(try await catalogue.artists().first).id)) == [
        "a 10", "b 3",
      ])
    // The counts of tags have no time and no room.
    #expect(try await counts(catalogue, .track, .init(since: Timestamp(seconds: 5))) == ["a1 1"])
    #expect(try await counts(catalogue, .room) == ["den 1"])

    try write(catalogue, "a", ["PLAYCOUNT=5", "PLAYCOUNT=20"])
    try await catalogue.refresh()
    #expect(try await run(catalogue) == .init(found: 3, raised: 1, same: 2, plays: 18))
    #expect(try await counts(catalogue) == ["a2 20", "a1 8", "b1 3"])
  }

  @Test func correctedTagsKeepTheCount() async throws {
    let catalogue = try TestCatalogue()
    try write(catalogue, "a", ["PLAYCOUNT=7", "PLAYCOUNT=2"], album: "Blu")
    try await catalogue.refresh()
    _ = try await run(catalogue)
    try write(catalogue, "a", [nil, nil], album: "Blue")
    try await catalogue.refresh()
    #expect(try await counts(catalogue) == ["a1 7", "a2 2"])
    #expect(try await counts(catalogue, .album) == ["Blue 9"])
    // It is not left behind under the names before.
    let rows: Int? = try await catalogue.database.read { try $0.value("SELECT count(*) FROM imported_plays") }
    #expect(rows == 2)
  }

  @Test func theHighestCountOfTheCopiesOfATrackCounts() async throws {
    let catalogue = try TestCatalogue()
    try write(catalogue, "a", ["PLAYCOUNT=7", "PLAYCOUNT=2"])
    try await catalogue.refresh()
    let numbers = try await catalogue.tracks().map { try #require(CatalogueID($0.id)).number }
    _ = try await run(catalogue)
    try await catalogue.write("UPDATE tracks SET shelf = NULL, shown = \(numbers[0]) WHERE id = \(numbers[1])")
    #expect(try await counts(catalogue) == ["a1 7"])
    let track = try #require(try await catalogue.tracks().first)
    #expect(try await counts(catalogue, .track, .init(track: track.id)) == ["a1 7"])
    #expect(try await run(catalogue) == .init(found: 1, same: 1))
  }

  @Test func theLastImportOfCountsIsTakenBack() async throws {
    let catalogue = try TestCatalogue()
    try write(catalogue, "a", ["PLAYCOUNT=7", "PLAYCOUNT=2"])
    try await catalogue.refresh()
    #expect(try await undo(catalogue, .plays) == .init())
    _ = try await run(catalogue)
    try write(catalogue, "a", ["PLAYCOUNT=9", "PLAYCOUNT=2"])
    try await catalogue.refresh()
    _ = try await run(catalogue, at: 8)
    // An import that changes nothing is none.
    _ = try await run(catalogue, at: 9)
    #expect(try await counts(catalogue) == ["a1 9", "a2 2"])
    let expected = Library.UndoneImport(undone: 1, importedAt: Timestamp(seconds: 8))
    #expect(try await undo(catalogue, .plays, isDryRun: true) == expected)
    #expect(try await counts(catalogue) == ["a1 9", "a2 2"])
    #expect(try await undo(catalogue, .ratings) == .init())
    #expect(try await undo(catalogue, .plays) == expected)
    #expect(try await counts(catalogue) == ["a1 7", "a2 2"])
    #expect(try await undo(catalogue, .plays) == .init())
  }

  @Test func anImportAndItsUndoNameTheAlbumsWhoseCountsChanged() async throws {
    let catalogue = try TestCatalogue()
    try write(catalogue, "a", ["PLAYCOUNT=7", "PLAYCOUNT=2"])
    try write(catalogue, "b", ["PLAYCOUNT=1", nil])
    try write(catalogue, "c", [nil])
    try await catalogue.refresh()
    let journal = try await Journal(catalogue.database)
    let named = [try await catalogue.album("a").id, try await catalogue.album("b").id].sorted()
    /// Returns the albums that were named for the last generation, each generation having a fact of its own.
    func changes() async throws -> [[AlbumID]] {
      let (payloads, generation) = try await catalogue.database.read { transaction in
        let payloads: [[UInt8]] = try transaction.values("SELECT payload FROM bus_facts ORDER BY seq")
        return (payloads, try transaction.value("SELECT generation FROM catalogue") as Int64?)
      }
      let facts = try payloads.map { try MessageCoding.decode(Library.CatalogueChanged.self, from: $0) }
      #expect(facts.allSatisfy { !$0.isWide } && facts.last?.generation == generation)
      return facts.map(\.albums)
    }
    _ = try await run(catalogue, journal: journal)
    #expect(try await changes() == [named])
    // An import that changes nothing has nothing to tell, and neither has an undo of nothing.
    _ = try await run(catalogue, at: 8, journal: journal)
    #expect(try await changes() == [named])
    _ = try await undo(catalogue, .plays, journal: journal)
    _ = try await undo(catalogue, .plays, journal: journal)
    #expect(try await changes() == [named, named])
  }

  @Test func ratingsFromBeforeAnImportComeBackUnlessAPersonChangedThem() async throws {
    let catalogue = try TestCatalogue()
    try write(catalogue, "a", ["RATING=4", "RATING=5", "RATING=3", "RATING=2"])
    try await catalogue.refresh()
    let handler = RatingRequestHandler(
      database: catalogue.database, kinds: .folders, publisher: .to(nil), now: { Timestamp(seconds: 8) }
    ) {
      _, _, _ in
    }
    func rate(_ index: Int, _ stars: Double) async throws {
      let id = try await catalogue.tracks()[index].id
      try await handler.rate(.init(id: PlayableID(source: id.source, native: id.native), rating: Rating(stars: stars)))
    }
    func ratings() async throws -> [Double?] {
      try await catalogue.tracks().map { $0.rating.map { Double($0.rawValue) / 2 } }
    }
    try await rate(1, 1)
    let kinds = SourceKinds.folders
    _ = try await RatingImport(
      database: catalogue.database, kinds: kinds, journal: nil, now: { Timestamp(seconds: 7) }
    ).run(.init(replaces: true))
    #expect(try await ratings() == [4, 5, 3, 2])
    // The same rating again is a person's, too.
    try await rate(2, 3)
    // The tags of a track that was renamed since do not matter.
    try write(catalogue, "a", ["RATING=4", "RATING=5", "RATING=3", "RATING=2"], album: "renamed")
    try await catalogue.refresh()
    let expected = Library.UndoneImport(undone: 3, kept: 1, importedAt: Timestamp(seconds: 7))
    #expect(try await undo(catalogue, .ratings, isDryRun: true) == expected)
    #expect(try await undo(catalogue, .ratings) == expected)
    #expect(try await ratings() == [nil, 1, 3, nil])
    try await catalogue.refresh()
    #expect(try await ratings() == [nil, 1, 3, nil])
  }

  @Test func theRatingOfATrackThatLeftIsTakenBackToo() async throws {
    let catalogue = try TestCatalogue()
    try write(catalogue, "a", ["RATING=4"])
    try write(catalogue, "b", [nil])
    try await catalogue.refresh()
    _ = try await RatingImport(
      database: catalogue.database, kinds: .folders, journal: nil,
      now: { Timestamp(seconds: 7) }
    ).run(.init())
    try catalogue.tree.remove("a")
    try await catalogue.refresh(accepting: true)
    #expect(try await undo(catalogue, .ratings).undone == 1)
    let rows: Int? = try await catalogue.database.read { try $0.value("SELECT count(*) FROM ratings") }
    #expect(rows == 0)
  }
}
