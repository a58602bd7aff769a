import Bus
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records

/// Listens that end, and listens from before a track was deleted and came back.
@Suite(.timeLimit(.minutes(2)))
struct ListenTests {
  static func ended(
    _ track: Track, listen: String, _ reason: Playback.EndReason = .finished, heard: Int64 = 20_000,
    room: String = "den", at seconds: Int64 = 1_800_000_000
  ) throws -> Playback.ListenEnded {
    let item = QueueItem(entry: EntryID(rawValue: "e"), track: track, origin: .init(node: "cli@main"))
    return Playback.ListenEnded(
      subject: Playback.ListenSubject(
        listen: ListenID(rawValue: listen), room: try #require(RoomName(room)), item: item,
        startedAt: Timestamp(seconds: seconds)),
      heard: Milliseconds(heard), reason: reason)
  }

  private func catalogue() async throws -> (TestCatalogue, [Track]) {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A", "DATE=1999"])
    try await catalogue.refresh()
    return (catalogue, try await catalogue.tracks())
  }

  private func plays(_ catalogue: TestCatalogue, _ filter: Library.PlayFilter = .init()) async throws -> [Library.Play]
  {
    try await catalogue.database.read { try History.plays(.init(filter: filter), $0).items }
  }

  @Test func aListenLeftEarlyIsASkip() async throws {
    let (catalogue, tracks) = try await catalogue()
    let skipped = try Self.ended(tracks[0], listen: "l1", .skipped)
    let finished = try Self.ended(tracks[1], listen: "l2", .finished, at: 1_800_000_100)
    try await catalogue.database.write { transaction in
      for _ in 0..<2 {
        try ListenRows.record(skipped, transaction)
        try ListenRows.record(finished, transaction)
      }
    }
    let plays = try await plays(catalogue)
    #expect(plays.map(\.skipped) == [false, true] && plays.allSatisfy { !$0.counted })
    #expect(plays.map(\.track) == [tracks[1], tracks[0]])
    #expect(plays[1].heard == Milliseconds(20_000) && plays[1].room.rawValue == "den")
    #expect(try await catalogue.album("X").lastPlayedAt == nil)
  }

  @Test func whatWasHeardBeforeTheClockWasSetMovesWithIt() async throws {
    let (catalogue, tracks) = try await catalogue()
    let old = try Self.ended(tracks[0], listen: "l1", at: 1_800_000_000)
    let new = try Self.ended(tracks[1], listen: "l2", at: 50)
    var clock = ClockReference(now: Timestamp(seconds: 20), sinceBoot: 20_000_000)
    let found = clock.step(now: Timestamp(seconds: 1_800_001_000), sinceBoot: 100_000_000)
    let step = try #require(found)
    let played = try await catalogue.database.write { transaction in
      for ended in [old, new] {
        try ListenRows.record(ended, transaction)
        let counted = Scrobble.ListenCounted(subject: ended.subject, heard: ended.heard, withheld: nil)
        try ListenRows.record(counted, at: ended.subject.startedAt, transaction)
      }
      try transaction.execute("UPDATE sources SET refreshed_at = ?", Timestamp(seconds: 60))
      try transaction.execute("UPDATE albums SET played_at = ?", Timestamp(seconds: 50))
      // Listens that were here when the service started are of another boot.
      let newest = try ClockCorrection.newestListen(transaction)
      let isNone = try ClockCorrection.apply(step, after: newest, transaction).isEmpty
      #expect(isNone)
      try transaction.execute("UPDATE sources SET refreshed_at = ?", Timestamp(seconds: 60))
      return try ClockCorrection.apply(step, after: 0, transaction)
    }
    let moved = Timestamp(seconds: 1_800_000_950)
    #expect(try await plays(catalogue).map(\.startedAt) == [moved, Timestamp(seconds: 1_800_000_000)])
    #expect(try await catalogue.album("X").lastPlayedAt == moved && played.map(\.at) == [moved])
    #expect(try await catalogue.state().sources.first?.lastRefreshed == Timestamp(seconds: 1_800_000_960))
    let days: [Int64] = try await catalogue.database.read {
      try $0.rows("SELECT DISTINCT day FROM listens") { try $0.value(0) }
    }
    #expect(days.allSatisfy { $0 > 20_270_000 })
  }

  @Test func aLengthThatARoomFoundIsLearnedAndKept() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(100, "Album 1")
    let server = FakeServer(contents)
    server.change { for index in $0.tracks.indices { $0.tracks[index].duration = .zero } }
    try await catalogue.refresh(server)
    let before = try await catalogue.tracks()
    func report(_ index: Int, _ length: Int64, _ reason: Playback.EndReason) async throws {
      var track = before[index]
      track.duration = Milliseconds(length)
      let ended = try Self.ended(track, listen: "l\(index)\(length)", reason, heard: 1000)
      try await catalogue.database.write { try ListenRows.record(ended, $0) }
    }
    func lengths() async throws -> [Int64] { try await catalogue.tracks().map(\.duration.rawValue) }
    try await report(0, 90_000, .finished)
    try await report(1, 80_000, .skipped)
    #expect(try await lengths() == [90_000, 0, 0])
    #expect(try await catalogue.album("Album 1").duration == Milliseconds(90_000))
    // The first learned length stays, even if the server changes something else.
    try await report(0, 95_000, .finished)
    server.change { $0.tracks[0].year = 1950 }
    try await catalogue.refresh(server)
    #expect(try await lengths() == [90_000, 0, 0])
    // A length from the server takes precedence.
    server.change { $0.tracks[0].duration = Milliseconds(91_000) }
    try await catalogue.refresh(server)
    #expect(try await lengths() == [91_000, 0, 0])
    #expect(try await catalogue.album("Album 1").duration == Milliseconds(91_000))
  }

  @Test func aDescribedTrackIsHeardAsTheTrackThatItMeans() async throws {
    let (catalogue, tracks) = try await catalogue()
    let known = DescribedTrack(title: tracks[0].title.uppercased(), artist: "A")
    let unknown = DescribedTrack(title: "Elsewhere", artist: "Nobody")
    for (listen, described) in [("l1", known), ("l2", unknown)] {
      var counted = try PlaysTests.counted(described.track, listen: listen)
      counted.subject.item.described = described
      let fact = counted
      try await catalogue.database.write { try ListenRows.record(fact, at: Timestamp(seconds: 9), $0) }
    }
    let plays = try await plays(catalogue)
    #expect(Set(plays.map(\.track.id)) == [tracks[0].id, unknown.track.id])
    #expect(plays.first { $0.track.id.isDescribed }?.track.title == "Elsewhere")
    #expect(try await catalogue.album("X").lastPlayedAt == Timestamp(seconds: 9))
  }

  @Test(arguments: [true, false]) func oneThatCountedIsNoSkipInWhateverOrderItIsTold(isCountFirst: Bool) async throws {
    let (catalogue, tracks) = try await catalogue()
    let counted = try PlaysTests.counted(tracks[0], listen: "l1")
    let ended = try Self.ended(tracks[0], listen: "l1", .skipped, heard: 120_000)
    try await catalogue.database.write { transaction in
      if isCountFirst { try ListenRows.record(counted, at: Timestamp(seconds: 9), transaction) }
      try ListenRows.record(ended, transaction)
      if !isCountFirst { try ListenRows.record(counted, at: Timestamp(seconds: 9), transaction) }
    }
    let play = try #require(try await plays(catalogue).first)
    #expect(play.counted && !play.skipped && play.heard == Milliseconds(120_000))
    #expect(try await catalogue.album("X").lastPlayedAt == Timestamp(seconds: 9))
  }

  @Test func aListenThatWentOnInAnotherRoomIsOne() async throws {
    let (catalogue, tracks) = try await catalogue()
    let counted = try PlaysTests.counted(tracks[0], listen: "l1")
    let ended = try Self.ended(tracks[0], listen: "l1", .finished, heard: 190_000, room: "bath")
    try await catalogue.database.write { transaction in
      try ListenRows.record(counted, at: Timestamp(seconds: 9), transaction)
      try ListenRows.record(ended, transaction)
    }
    let plays = try await plays(catalogue)
    #expect(plays.count == 1 && plays[0].counted && plays[0].heard == Milliseconds(190_000))
  }

  @Test func aTrackThatCouldNotBePlayedWasNotHeard() async throws {
    let (catalogue, tracks) = try await catalogue()
    let failed = try Self.ended(tracks[0], listen: "l1", .failed, heard: 0)
    try await catalogue.database.write { try ListenRows.record(failed, $0) }
    #expect(try await plays(catalogue).isEmpty)
  }

  @Test func aTrackThatReturnsHasItsFormerListens() async throws {
    let (catalogue, tracks) = try await catalogue()
    let counted = try PlaysTests.counted(tracks[0], listen: "l1")
    try await catalogue.database.write { try ListenRows.record(counted, at: Timestamp(seconds: 50), $0) }
    try catalogue.tree.remove("x")
    try await catalogue.refresh(accepting: true)
    #expect(try await plays(catalogue).count == 1)
    try catalogue.tree.album("y", ["ALBUM=X", "ARTIST=A", "DATE=1999"])
    for number in 1...3 {
      let tags = ["TITLE=Song \(number) of x", "TRACKNUMBER=\(number)", "ALBUM=X", "ARTIST=A", "DATE=1999"]
      try catalogue.tree.flac("y/0\(number).flac", tags)
    }
    try await catalogue.refresh()
    let again = try await catalogue.tracks()
    #expect(again[0].id == tracks[0].id)
    #expect(try await plays(catalogue, .init(track: again[0].id)).map(\.listen.rawValue) == ["l1"])
    #expect(try await catalogue.album("X").lastPlayedAt == Timestamp(seconds: 50))
  }
}

/// The rows of listens.
@Suite(.timeLimit(.minutes(2)))
struct PlaysTests {
  static func counted(_ track: Track, listen: String, at seconds: Int64 = 1_800_000_000) throws
    -> Scrobble.ListenCounted
  {
    let item = QueueItem(entry: EntryID(rawValue: "e"), track: track, origin: .init(node: "cli@main"))
    return Scrobble.ListenCounted(
      subject: Playback.ListenSubject(
        listen: ListenID(rawValue: listen), room: try #require(RoomName("den")), item: item,
        startedAt: Timestamp(seconds: seconds)),
      heard: Milliseconds(95_000))
  }

  private func plays(_ catalogue: TestCatalogue) async throws -> [String] {
    try await catalogue.database.read { transaction in
      try History.plays(.init(), transaction).items.map {
        "\($0.listen) \($0.track.title) \($0.room) \($0.heard.rawValue)"
      }
    }
  }

  @Test func aListenIsKeptOnceHoweverOftenItIsTold() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    let track = try await catalogue.tracks()[1]
    let counted = try Self.counted(track, listen: "l1")
    for time in [100, 200, 300] {
      try await catalogue.database.write { try ListenRows.record(counted, at: Timestamp(seconds: Int64(time)), $0) }
    }
    #expect(try await plays(catalogue) == ["l1 Song 2 of x den 95000"])
    #expect(try await catalogue.album("X").lastPlayedAt == Timestamp(seconds: 100))
  }

  @Test func aPlayOfAnAlbumIsReportedOnceWithTheAlbumThatIsShown() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    let (album, track) = (try await catalogue.album("X"), try await catalogue.tracks()[1])
    let elsewhere = DescribedTrack(title: "Elsewhere", artist: "Nobody")
    let journal = try await Journal(catalogue.database)
    let recorder = ListenRecorder(log: .quiet, journal: journal)
    let listens = [
      try Self.counted(track, listen: "l1"), try Self.counted(track, listen: "l1"),
      try Self.counted(elsewhere.track, listen: "l2"), try Self.counted(track, listen: "l3"),
    ]
    for (index, listen) in listens.enumerated() {
      try await catalogue.database.write {
        try recorder.record(listen, at: Timestamp(seconds: Int64(100 + index)), $0)
      }
    }
    let played = try await catalogue.database.read {
      try $0.rows("SELECT payload FROM bus_facts ORDER BY seq") { try $0.value(0) as [UInt8] }
    }.map { try MessageCoding.decode(Library.AlbumPlayed.self, from: $0) }
    #expect(played.map(\.album) == [album.id, album.id])
    #expect(played.map(\.at) == [Timestamp(seconds: 100), Timestamp(seconds: 103)])
  }

  @Test func albumsAreSortedByWhatWasHeardLast() async throws {
    let catalogue = try TestCatalogue()
    for name in ["a", "b", "c"] { try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=A"], tracks: 1) }
    try await catalogue.refresh()
    for (index, name) in ["c", "a"].enumerated() {
      let track = try #require(try await catalogue.tracks(of: catalogue.album(name)).first)
      let counted = try Self.counted(track, listen: name)
      try await catalogue.database.write {
        try ListenRows.record(counted, at: Timestamp(seconds: Int64(10 + index)), $0)
      }
    }
    #expect(try await catalogue.albums(.played).map(\.title) == ["a", "c", "b"])
  }

  @Test func whatWasHeardSurvivesRescansAndMoves() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    let counted = try Self.counted(try await catalogue.tracks()[0], listen: "l1")
    try await catalogue.database.write { try ListenRows.record(counted, at: Timestamp(seconds: 50), $0) }
    try catalogue.tree.album("x", ["ALBUM=Renamed", "ARTIST=A"], tracks: 2)
    try await catalogue.refresh()
    #expect(try await catalogue.album("Renamed").lastPlayedAt == Timestamp(seconds: 50))
    #expect(try await catalogue.album("X").lastPlayedAt == nil)
    try catalogue.tree.move("x", to: "y")
    try await catalogue.refresh()
    #expect(try await catalogue.album("Renamed").lastPlayedAt == Timestamp(seconds: 50))
  }

  @Test func aListenOfATrackThatIsGoneIsKeptAllTheSame() async throws {
    let catalogue = try TestCatalogue()
    let track = Track(
      id: TrackID(source: "plex", native: "7"), albumID: AlbumID(source: "plex", native: "8"), title: "Gone",
      artist: "A", albumArtist: "A", album: "B", genres: [], duration: Milliseconds(1))
    let counted = try Self.counted(track, listen: "l1")
    try await catalogue.database.write { try ListenRows.record(counted, at: Timestamp(seconds: 50), $0) }
    #expect(try await plays(catalogue) == ["l1 Gone den 95000"])
  }
}
