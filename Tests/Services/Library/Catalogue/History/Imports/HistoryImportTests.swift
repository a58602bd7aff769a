import Messages
import Model
import ServiceKit
import Storage
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// Listens of other programs and services become part of the one history.
@Suite(.timeLimit(.minutes(2)))
struct HistoryImportTests {
  private static let start: Int64 = 1_600_000_000
  private static let now = Timestamp(seconds: 1_800_000_000)

  private func listen(
    _ title: String, _ artist: String = "A", _ album: String? = nil, at seconds: Int64 = 0
  ) -> Scrobble.ImportedListen {
    .init(startedAt: Timestamp(seconds: Self.start + seconds), title: title, artist: artist, album: album)
  }

  @discardableResult
  private func add(
    _ catalogue: TestCatalogue, _ listens: [Scrobble.ImportedListen], name: String = "i"
  ) async throws -> [Int] {
    let answer = try await catalogue.database.write {
      try HistoryImport.add(.init(name: name, listens: listens, isLast: false), at: Self.now, $0)
    }
    return [answer.added, answer.known]
  }

  private func undo(_ catalogue: TestCatalogue) async throws -> Library.UndoneListenImport {
    try await HistoryImportUndo(database: catalogue.database, publisher: .to(nil)).run()
  }

  private func plays(_ catalogue: TestCatalogue, _ filter: Library.PlayFilter = .init()) async throws -> [Library.Play]
  {
    try await catalogue.database.read { try History.plays(.init(filter: filter), $0) }.items
  }

  private func counts(
    _ catalogue: TestCatalogue, by dimension: Library.CountPlays.Dimension
  ) async throws -> [String] {
    try await catalogue.database.read {
      try History.counts(.init(by: dimension), $0).rows.map { "\($0.title) \($0.plays)" }
    }
  }

  private func statistics(_ catalogue: TestCatalogue) async throws -> Library.Statistics {
    try await catalogue.database.read { try StatisticsQueries.read(.init(), at: Self.now, $0) }
  }

  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    return catalogue
  }

  @Test func whatIsImportedIsInPlaysCountsStatisticsAndAlbums() async throws {
    let catalogue = try await catalogue()
    let tracks = try await catalogue.tracks()
    let listens = [
      listen("Song 1 of x", "A", "X"), listen("SONG 1 OF X (Remastered 2009)", "a", at: 400),
      listen("Other", "A", "Y", at: 800), listen("Stray", "B", at: 1200),
    ]
    #expect(try await add(catalogue, listens) == [4, 0])
    let found = try await plays(catalogue)
    // A track of the library is shown as it is there, another one as it was described.
    #expect(found.map(\.track.title) == ["Stray", "Other", "Song 1 of x", "Song 1 of x"])
    #expect(found.map(\.track.id.isDescribed) == [true, true, false, false])
    #expect(found.allSatisfy { $0.counted && $0.room == .elsewhere })
    #expect(found[2].heard == tracks[0].duration && found[2].heard > .zero)
    #expect(try await plays(catalogue, .init(track: tracks[0].id)).count == 2)
    let album = try await catalogue.album("X")
    #expect(album.lastPlayedAt == Timestamp(seconds: Self.start + 400))
    #expect(try await plays(catalogue, .init(artist: album.artistID)).count == 3)
    #expect(try await counts(catalogue, by: .track) == ["Song 1 of x 2", "Stray 1", "Other 1"])
    #expect(try await counts(catalogue, by: .album) == ["X 2", "Y 1"])
    #expect(try await counts(catalogue, by: .artist) == ["A 3", "B 1"])
    #expect(try await counts(catalogue, by: .room) == ["elsewhere 4"])
    let statistics = try await statistics(catalogue)
    #expect(statistics.totals.plays == 4 && statistics.firstDay == "2020-09-13")
    #expect(statistics.albums.map { "\($0.title) \($0.plays) \($0.isHere != false)" } == ["X 2 true", "Y 1 false"])
    #expect(statistics.artists.map { "\($0.title) \($0.plays)" } == ["A 3", "B 1"])
  }

  @Test func noScrobbleAndNoPlayOfAServerComesOfAnImportAndNothingIsNamedToOthers() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(100, "X", by: "A")
    try await catalogue.refresh(FakeServer(contents))
    let track = try #require(try await catalogue.tracks().first)
    #expect(try await add(catalogue, [listen(track.title, track.artist)]) == [1, 0])
    #expect(try await plays(catalogue, .init(track: track.id)).count == 1)
    let (outbox, facts) = try await catalogue.database.read {
      (
        try $0.value("SELECT count(*) FROM play_outbox") as Int?,
        try ListeningContextQueries.read(at: Self.now, $0).recent.count
      )
    }
    #expect(outbox == 0 && facts == 0)
  }

  @Test func aListenIsImportedOnceHoweverOftenAndFromWhereverItComes() async throws {
    let catalogue = try await catalogue()
    let listens = [listen("Song 1 of x"), listen("Stray", "B", at: 395)]
    #expect(try await add(catalogue, listens + listens) == [2, 2])
    #expect(try await add(catalogue, listens, name: "again") == [0, 2])
    // Another service, with other spellings, a few seconds later; an export with whole minutes; another track.
    let others = [
      listen("Song 1 of X - Remastered", "A feat. C", at: 4), listen("Song 1 of x", at: -40),
      listen("stray", "b", "Album", at: 400), listen("Song 2 of x", at: 2),
    ]
    #expect(Self.start % 60 == 40)
    #expect(try await add(catalogue, others, name: "other") == [1, 3])
    // Half a minute later it was heard again.
    #expect(try await add(catalogue, [listen("Song 1 of x", at: 31)], name: "more") == [1, 0])
  }

  @Test func aListenOfARoomIsNotImportedAndReplacesAnImportedOne() async throws {
    let catalogue = try await catalogue()
    let tracks = try await catalogue.tracks()
    let own = try PlaysTests.counted(tracks[0], listen: "own", at: Self.start)
    try await catalogue.database.write { try ListenRows.record(own, at: own.subject.startedAt, $0) }
    #expect(try await add(catalogue, [listen("Song 1 of x", at: 1), listen("Song 2 of x", at: 300)]) == [1, 1])
    // A room that was away tells of the second one only now.
    let late = try PlaysTests.counted(tracks[1], listen: "late", at: Self.start + 299)
    try await catalogue.database.write { try ListenRows.record(late, at: late.subject.startedAt, $0) }
    #expect(try await plays(catalogue).map(\.listen.rawValue) == ["late", "own"])
    // A skipped track is no listen.
    let skipped = try ListenTests.ended(tracks[2], listen: "s", .skipped, room: "den", at: Self.start + 600)
    try await catalogue.database.write { try ListenRows.record(skipped, $0) }
    #expect(try await add(catalogue, [listen("Song 3 of x", at: 600)]) == [1, 0])
  }

  @Test func listensOfMusicThatComesLaterBecomeThoseOfItsTracks() async throws {
    let catalogue = try await catalogue()
    #expect(
      try await add(catalogue, [listen("Song 2 of y", "B", "Y"), listen("Song 2 of y", "Other", at: 300)]) == [2, 0])
    try catalogue.tree.album("y", ["ALBUM=Y", "ARTIST=B"])
    try await catalogue.refresh()
    let linker = EntryLinker(database: catalogue.database, folders: MusicFolders([]), log: .quiet)
    #expect(try await linker.run(isCatalogueChanged: true))
    let track = try await catalogue.track("Song 2 of y")
    let found = try await plays(catalogue, .init(track: track.id))
    #expect(found.map(\.track.id) == [track.id] && found.map(\.heard) == [track.duration])
    #expect(try await catalogue.album("Y").lastPlayedAt == Timestamp(seconds: Self.start))
    #expect(try await counts(catalogue, by: .artist) == ["Other 1", "B 1"])
    #expect(try await !linker.run(isCatalogueChanged: true))
    // When the music leaves, its listens stay by their description, and are found again when it comes back.
    try catalogue.tree.remove("y")
    try await catalogue.refresh(accepting: true)
    #expect(try await plays(catalogue).map(\.track.title) == ["Song 2 of y", "Song 2 of y"])
    try await catalogue.expectSameFromScratch()
  }

  @Test func anImportIsTakenBackWithTheTimesOfItsTracks() async throws {
    let catalogue = try await catalogue()
    let tracks = try await catalogue.tracks()
    let own = try PlaysTests.counted(tracks[0], listen: "own", at: Self.start)
    try await catalogue.database.write { try ListenRows.record(own, at: own.subject.startedAt, $0) }
    let before = try await catalogue.shown()
    try await add(catalogue, [listen("Song 1 of x", at: 500), listen("Song 2 of x", at: 900)])
    let first = try await catalogue.shown()
    #expect(first != before)
    try await add(catalogue, [listen("Song 1 of x", at: 2000), listen("Stray", "B", at: 3000)], name: "second")
    let (second, former) = (try await undo(catalogue), try await catalogue.shown())
    #expect(second.removed == 2 && second.importedAt == Self.now && former == first)
    #expect(try await undo(catalogue).removed == 2)
    #expect(try await catalogue.shown() == before)
    #expect(try await plays(catalogue).map(\.listen.rawValue) == ["own"])
    #expect(try await undo(catalogue) == .init())
    #expect(try await catalogue.database.read { try $0.value("SELECT count(*) FROM listen_tracks") } == 1)
    // What was taken back can be imported again.
    #expect(try await add(catalogue, [listen("Stray", "B", at: 3000)], name: "second") == [1, 0])
  }

  @Test func aLaterListenOfARoomKeepsItsTimeWhenAnImportIsTakenBack() async throws {
    let catalogue = try await catalogue()
    try await add(catalogue, [listen("Song 1 of x", at: 500)])
    let track = try await catalogue.tracks()[0]
    let own = try PlaysTests.counted(track, listen: "own", at: Self.start + 9000)
    try await catalogue.database.write { try ListenRows.record(own, at: own.subject.startedAt, $0) }
    #expect(try await undo(catalogue).removed == 1)
    #expect(try await catalogue.album("X").lastPlayedAt == own.subject.startedAt)
  }

  @Test func anImportWhoseLaterPartIsRefusedIsTakenBackAsAWhole() async throws {
    let catalogue = try await catalogue()
    let before = try await catalogue.shown()
    try await add(catalogue, [listen("Song 1 of x"), listen("Stray", "B", at: 300)])
    await #expect(throws: LunaraError.self) {
      try await add(catalogue, [listen("Song 2 of x", at: 600), listen("Later", at: 300_000_000)])
    }
    #expect(try await plays(catalogue).map(\.track.title) == ["Stray", "Song 1 of x"])
    #expect(try await undo(catalogue).removed == 2)
    #expect(try await catalogue.shown() == before)
    #expect(try await undo(catalogue) == .init())
  }

  @Test func aLengthThatNoTrackHasIsLeftOut() async throws {
    let catalogue = try await catalogue()
    var endless = listen("T")
    endless.duration = .init(.max)
    var other = listen("U", at: 4000)
    other.duration = .init(.max)
    #expect(try await add(catalogue, [endless, other]) == [2, 0])
    #expect(try await plays(catalogue).allSatisfy { $0.track.duration == .zero })
    _ = try await statistics(catalogue)
  }

  @Test(arguments: [
    Scrobble.ImportedListen(startedAt: Timestamp(seconds: 1), title: "", artist: "A"),
    .init(startedAt: Timestamp(seconds: 1), title: "T", artist: ""),
    .init(startedAt: Timestamp(seconds: 0), title: "T", artist: "A"),
    .init(startedAt: Timestamp(seconds: 1_800_200_000), title: "T", artist: "A"),
  ]) func aListenWithoutNameOrTimeIsRefusedAndNothingIsAdded(bad: Scrobble.ImportedListen) async throws {
    let catalogue = try TestCatalogue()
    let error = await #expect(throws: LunaraError.self) { try await add(catalogue, [listen("T"), bad]) }
    #expect(error?.code == "library.badListen")
    #expect(try await plays(catalogue).isEmpty)
  }
}
