import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// Listens that end, and what was heard before.
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

  private func plays(_ catalogue: TestCatalogue, _ filter: Library.PlayFilter = .init()) async throws -> [Library.Play] {
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

  @Test func whatCouldNotBePlayedAtAllWasNotHeard() async throws {
    let (catalogue, tracks) = try await catalogue()
    let failed = try Self.ended(tracks[0], listen: "l1", .failed, heard: 0)
    try await catalogue.database.write { try ListenRows.record(failed, $0) }
    #expect(try await plays(catalogue).isEmpty)
  }

  @Test func whatWasHeardComesBackToTracksThatWentAndCame() async throws {
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
    #expect(again[0].id != tracks[0].id)
    #expect(try await plays(catalogue, .init(track: again[0].id)).map(\.listen.rawValue) == ["l1"])
    #expect(try await catalogue.album("X").lastPlayedAt == Timestamp(seconds: 50))
  }

  @Test func whatAnOlderVersionKeptIsKept() async throws {
    let folder = TemporaryDirectory()
    let path = "\(folder.path)/library.sqlite"
    let old = try Database(at: path, migrations: Array(Catalogue.migrations.prefix(1)))
    try await old.write { transaction in
      for (listen, title) in [("l1", "One"), ("l2", "One"), ("l3", "Two")] {
        try transaction.execute(
          """
          INSERT INTO plays (listen, track, album_id, title, artist, album, room, started_at, counted_at, heard)
          VALUES (?, 'files:t7', 'files:a3', ?, 'A', 'X', 'den', 1800000000000000, 1800000060000000, 61000)
          """, listen, title)
      }
    }
    await old.close()
    let database = try Database(at: path, migrations: Catalogue.migrations)
    let plays = try await database.read { try History.plays(.init(), $0).items }
    #expect(plays.map(\.listen.rawValue).sorted() == ["l1", "l2", "l3"])
    #expect(plays.allSatisfy { $0.counted && $0.track.id.description == "files:t7" && $0.heard.rawValue == 61_000 })
    #expect(Set(plays.map(\.track.title)) == ["One", "Two"])
    await database.close()
  }
}
