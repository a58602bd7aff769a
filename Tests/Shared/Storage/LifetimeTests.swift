import Glibc
import Model
import TestSupport
import Testing

@testable import Storage

@Suite struct LifetimeTests {
  @Test func closingLeavesNoOpenFileAndNoLog() async throws {
    let folder = try Folder()
    for _ in 0..<20 {
      let database = try wordDatabase(folder)
      try await database.add("a")
      _ = try await database.words()
      await database.close()
    }
    #expect(try folder.openFiles() == 0)
    #expect(access(folder.file("test.sqlite-wal"), F_OK) != 0)
  }

  @Test func aDatabaseThatIsDroppedEndsOfItself() async throws {
    let folder = try Folder()
    do {
      let database = try wordDatabase(folder)
      try await database.add("a")
      #expect(try await database.words() == ["a"])
      #expect(try folder.openFiles() > 0)
    }
    #expect(try await eventually(equals: 0) { try folder.openFiles() })
  }

  @Test func filesAreForTheirOwnerOnly() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await database.add("a")
    #expect(try folder.mode("test.sqlite") == 0o600)
    #expect(try folder.mode("test.sqlite-wal") == 0o600)
    #expect(try folder.mode("test.sqlite-shm") == 0o600)
    await database.close()
    #expect(chmod(folder.file(), 0o644) == 0)
    await (try wordDatabase(folder)).close()
    #expect(try folder.mode("test.sqlite") == 0o600)
  }

  @Test func aClosedDatabaseThrowsItsError() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    await database.close()
    await database.close()
    #expect(await code { try await database.add("a") } == "storage.closed")
    #expect(await code { _ = try await database.words() } == "storage.closed")
  }

  @Test func closingRunsWhatWasAskedForBefore() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await withThrowingTaskGroup(of: Void.self) { group in
      try await withBusyWriter(database) {
        for number in 0..<20 {
          group.addTask { try await database.add("a", number.isMultiple(of: 2) ? .power : .process) }
        }
        let allWait = await eventually(equals: 20) { database.waitingWrites }
        #expect(allWait)
        group.addTask { await database.close() }
      }
      try await group.waitForAll()
    }
    let again = try wordDatabase(folder)
    #expect(try await again.words().count == 20)
    await again.close()
  }

  @Test func idleReadersGoAndComeBack() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder, limits: .init(linger: Milliseconds(50)))
    try await database.add("a")
    let alone = try folder.openFiles()
    for _ in 0..<5 {
      #expect(try await database.words() == ["a"])
      // A reader closes its descriptor of the log first. SQLite keeps that of the database file for the next reader,
      // since closing it would drop the writer's locks (sqlite.org/src/file/src/os_unix.c): one for each of the two
      // readers that may be there at once, as one goes while the next one comes.
      #expect(try await eventually(equals: 1) { try folder.openLogs() })
    }
    #expect(try folder.openFiles() <= alone + 2)
    await database.close()
    #expect(try folder.openFiles() == 0)
  }

  @Test func readersThatComeAndGoUnderLoadAnswerEverything() async throws {
    let folder = try Folder()
    // Threads end almost at once, so that new jobs come while threads end.
    let database = try wordDatabase(folder, limits: .init(linger: .zero))
    try await database.add("a")
    let read = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var count = 0
          for _ in 0..<50 {
            count += try await database.words().count
            if count.isMultiple(of: 7) { try await Task.sleep(for: .microseconds(50)) }
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(read == 400)
    await database.close()
    #expect(try folder.openFiles() == 0)
  }

  @Test func thePreparedStatementsThatAreKeptAreBounded() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let kept = try await database.write { transaction in
      for number in 0..<500 { _ = try transaction.row("SELECT \(number)") { _ in } }
      for _ in 0..<500 { _ = try transaction.row("SELECT ?", 1) { _ in } }
      return transaction.connection.cachedStatements
    }
    #expect(kept <= 64)
    await database.close()
  }
}
