import FoundationEssentials
import Model
import Testing

@testable import Storage

@Suite struct SalvageTests {
  private static let tables = [
    Migration(
      "one", "CREATE TABLE fact (seq INTEGER PRIMARY KEY, text TEXT NOT NULL)",
      "CREATE TABLE place (name TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID",
      "CREATE TABLE other (text TEXT)", "CREATE TABLE mark (one INTEGER)")
  ]

  private func opening(_ folder: Folder) throws -> (database: Database, salvage: Salvage?) {
    try Database.open(
      at: folder.file(), migrations: Self.tables, saving: ["place", "fact"], finish: ["INSERT INTO mark VALUES (1)"])
  }

  /// Makes a database of that many facts, and closes it.
  private func filled(_ folder: Folder, _ count: Int = 5000) async throws {
    let (database, salvage) = try opening(folder)
    #expect(salvage == nil)
    try await database.write { transaction in
      for number in 1...count {
        try transaction.execute(
          "INSERT INTO fact VALUES (?, ?)", number, "fact \(number) " + String(repeating: "x", count: 100))
      }
      try transaction.execute("INSERT INTO place VALUES ('a', 1), ('b', 2)")
      try transaction.execute("INSERT INTO other VALUES ('gone')")
    }
    await database.close()
  }

  private func damage(_ folder: Folder, _ change: (inout Data) -> Void) throws {
    var data = try Data(contentsOf: URL(filePath: folder.file()))
    change(&data)
    try data.write(to: URL(filePath: folder.file()))
  }

  private func numbers(_ database: Database) async throws -> [Int] {
    try await database.read { try $0.rows("SELECT seq FROM fact ORDER BY seq") { try $0.value(0) } }
  }

  @Test func aFileThatIsCutInTheMiddleIsReadAsFarAsItGoes() async throws {
    let folder = try Folder()
    try await filled(folder)
    try damage(folder) { $0.removeLast($0.count / 2 / 4096 * 4096) }
    let (database, salvage) = try opening(folder)
    let saved = try await numbers(database)
    #expect(saved.count > 2000 && saved.count < 3500)
    #expect(saved == Array(1...saved.count))
    #expect(
      try await database.read { try $0.rows("SELECT text FROM fact") { try $0.value(0) as String } }.allSatisfy {
        $0.hasPrefix("fact ")
      })
    #expect(
      try await database.read { try $0.rows("SELECT name FROM place") { try $0.value(0) as String } } == ["a", "b"])
    #expect(try await database.read { try $0.rows("SELECT one FROM mark") { try $0.value(0) as Int } } == [1])
    #expect(try await database.read { try $0.rows("SELECT text FROM other") { try $0.value(0) as String } }.isEmpty)
    #expect(salvage?.isWhole == false)
    #expect(salvage?.rows == saved.count + 2)
    #expect(salvage?.cause.code == "storage.corrupt")
    let kept = try #require(salvage?.damaged)
    #expect(FileManager.default.fileExists(atPath: kept))
    await database.close()
    let (again, second) = try opening(folder)
    #expect(second == nil)
    #expect(try await numbers(again) == saved)
    await again.close()
    #expect(try folder.openFiles() == 0)
  }

  @Test func damageThatIsMetWhileItIsUsedIsSavedAtTheNextStart() async throws {
    let folder = try Folder()
    try await filled(folder)
    let (database, _) = try opening(folder)
    try damage(folder) { $0.replaceSubrange(0x20000..<0x24000, with: Data(repeating: 0xa5, count: 0x4000)) }
    for _ in 1...2 {
      let error = await #expect(throws: LunaraError.self) { _ = try await numbers(database) }
      #expect(error?.code == "storage.corrupt")
      #expect(error?.message.contains("Restart the service") == true)
    }
    // The database is closed in an orderly way, and checked nevertheless.
    await database.close()
    let (again, salvage) = try opening(folder)
    #expect(salvage?.isWhole == false)
    let saved = try await numbers(again)
    #expect(saved.count > 4000 && saved.count < 5000 && saved.first == 1 && saved.last == 5000)
    await again.close()
  }

  @Test func rowsBehindADamagedPageAreSaved() async throws {
    let folder = try Folder()
    try await filled(folder)
    // Shorter by a page, so that the damage is noticed, with garbage in three places in the middle.
    try damage(folder) { data in
      for page in [20, 21, 60] {
        for offset in page * 4096..<(page + 1) * 4096 { data[offset] = UInt8(truncatingIfNeeded: offset &* 37) }
      }
      data.removeLast(4096)
    }
    let (database, salvage) = try opening(folder)
    let saved = try await numbers(database)
    #expect(saved.count > 4800 && saved.count < 5000)
    #expect(saved.first == 1)
    #expect(saved.last.map { $0 > 4900 } == true)
    #expect(salvage?.isWhole == false)
    await database.close()
  }

  @Test func rowsThatAreOnlyInTheLogAreSaved() async throws {
    let folder = try Folder()
    try await filled(folder)
    let (database, _) = try opening(folder)
    try await database.write { _ = try $0.execute("INSERT INTO fact VALUES (9999, 'late')") }
    // The state after a kill: the last row is only in the log.
    let (log, file) = (
      try Data(contentsOf: URL(filePath: folder.file() + "-wal")), try Data(contentsOf: URL(filePath: folder.file()))
    )
    await database.close()
    try file.write(to: URL(filePath: folder.file()))
    try log.write(to: URL(filePath: folder.file() + "-wal"))
    try damage(folder) { $0.removeLast($0.count / 2 / 4096 * 4096) }
    // The log states the length of the file, so the cut is found only by checking all pages.
    let (saved, salvage) = try opening(folder)
    #expect(salvage != nil)
    let found = try await numbers(saved)
    #expect(found.last == 9999)
    #expect(found.count > 2000)
    await saved.close()
  }

  @Test func aProcessKilledBetweenTheTwoStepsGoesOnWithTheNewFile() async throws {
    let folder = try Folder()
    try await filled(folder, 10)
    try FileManager.default.moveItem(atPath: folder.file(), toPath: folder.file() + ".salvage")
    let (database, salvage) = try opening(folder)
    #expect(salvage == nil)
    #expect(try await numbers(database).count == 10)
    await database.close()
  }

  @Test func aProcessKilledBeforeTheLogWasSetAsideGoesOnWithTheNewFileAndNotWithThatLog() async throws {
    let (folder, other) = (try Folder(), try Folder())
    try await filled(folder, 10)
    try FileManager.default.moveItem(atPath: folder.file(), toPath: folder.file() + ".salvage")
    // A row that the damaged file had only in its log.
    let (old, _) = try opening(other)
    try await old.write { try $0.execute("INSERT INTO fact VALUES (99, 'of the damaged file')") }
    try FileManager.default.copyItem(atPath: other.file() + "-wal", toPath: folder.file() + "-wal")
    try Data().write(to: URL(filePath: folder.file() + ".damaged-7"))
    Salvage.request(for: folder.file())
    let (database, salvage) = try opening(folder)
    #expect(salvage == nil)
    #expect(try await numbers(database) == Array(1...10))
    #expect(FileManager.default.fileExists(atPath: folder.file() + ".damaged-7-wal"))
    await database.close()
    await old.close()
  }

  @Test func whatIsDamagedTwiceInASecondIsKeptTwice() async throws {
    let folder = try Folder()
    try await filled(folder, 10)
    var kept: Set<String> = []
    for _ in 0..<3 {
      Salvage.request(for: folder.file())
      let (database, salvage) = try opening(folder)
      kept.insert(try #require(salvage?.damaged))
      #expect(try await numbers(database) == Array(1...10))
      await database.close()
    }
    #expect(kept.count == 3 && kept.allSatisfy { FileManager.default.fileExists(atPath: $0) })
  }

  @Test func aFileWithoutTheTablesStaysAnError() async throws {
    let folder = try Folder()
    try Data(repeating: 7, count: 5000).write(to: URL(filePath: folder.file()))
    #expect(
      await code {
        _ = try Database.open(at: folder.file(), migrations: [], saving: ["fact"], finish: ["SELECT 1"])
      } == "storage.corrupt")
    #expect(FileManager.default.fileExists(atPath: folder.file()))
  }
}
