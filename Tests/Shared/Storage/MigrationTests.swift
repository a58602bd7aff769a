import Model
import Storage
import Testing

@Suite struct MigrationTests {
  private let first = Migration("first", "CREATE TABLE a (id INTEGER PRIMARY KEY)", "INSERT INTO a VALUES (1)")
  private let second = Migration("second", "CREATE TABLE b (id INTEGER REFERENCES a)", "INSERT INTO b SELECT id FROM a")

  private func open(_ folder: Folder, _ migrations: [Migration]) async -> String? {
    do {
      try await Database(at: folder.file(), migrations: migrations).close()
      return nil
    } catch { return LunaraError(error).code }
  }

  private func count(_ folder: Folder, _ table: String) async throws -> Int? {
    let database = try Database(at: folder.file(), migrations: [first, second])
    let count = try await database.read { try $0.row("SELECT count(*) FROM \(table)") { try $0.value(0) as Int } }
    await database.close()
    return count
  }

  @Test func eachStepRunsOnce() async throws {
    let folder = try Folder()
    #expect(await open(folder, [first]) == nil)
    #expect(await open(folder, [first, second]) == nil)
    #expect(await open(folder, [first, second]) == nil)
    #expect(try await count(folder, "a") == 1)
    #expect(try await count(folder, "b") == 1)
  }

  @Test func aStepPutBeforeOthersThatRanStillRuns() async throws {
    let folder = try Folder()
    #expect(await open(folder, [first]) == nil)
    let new = Migration("new", "CREATE TABLE c (id INTEGER)")
    #expect(await open(folder, [new, first]) == nil)
  }

  @Test func aNewerDatabaseIsRefusedAndLeftAsItIs() async throws {
    let folder = try Folder()
    #expect(await open(folder, [first, second]) == nil)
    #expect(await open(folder, [first]) == "storage.newerSchema")
    #expect(await open(folder, [first, Migration("third", "DROP TABLE a")]) == "storage.newerSchema")
    #expect(try await count(folder, "b") == 1)
  }

  @Test func aStepThatFailsTakesTheOthersOfThisStartWithIt() async throws {
    let folder = try Folder()
    #expect(await open(folder, [first, Migration("second", "CREATE TABLE b (", "SELECT 1")]) == "storage.failed")
    #expect(await open(folder, [first, second]) == nil)
    #expect(try await count(folder, "a") == 1)
  }

  @Test func aTableThatOthersReferToCanBeRebuilt() async throws {
    let folder = try Folder()
    #expect(await open(folder, [first, second]) == nil)
    let rebuild = Migration(
      "rebuild", "CREATE TABLE a2 (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO a2 (id) SELECT id FROM a",
      "DROP TABLE a", "ALTER TABLE a2 RENAME TO a")
    #expect(await open(folder, [first, second, rebuild]) == nil)
    let orphans = Migration("orphans", "DELETE FROM a")
    #expect(await open(folder, [first, second, rebuild, orphans]) == "storage.misuse")
    #expect(await open(folder, [first, second, rebuild]) == nil)
  }

  @Test func foreignKeysAreCheckedAfterwards() async throws {
    let folder = try Folder()
    let database = try Database(at: folder.file(), migrations: [first, second])
    let refused = await code { try await database.write { _ = try $0.execute("INSERT INTO b VALUES (99)") } }
    #expect(refused == "storage.constraint")
    await database.close()
  }

  @Test func twoStepsOfOneNameAreRefused() async throws {
    let folder = try Folder()
    #expect(await open(folder, [first, first]) == "storage.misuse")
  }
}
