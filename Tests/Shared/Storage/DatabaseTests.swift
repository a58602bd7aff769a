import FoundationEssentials
import Model
@testable import Storage
import System
import TestSupport
import Testing

@Suite struct SnapshotTests {
  @Test func aReadSeesOneMomentWhileOthersAreCommitted() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await database.add("before")
    enum Stage { case starting, hasRead, mayGoOn }
    let stage = Monitor(Stage.starting)
    async let views = database.read { transaction in
      let first = try transaction.words()
      stage.change { $0 = .hasRead }
      _ = stage.wait { $0 == .mayGoOn ? true : nil }
      return [first, try transaction.words()]
    }
    #expect(await eventually { stage.change { $0 == .hasRead } })
    try await database.add("after")
    #expect(try await database.words() == ["before", "after"])
    stage.change { $0 = .mayGoOn }
    #expect(try await views == [["before"], ["before"]])
    await database.close()
  }

  @Test func twoReadsRunBesideEachOther() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let met = Monitor(0)
    // Each read waits for the other, so this ends only if both run at once.
    let both: @Sendable (ReadTransaction) throws -> Bool = { _ in
      met.change { $0 += 1 }
      return met.wait(atMost: Milliseconds(60_000)) { $0 == 2 ? true : nil } ?? false
    }
    async let first = database.read(both)
    async let second = database.read(both)
    #expect(try await [first, second] == [true, true])
    await database.close()
  }

  @Test func aReadStartedAfterAWriteReturnedSeesIt() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    for number in 1...200 {
      try await database.add("x")
      #expect(try await database.words().count == number)
    }
    await database.close()
  }
}

@Suite struct PriorityTests {
  @Test func changesThatWaitGoBeforeThoseInTheBackground() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await withThrowingTaskGroup(of: Void.self) { group in
      try await withBusyWriter(database) {
        for (count, (word, priority)) in [
          ("step 1", JobPriority.background), ("step 2", .background), ("person 1", .normal), ("person 2", .normal),
        ].enumerated() {
          group.addTask {
            try await database.write(priority: priority) {
              _ = try $0.execute("INSERT INTO word (text) VALUES (?)", word)
            }
          }
          let waits = await eventually(equals: count + 1) { database.waitingWrites }
          #expect(waits)
        }
      }
      try await group.waitForAll()
    }
    let order: [String] = try await database.read { try $0.values("SELECT text FROM word ORDER BY rowid") }
    #expect(order == ["person 1", "person 2", "step 1", "step 2"])
    await database.close()
  }
}

@Suite struct DatabaseSnapshotTests {
  @Test func aCopyIsOfTheMomentOfTheSnapshotWhateverIsWrittenLater() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await database.add("before")
    let snapshot = try DatabaseSnapshot(of: folder.file())
    try await database.add("after")
    var steps = 0
    try snapshot.copy(to: folder.file("copy.sqlite")) { done, total in
      steps += 1
      #expect(done <= total)
    }
    #expect(steps > 0)
    #expect(try snapshot.migrations() == ["words"])
    try snapshot.renew()
    #expect(try snapshot.read { try $0.words() } == ["before", "after"])
    try DatabaseFile.leaveWAL(folder.file("copy.sqlite"))
    #expect(try DatabaseFile.problem(of: folder.file("copy.sqlite")) == nil)
    #expect(try folder.mode("copy.sqlite") == 0o600)
    #expect(!FileManager.default.fileExists(atPath: folder.file("copy.sqlite-wal")))
    let copy = try Database(at: folder.file("copy.sqlite"), migrations: wordTables)
    #expect(try await copy.words() == ["before"])
    await copy.close()
    await database.close()
  }

  @Test func copyingCanBeCancelled() async throws {
    struct Enough: Error {}
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let snapshot = try DatabaseSnapshot(of: folder.file())
    #expect(throws: Enough.self) { try snapshot.copy(to: folder.file("copy.sqlite")) { _, _ in throw Enough() } }
    try await database.add("still")
    #expect(try await database.words() == ["still"])
    await database.close()
  }

  @Test func aCheckDescribesDamageAndChangesNothing() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    for number in 0..<200 { try await database.add("\(number) " + String(repeating: "x", count: 100)) }
    await database.close()
    var data = try Data(contentsOf: URL(filePath: folder.file()))
    for offset in data.count - 4096..<data.count { data[offset] = 0xff }
    try data.write(to: URL(filePath: folder.file()))
    #expect(try DatabaseFile.problem(of: folder.file()) != nil)
    #expect(try Data(contentsOf: URL(filePath: folder.file())) == data)
    try Data("no database at all, but some text that is long enough".utf8).write(to: URL(filePath: folder.file("t")))
    #expect(try DatabaseFile.problem(of: folder.file("t")) != nil)
    #expect(throws: LunaraError.self) { try DatabaseSnapshot(of: folder.file("t")) }
    #expect(throws: LunaraError.self) { try DatabaseSnapshot(of: folder.file("none")) }
  }
}
