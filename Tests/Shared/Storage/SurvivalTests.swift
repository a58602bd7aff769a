import Model
import System
import TestSupport
import Testing

@testable import Storage

@Suite struct SurvivalTests {
  /// Returns the number of syncs of the log while a closure runs.
  private func syncs(of database: Database, _ body: () async throws -> Void) async throws -> Int {
    func count() async throws -> Int { try await database.write { $0.connection.syncs } }
    let before = try await count()
    try await body()
    return try await count() - before
  }

  @Test func onlyAChangeThatMustSurviveAPowerCutIsSynced() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    #expect(try await syncs(of: database) { for _ in 0..<5 { try await database.add("a") } } == 0)
    #expect(try await syncs(of: database) { for _ in 0..<5 { try await database.add("a", .power) } } == 5)
    await database.close()
  }

  @Test func aTransactionRaisesItsDurabilityButNeverLowersIt() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let raised = try await syncs(of: database) {
      try await database.write { transaction in
        try transaction.execute("INSERT INTO word (text) VALUES ('a')")
        transaction.requireDurability(.power)
        transaction.requireDurability(.process)
      }
    }
    #expect(raised == 1)
    let kept = try await syncs(of: database) { try await database.write(.power) { $0.requireDurability(.process) } }
    #expect(kept == 1)
    await database.close()
  }

  @Test func changesThatComeTogetherShareOneSync() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let synced = try await syncs(of: database) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        try await withBusyWriter(database, .power) {
          for _ in 0..<30 { group.addTask { try await database.add("a", .power) } }
          let allWait = await eventually(equals: 30) { database.waitingWrites }
          #expect(allWait)
        }
        try await group.waitForAll()
      }
    }
    #expect(synced == 1)
    #expect(try await database.words().count == 30)
    await database.close()
  }

  @Test func aDiskThatDoesNotConfirmEndsAllWriting() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await database.add("kept")
    let ran = Monitor<[String]>([])
    let failed = try await withThrowingTaskGroup(of: String?.self) { group in
      try await withBusyWriter(database) {
        func add(_ text: String, _ survival: Durability) async throws {
          let waiting = database.waitingWrites
          group.addTask {
            await code {
              try await database.write(survival) { transaction in
                try transaction.execute("INSERT INTO word (text) VALUES (?)", text)
                transaction.afterCommit { ran.change { $0.append(text) } }
              }
            }
          }
          let changeWaits = await eventually(equals: waiting + 1) { database.waitingWrites }
          #expect(changeWaits)
        }
        try await add("before", .process)
        try await add("doubtful", .power)
        try await add("behind", .process)
        // Between the commits and their sync, the log's descriptor is replaced by one that cannot be synced.
        group.addTask { await code { try await database.write { _ in try folder.spoil("test.sqlite-wal") } } }
        let allWait = await eventually(equals: 4) { database.waitingWrites }
        #expect(allWait)
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // Only this change asked for the sync.
    #expect(failed.compactMap(\.self) == ["storage.syncFailed"])
    // Actions that follow this commit or a later one do not run, since the next start may have lost these commits.
    #expect(ran.change { $0 } == ["before"])
    #expect(await code { try await database.add("refused") } == "storage.syncFailed")
    await database.close()
  }
}
