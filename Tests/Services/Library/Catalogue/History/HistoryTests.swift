import Bus
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records

/// Requests for the listening history.
@Suite(.timeLimit(.minutes(2)))
struct HistoryTests {
  /// Two albums of three tracks: the first track heard three times, the fifth once, the second skipped, over three
  /// days.
  private func catalogue() async throws -> (TestCatalogue, [Track]) {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try catalogue.tree.album("y", ["ALBUM=Y", "ARTIST=B"])
    try await catalogue.refresh()
    let tracks = try await catalogue.tracks()
    let day: Int64 = 86_400
    let counted = try [(0, 0), (0, 1), (0, 2), (4, 2)].enumerated().map { index, heard in
      try PlaysTests.counted(
        tracks[heard.0], listen: "c\(index)", at: 1_800_000_000 + Int64(heard.1) * day + Int64(index))
    }
    let skipped = try ListenTests.ended(
      tracks[1], listen: "s", .skipped, room: "kitchen", at: 1_800_000_000 + 2 * day + 60)
    try await catalogue.database.write { transaction in
      for counted in counted { try ListenRows.record(counted, at: counted.subject.startedAt, transaction) }
      try ListenRows.record(skipped, transaction)
    }
    return (catalogue, tracks)
  }

  private func counts(
    _ catalogue: TestCatalogue, _ dimension: Library.CountPlays.Dimension, _ filter: Library.PlayFilter = .init()
  ) async throws -> [String] {
    try await catalogue.database.read {
      try History.counts(.init(filter: filter, by: dimension), $0).rows.map { "\($0.title) \($0.plays) \($0.skips)" }
    }
  }

  private func listens(_ catalogue: TestCatalogue, _ filter: Library.PlayFilter, limit: Int = 200) async throws
    -> [String]
  {
    var found: [String] = []
    var after: String?
    repeat {
      let request = Library.ListPlays(filter: filter, after: after, limit: limit)
      let page = try await catalogue.database.read { try History.plays(request, $0) }
      found += page.items.map(\.listen.rawValue)
      after = page.next
    } while after != nil
    return found
  }

  @Test func playsAreCountedByTrackAlbumArtistRoomAndDay() async throws {
    let (catalogue, _) = try await catalogue()
    #expect(try await counts(catalogue, .track) == ["Song 1 of x 3 0", "Song 2 of y 1 0", "Song 2 of x 0 1"])
    #expect(try await counts(catalogue, .album) == ["X 3 1", "Y 1 0"])
    #expect(try await counts(catalogue, .artist) == ["A 3 1", "B 1 0"])
    #expect(try await counts(catalogue, .room) == ["den 4 0", "kitchen 0 1"])
    let days = try await counts(catalogue, .day)
    #expect(days.count == 3 && days == days.sorted())
    #expect(days.map { $0.dropFirst(11) } == ["1 0", "1 0", "2 1"] && days.allSatisfy { $0.hasPrefix("2027-01-") })
  }

  @Test func whatOthersMayKnowLeavesOutWithheldAndSkippedListensAndNamesNothingTwice() async throws {
    let (catalogue, tracks) = try await catalogue()
    try await catalogue.database.write { transaction in
      for (index, withheld) in ["private", "artist: A"].enumerated() {
        var counted = try PlaysTests.counted(tracks[5], listen: "w\(index)", at: 1_800_000_000)
        counted.withheld = withheld
        try ListenRows.record(counted, at: counted.subject.startedAt, transaction)
      }
    }
    let now = Timestamp(seconds: 1_800_000_000 + 8 * 86_400)
    let context = try await catalogue.database.read { try ListeningContextQueries.read(at: now, $0) }
    #expect(context.periods.map(\.days) == [7, 30, 183, nil])
    #expect(context.periods.map { $0.tracks.map(\.title) } == [["Song 1 of x", "Song 2 of y"], [], [], []])
    #expect(context.periods[0].artists == ["A", "B"] && context.periods[0].albums.map(\.title) == ["X", "Y"])
    #expect(context.recent.map(\.title) == ["Song 2 of y", "Song 1 of x", "Song 1 of x", "Song 1 of x"])
    // After two months the same is told of the shortest period that has it.
    let later = Timestamp(seconds: 1_800_000_000 + 60 * 86_400)
    let older = try await catalogue.database.read { try ListeningContextQueries.read(at: later, $0) }
    #expect(older.periods.map { $0.tracks.map(\.title) } == [[], [], ["Song 1 of x", "Song 2 of y"], []])
    // Of a listen that counted in an earlier version it is not known.
    try await catalogue.database.write { try $0.execute("UPDATE listens SET is_shareable = NULL") }
    let unknown = try await catalogue.database.read { try ListeningContextQueries.read(at: now, $0) }
    #expect(unknown.recent.isEmpty && unknown.periods.allSatisfy(\.tracks.isEmpty))
  }

  @Test func aFilterNarrowsByMusicRoomAndTime() async throws {
    let (catalogue, tracks) = try await catalogue()
    let (x, y) = (try await catalogue.album("X"), try await catalogue.album("Y"))
    #expect(try await listens(catalogue, .init()) == ["s", "c3", "c2", "c1", "c0"])
    #expect(try await listens(catalogue, .init(track: tracks[0].id)) == ["c2", "c1", "c0"])
    #expect(try await listens(catalogue, .init(album: x.id)) == ["s", "c2", "c1", "c0"])
    #expect(try await listens(catalogue, .init(artist: y.artistID)) == ["c3"])
    #expect(try await listens(catalogue, .init(room: RoomName("kitchen"))) == ["s"])
    #expect(try await listens(catalogue, .init(album: x.id, room: RoomName("den"))) == ["c2", "c1", "c0"])
    let later = Timestamp(seconds: 1_800_000_000 + 86_400)
    #expect(try await listens(catalogue, .init(since: later)) == ["s", "c3", "c2", "c1"])
    #expect(try await listens(catalogue, .init(until: later)) == ["c0"])
    #expect(
      try await counts(catalogue, .track, .init(room: RoomName("den"), since: later)) == [
        "Song 1 of x 2 0", "Song 2 of y 1 0",
      ])
    #expect(try await counts(catalogue, .room, .init(artist: y.artistID)) == ["den 1 0"])
  }

  @Test(arguments: [1, 2, 4, 5]) func pagesHoldEveryListenOnce(limit: Int) async throws {
    let (catalogue, _) = try await catalogue()
    #expect(try await listens(catalogue, .init(), limit: limit) == ["s", "c3", "c2", "c1", "c0"])
    #expect(try await listens(catalogue, .init(room: RoomName("den")), limit: limit) == ["c3", "c2", "c1", "c0"])
  }

  @Test func playsOfAllCopiesOfATrackAreAddedUp() async throws {
    let (catalogue, tracks) = try await catalogue()
    // The fifth track becomes a copy of the first. Track 999 was deleted earlier, and the fifth took its place.
    let (shown, copy) = try (#require(CatalogueID(tracks[0].id)).number, #require(CatalogueID(tracks[4].id)).number)
    try await catalogue.write(
      "UPDATE tracks SET shelf = NULL, shown = \(shown) WHERE id = \(copy)",
      "INSERT INTO heirs (kind, number, heir) VALUES (3, 999, \(copy))")
    var gone = tracks[0]
    gone.id = TrackID(source: "files", native: "t999")
    let counted = try PlaysTests.counted(gone, listen: "g", at: 1_800_000_001)
    try await catalogue.database.write { try ListenRows.record(counted, at: Timestamp(seconds: 1), $0) }
    #expect(try await counts(catalogue, .track).first == "Song 1 of x 5 0")
    for id in [tracks[0].id, tracks[4].id, gone.id] {
      #expect(try await listens(catalogue, .init(track: id)) == ["c3", "c2", "c1", "g", "c0"])
    }
  }

  @Test func playsOfRemovedTracksAreCountedByTheirOldNames() async throws {
    let (catalogue, _) = try await catalogue()
    try catalogue.tree.remove("x")
    try await catalogue.refresh(accepting: true)
    #expect(try await counts(catalogue, .track) == ["Song 1 of x 3 0", "Song 2 of y 1 0", "Song 2 of x 0 1"])
    #expect(try await counts(catalogue, .album) == ["X 3 1", "Y 1 0"])
    #expect(try await counts(catalogue, .artist) == ["A 3 1", "B 1 0"])
  }

  @Test func anUnknownIDIsRefused() async throws {
    let (catalogue, _) = try await catalogue()
    let filter = Library.PlayFilter(album: AlbumID(source: "files", native: "a999"))
    await #expect {
      _ = try await catalogue.database.read { try History.plays(.init(filter: filter), $0) }
    } throws: { LunaraError($0).code == "library.unknownID" }
  }

  @Test func aTrackIsWrittenOnceHoweverOftenItIsHeard() async throws {
    let (catalogue, _) = try await catalogue()
    let rows = try await catalogue.database.read {
      try $0.row("SELECT count(*) FROM listen_tracks") { try $0.value(0) as Int }
    }
    #expect(rows == 3)
  }
}

/// The history on a bus with rooms.
@Suite(.timeLimit(.minutes(2)))
struct HistoryRequestHandlerTests {
  /// A report of a listen in a form that this version does not know.
  private struct OddEnding: Fact {
    static let kind = Playback.ListenEnded.kind
    static let survives = Durability.power
    var subject = "what is this"
  }

  private static func track(_ title: String) -> Track {
    Track(
      id: TrackID(source: "files", native: "t2"), albumID: AlbumID(source: "files", native: "a1"), title: title,
      artist: "A", albumArtist: "A", album: "B", duration: Milliseconds(200_000))
  }

  @Test func everyRoomIsFollowedAlsoOneThatComesLaterAndOneReportHoldsUpNoOther() async throws {
    let bus = try TestBus()
    let database = try bus.database("library", migrations: Catalogue.migrations)
    let library = try await Node.start(.library, in: bus.directory, journal: try await Journal(database))
    let asking = try await bus.node("web@main")
    await HistoryRequestHandler(database: database, log: .quiet).start(on: library)

    func room(_ name: String, _ listens: [String], isOdd: Bool) async throws -> (Node, Database) {
      let store = try bus.database("playback-\(name)")
      let journal = try await Journal(store)
      let ends = try listens.map { try ListenTests.ended(Self.track($0), listen: $0, .skipped, room: name) }
      try await store.write { transaction in
        if isOdd { try journal.append(OddEnding(), in: transaction) }
        for end in ends { try journal.append(end, in: transaction) }
      }
      let id = NodeID.playback(try #require(RoomName(name)))
      return (try await Node.start(id, in: bus.directory, journal: journal), store)
    }
    func heard() async throws -> [String] {
      let page = try await asking.request(Library.ListPlays(), to: .library, within: .seconds(20))
      return page.items.map { "\($0.room) \($0.listen) \($0.skipped)" }.sorted()
    }

    let (den, denStore) = try await room("den", ["l1", "l2"], isOdd: true)
    #expect(try await eventually(equals: ["den l1 true", "den l2 true"]) { try await heard() })
    let (kitchen, kitchenStore) = try await room("kitchen", ["l3"], isOdd: false)
    #expect(try await eventually(equals: ["den l1 true", "den l2 true", "kitchen l3 true"]) { try await heard() })
    let counts = try await asking.request(Library.CountPlays(by: .room), to: .library, within: .seconds(20))
    #expect(counts.rows.map { "\($0.key) \($0.skips)" }.sorted() == ["den 2", "kitchen 1"])
    let kept = try await database.read {
      try $0.rows("SELECT node || ' ' || kind FROM unreadable_facts") { try $0.value(0) as String }
    }
    #expect(kept == ["playback@den playback.listen-ended"])
    for node in [den, kitchen, asking, library] { await node.close() }
    for store in [denStore, kitchenStore, database] { await store.close() }
  }
}
