import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Bus

/// Journals that were restored from a backup.
@Suite struct JournalRestoringTests {
  let folder = TemporaryDirectory()

  private var path: String { "\(folder.path)/j.sqlite" }
  private var copy: String { "\(folder.path)/copy.sqlite" }
  private let moment = Timestamp(seconds: 1_700_000_000)

  private func open(_ path: String) throws -> Database {
    try Journal.database(at: path, migrations: Journal.migrations) { Issue.record($0) }
  }

  private func readAll(_ journal: Journal, from start: ReplayStart) async throws -> [Int64] {
    try await journal.page(from: start).facts.map(\.seq)
  }

  /// Appends two facts, copies the database and appends two more; returns the end of the original.
  private func copied() async throws -> JournalPosition {
    let database = try open(path)
    let journal = try await Journal(database)
    try await journal.strike([1, 2])
    try Journal.snapshots(of: [path])[0].copy(to: copy)
    try await journal.strike([3, 4])
    await database.close()
    let again = try open(path)
    let later = try await Journal(again)
    try await later.strike([5])
    await again.close()
    return later.current.end
  }

  @Test func aRestoredJournalGoesOnAsAnotherWhereTheCopyEndsAndKnowsSinceWhen() async throws {
    let end = try await copied()
    try Journal.markRestored(copy, replacing: path, at: moment)
    let database = try open(copy)
    let journal = try await Journal(database) { #expect($0.code == "bus.journalWentBack") }
    #expect(journal.identity != end.journal && journal.descends(from: end.journal))
    // Other nodes order the node's messages by the numbers of its starts.
    #expect(journal.epoch > end.epoch)
    #expect(try await database.read { try Journal.restoredAt($0) } == moment)
    try await journal.strike([10, 11])
    // A reader of the lost facts misses no new fact, and reads none a second time.
    #expect(try await readAll(journal, from: .after(end)) == [3, 4])
    let behind = JournalPosition(journal: end.journal, epoch: 1, seq: 1)
    #expect(try await readAll(journal, from: .after(behind)) == [2, 3, 4])
    await database.close()
    // The next start continues the same journal.
    let again = try open(copy)
    let next = try await Journal(again) { Issue.record($0) }
    #expect(next.identity == journal.identity && next.epoch == journal.epoch + 1)
    #expect(try await again.read { try Journal.restoredAt($0) } == moment)
    await again.close()
  }

  @Test func aRestoreUnderAClockThatWasAheadIsPutRightAtTheNextStart() async throws {
    _ = try await copied()
    let now = Timestamp.now()
    try Journal.markRestored(copy, replacing: path, at: Timestamp(microseconds: now.microseconds + 31_536_000_000_000))
    for isRight in [false, true] {
      let database = try open(copy)
      _ = try await Journal(database) { #expect($0.code == "bus.journalWentBack") }
      let restoredAt = try #require(try await database.read { try Journal.restoredAt($0) })
      #expect((restoredAt <= .now()) == isRight && restoredAt >= now)
      await database.close()
    }
  }

  @Test func aStartThatWasCutOffAfterItsFirstCommitIsRepeated() async throws {
    let end = try await copied()
    try Journal.markRestored(copy, replacing: path, at: moment)
    let note = try TestFiles.read(copy + ".start")
    let first = try open(copy)
    _ = try await Journal(first)
    await first.close()
    // The state of a process that was killed before it wrote the note.
    try TestFiles.write(note, to: copy + ".start")
    let second = try open(copy)
    let journal = try await Journal(second)
    try await journal.strike([10])
    #expect(try await readAll(journal, from: .after(end)) == [3])
    await second.close()
  }

  @Test func aDatabaseOfAnEarlierVersionAndOneWithoutAJournalCanBeRestoredAsWell() async throws {
    for (name, migrations) in [
      ("old", Array(Journal.migrations.prefix(2))), ("none", [Migration("t", "CREATE TABLE t (a)")]),
    ] {
      let path = "\(folder.path)/\(name).sqlite"
      await (try Database(at: path, migrations: migrations)).close()
      #expect(try Journal.snapshots(of: [path]).count == 1)
      try Journal.markRestored(path, replacing: path, at: moment)
    }
    let old = try open("\(folder.path)/old.sqlite")
    _ = try await Journal(old)
    await old.close()
  }

  @Test func noSnapshotOfAReaderIsAheadOfThatOfItsPublisher() async throws {
    let (publisher, reader) = (try open(path), try open(copy))
    let journal = try await Journal(publisher)
    let writing = Task {
      for number in 1...400 {
        try await journal.strike([number])
        let end = journal.current.end
        try await reader.write {
          _ = try $0.execute(
            "INSERT OR REPLACE INTO bus_cursors (reader, node, journal, epoch, seq, moved) VALUES ('r', 'a@b', ?, ?, ?, 0)",
            end.journal, end.epoch, end.seq)
        }
      }
    }
    for _ in 0..<50 {
      // The reader is copied last, so that its copy tends to be ahead.
      let snapshots = try Journal.snapshots(of: [path, copy])
      let head = try snapshots[0].read {
        try $0.row("SELECT ifnull(max(seq), 0) FROM bus_facts") { try $0.value(0) as Int64 }
      }
      let read = try snapshots[1].read { try $0.row("SELECT seq FROM bus_cursors") { try $0.value(0) as Int64 } }
      #expect((read ?? 0) <= (head ?? 0))
      await Task.yield()
    }
    try await writing.value
    await publisher.close()
    await reader.close()
  }

  @Test func aReaderThatStaysAheadDoesNotHoldABackupUpForEver() async throws {
    let (publisher, reader) = (try open(path), try open(copy))
    let journal = try await Journal(publisher)
    let identity = journal.identity
    try await reader.write {
      _ = try $0.execute(
        "INSERT INTO bus_cursors (reader, node, journal, epoch, seq, moved) VALUES ('r', 'a@b', ?, 1, 99, 0)", identity)
    }
    #expect(try Journal.snapshots(of: [path, copy]).count == 2)
    await publisher.close()
    await reader.close()
  }

  @Test func theDigestOfAFileIsThatOfSha256sum() throws {
    try TestFiles.write(Array("abc".utf8), to: path)
    let (text, size) = try FileDigest.of(path)
    #expect(text == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" && size == 3)
    #expect(throws: LunaraError.self) { try FileDigest.of("\(folder.path)/none") }
  }
}
