import Bus
import Messages
import Model
import ServiceKit
import TestSupport
import Testing

import Storage
import System
@testable import lunara_playback

/// The order in which checkpoints and facts are stored.
@Suite struct CheckpointWriterTests {
  /// A writer on a database that records which row was current at each stored position.
  private func with(_ body: (CheckpointWriter, Database) async throws -> Void) async throws {
    let folder = TemporaryDirectory()
    let database = try Database(
      at: folder.path + "/room.sqlite", migrations: Journal.migrations + QueueStore.migrations)
    let journal = try await Journal(database)
    try await database.write {
      try $0.execute("CREATE TABLE seen (row INTEGER, position INTEGER)")
      try $0.execute(
        """
        CREATE TEMP TRIGGER look AFTER UPDATE ON progress
          BEGIN INSERT INTO seen SELECT current, new.position FROM room; END
        """)
    }
    try await body(CheckpointWriter(database, journal, room: .kitchen, log: .quiet), database)
    await database.close()
  }

  private func checkpoint(_ row: Int64, at position: Int64) -> Checkpoint {
    Checkpoint(row: row, progress: progress(at: position))
  }

  private func progress(at position: Int64) -> Checkpoint.Progress {
    Checkpoint.Progress(position: Milliseconds(position), takenAt: Timestamp(seconds: 1))
  }

  @Test func howFarATrackHasComeIsNeverStoredForTheOneBefore() async throws {
    try await with { writer, database in
      await writer.record(checkpoint(1, at: 5000), [])
      await writer.flush()
      // The disk is busy while the room moves on to the next track.
      let (isBusy, mayGo) = (Monitor(false), Monitor(false))
      async let held: Void = writer.commit { _ in
        isBusy.change { $0 = true }
        _ = mayGo.wait(atMost: Milliseconds(60_000)) { $0 ? true : nil }
      }
      #expect(await eventually { isBusy.change { $0 } })
      await writer.record(progress(at: 59_000))
      await writer.record(checkpoint(2, at: 0), [])
      await writer.record(progress(at: 900))
      mayGo.change { $0 = true }
      try await held
      await writer.flush()
      let seen = try await database.read { reader in
        try reader.rows("SELECT row, position FROM seen") { "\(try $0.value(0) as Int64) \(try $0.value(1) as Int64)" }
      }
      #expect(seen.first == "1 5000" && seen.last == "2 900")
      #expect(seen.allSatisfy { $0 == "1 5000" || $0.hasPrefix("2 ") }, "\(seen)")
    }
  }

  @Test func aFactThatNoJournalTakesDoesNotCostTheOthers() async throws {
    try await with { writer, database in
      var item = QueueItem.numbered(1)
      item.track.title = String(repeating: "x", count: 300 * 1024)
      let error = LunaraError("playback.notAudio", "no")
      await writer.record(
        checkpoint(1, at: 5000),
        [.failed(.numbered(2), error), .failed(item, error), .failed(.numbered(3), error)])
      await writer.flush()
      let facts = try await database.read { reader in
        try reader.rows("SELECT kind, payload FROM bus_facts ORDER BY seq") {
          let payload: [UInt8] = try $0.value(1)
          return try JournalFact(kind: try $0.value(0), payload: payload).word
        }
      }
      #expect(facts == ["failed 2 playback.notAudio", "failed 3 playback.notAudio"])
      #expect(try await database.read { try QueueStore.checkpoint(in: $0) }.row == 1)
    }
  }

  @Test func factsThatWaitForTheDiskComeBeforeThoseOfAMove() async throws {
    try await with { writer, database in
      let error = LunaraError("playback.notAudio", "no")
      try await database.write {
        try $0.execute(
          "CREATE TEMP TRIGGER full BEFORE INSERT ON bus_facts BEGIN SELECT raise(abort, 'full'); END")
      }
      await writer.record(checkpoint(1, at: 5000), [.failed(.numbered(1), error)])
      await writer.flush()
      await #expect(throws: LunaraError.self) { try await writer.commit([.failed(.numbered(2), error)]) { _ in } }
      try await database.write { try $0.execute("DROP TRIGGER full") }
      try await writer.commit([.failed(.numbered(3), error)]) { _ in }
      let facts = try await database.read { reader in
        try reader.rows("SELECT kind, payload FROM bus_facts ORDER BY seq") {
          let payload: [UInt8] = try $0.value(1)
          return try JournalFact(kind: try $0.value(0), payload: payload).word
        }
      }
      #expect(facts == ["failed 1 playback.notAudio", "failed 3 playback.notAudio"])
    }
  }
}
