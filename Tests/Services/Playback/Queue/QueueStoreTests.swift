import Bus
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara_playback

/// A room's database.
struct QueueStoreTests {
  private func database(_ folder: TemporaryDirectory, migrations count: Int? = nil) throws -> Database {
    let own = count.map { Array(QueueStore.migrations.prefix($0)) } ?? QueueStore.migrations
    return try Database(at: folder.path + "/room.sqlite", migrations: Journal.migrations + own)
  }

  private func subject(_ number: Int) -> Playback.ListenSubject {
    Playback.ListenSubject(
      listen: ListenID(rawValue: "listen-\(number)"), room: .kitchen, item: .numbered(number),
      startedAt: Timestamp(seconds: Int64(number)))
  }

  @Test func aRoomOfAnEarlierVersionIsFoundAsItWas() async throws {
    let folder = TemporaryDirectory()
    let old = try database(folder, migrations: 1)
    let subject = subject(3)
    try await old.write { transaction in
      for (row, number) in [(4, 1), (9, 2), (2, 3)] {
        try transaction.execute(
          "INSERT INTO queue_items (row, place, item) VALUES (?, ?, ?)", row, number * 1000,
          try MessageCoding.encode(QueueItem.numbered(number)))
      }
      try transaction.execute("UPDATE room SET revision = 9, current = 2, position = 4321, volume = 35")
      try transaction.execute(
        "INSERT INTO open_listen (one, listen, subject, heard) VALUES (1, ?, ?, 4000)", subject.listen,
        try MessageCoding.encode(subject))
    }
    await old.close()
    let database = try database(folder)
    let (queue, checkpoint, items) = try await database.read { reader in
      let queue = try QueueStore.queue(in: reader)
      return (
        queue, try QueueStore.checkpoint(in: reader), try QueueStore.items(queue.slots.map(\.row), in: reader)
      )
    }
    #expect(queue.slots.map(\.row) == [4, 9, 2] && queue.current == 2 && queue.revision == 9)
    #expect(items == [1, 2, 3].map { .numbered($0) })
    #expect(checkpoint.progress.position == Milliseconds(4321) && checkpoint.volume == 35)
    #expect(checkpoint.listen == ListenMeter.OpenListen(subject: subject, heard: Milliseconds(4000)))
    #expect(queue.lastAlbum == items[2].track.albumID)
    // Items can be found by entry and by track as well.
    let found = try await database.read { try QueueStore.find(items[1].entry, near: 0, in: queue, $0) }
    #expect(found == 1)
    let rows = try await database.read { try QueueStore.rows(of: [items[0].track.id], in: $0) }
    #expect(rows == [4])
    await database.close()
  }

  @Test func allOfACheckpointIsFoundAgain() async throws {
    let folder = TemporaryDirectory()
    let database = try database(folder)
    let whole = Checkpoint(
      row: 7, progress: .init(position: Milliseconds(1), heard: Milliseconds(2), takenAt: Timestamp(seconds: 3)),
      volume: 4, subject: subject(5), isPlaying: true, repeats: .all, plannedStop: .afterTrack,
      sleepsAt: Timestamp(seconds: 6), isMuted: true,
      output: OutputSettings(
        device: "pulse/a", levelling: .smart, preamp: -2.5, startVolume: 8, maximumVolume: 9, resumesAfterCrash: true,
        resumesLongTracks: true),
      leftTracks: LeftTracks([
        LeftTracks.Place(track: TrackID(source: "files", native: "b"), position: Milliseconds(10)),
        LeftTracks.Place(track: TrackID(source: "files", native: "a"), position: Milliseconds(11)),
      ]))
    for checkpoint in [Checkpoint(), whole, Checkpoint(volume: 3)] {
      try await database.write { try QueueStore.store(checkpoint, known: nil, in: $0) }
      let found = try await database.read { try QueueStore.checkpoint(in: $0) }
      if checkpoint.subject == nil {
        #expect(found.subject == nil)
      } else {
        #expect(found == checkpoint)
      }
      #expect(found.output == checkpoint.output && found.progress == checkpoint.progress)
    }
    await database.close()
  }

  @Test func aThousandListensAreKept() async throws {
    let folder = TemporaryDirectory()
    let database = try database(folder)
    let subjects = (1...1010).map { subject($0) }
    try await database.write { transaction in
      for subject in subjects { try QueueStore.storePlayed(subject, Milliseconds(5), .finished, in: transaction) }
    }
    let count: Int? = try await database.read { try $0.row("SELECT count(*) FROM played") { try $0.value(0) } }
    #expect(count == QueueStore.historyLimit)
    let newest = try await database.read { try QueueStore.played(1_000_000, in: $0) }
    #expect(newest.count == 100 && newest.first?.item == .numbered(1010))
    await database.close()
  }

  @Test func theFormerQueueComesBackAtItsPlaceAndAnEmptyOneDoesNotReplaceIt() async throws {
    let folder = TemporaryDirectory()
    let database = try database(folder)
    let items = (1...3).map { QueueItem.numbered($0) }
    let queue = try await database.write { try QueueStore.replace(Queue(), by: items, current: 1, in: $0) }
    try await database.write { try QueueStore.keepFormer(queue, at: Milliseconds(4321), in: $0) }
    // A move to a room without a queue replaces nothing that a person would miss.
    let empty = try await database.write { try QueueStore.replace(queue, by: [], current: nil, in: $0) }
    try await database.write { try QueueStore.keepFormer(empty, at: .zero, in: $0) }
    let (restored, position, found) = try await database.write {
      let (restored, position) = try QueueStore.restoreFormer(replacing: empty, at: .zero, in: $0)
      return (restored, position, try QueueStore.items(restored.slots.map(\.row), in: $0))
    }
    #expect(restored.current == 1 && position == Milliseconds(4321) && found == items)
    await database.close()
  }

  @Test func anotherCurrentItemIsStoredFromItsStart() async throws {
    let folder = TemporaryDirectory()
    let database = try database(folder)
    let items = (1...3).map { QueueItem.numbered($0) }
    let queue = try await database.write {
      try QueueStore.replace(Queue(), by: items, current: 0, in: $0)
    }
    try await database.write { try QueueStore.store(.init(position: Milliseconds(5000)), in: $0) }
    // Removing another item keeps the position of the current one. Removing the current one does not start the next in
    // its middle.
    for (index, position) in [(2, 5000), (0, 0)] as [(Int, Int64)] {
      let before = queue
      _ = try await database.write { try QueueStore.edit(.remove(at: index), of: before, in: $0)?.revision }
      let found = try await database.read { try QueueStore.checkpoint(in: $0).progress.position }
      #expect(found == Milliseconds(position))
    }
    await database.close()
  }
}

/// Databases of earlier versions, and damaged ones.
struct OldQueueTests {
  private let folder = TemporaryDirectory()
  private var path: String { "\(folder.path)/playback-kitchen.sqlite" }

  private func open(_ report: (LunaraError) -> Void) throws -> Database {
    try Journal.database(
      at: path, migrations: Journal.migrations + QueueStore.migrations, saving: QueueStore.savedTables,
      finish: QueueStore.repairs, report: report)
  }

  private func rows(_ database: Database, _ table: String) async throws -> Int {
    try await database.read { try $0.row("SELECT count(*) FROM \(table)") { try $0.value(0) } ?? -1 }
  }

  @Test(arguments: OldDatabase.versions) func theRowsOfEarlierVersionsAreKept(_ version: String) async throws {
    let before = try await OldDatabase.make("playback", of: version, at: path)
    let database = try open { Issue.record($0) }
    if version == OldDatabase.newest { #expect(try await OldDatabase.lost(of: before, in: database) == []) }
    #expect(try await rows(database, "queue_items") == 2)
    #expect(try await rows(database, "played") == 2)
    let volume = try await database.read { try $0.row("SELECT volume FROM room") { try $0.value(0) as Int } }
    #expect(volume == 37)
    let names = try await database.read { try $0.rows("SELECT name FROM migration") { try $0.value(0) as String } }
    #expect(ServiceSchema.playback.migrationNames.sorted() == names.sorted())
    await database.close()
  }

  @Test func aDamagedRoomKeepsItsQueueAndWhatItPlayed() async throws {
    try await OldDatabase.make("playback", of: "0.1", at: path)
    await (try open { Issue.record($0) }).close()
    Salvage.request(for: path)
    var reports = 0
    let database = try open { _ in reports += 1 }
    #expect(reports == 1)
    #expect(try await rows(database, "queue_items") == 2)
    #expect(try await rows(database, "played") == 2)
    #expect(try await database.read { try QueueStore.queue(in: $0) }.slots.count == 2)
    await database.close()
  }
}
