import FoundationEssentials
import Model
import Testing

@testable import Storage

/// Files that are damaged in all usual ways: readable rows are saved, and nothing crashes.
@Suite struct DamageTests {
  private static let tables = [
    Migration(
      "one", "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
      "CREATE TABLE rating (id INTEGER PRIMARY KEY, person INTEGER NOT NULL REFERENCES person (id), text TEXT NOT NULL)",
      "CREATE TABLE place (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
      "CREATE INDEX rating_by_text ON rating (text)", "CREATE TABLE mended (one INTEGER)")
  ]
  private static let names = ["person", "rating", "place"]
  private static let count = 3000

  private func opening(_ folder: Folder, isExpected: Bool = true) throws -> (database: Database, salvage: Salvage?) {
    try Database.open(
      at: folder.file(), migrations: Self.tables, isExpected: isExpected, saving: Self.names,
      finish: ["INSERT INTO mended VALUES (1)"])
  }

  private func filled(_ folder: Folder) async throws {
    let (database, _) = try opening(folder, isExpected: false)
    try await database.write { transaction in
      for number in 1...Self.count {
        let words = "\(number) " + String(repeating: "x", count: 60)
        try transaction.execute("INSERT INTO person VALUES (?, ?)", number, "person \(words)")
        try transaction.execute("INSERT INTO rating VALUES (?, ?, ?)", number, number, "rating \(words)")
        try transaction.execute("INSERT INTO place VALUES (?, ?)", "place \(words)", words)
      }
    }
    await database.close()
  }

  private func change(_ folder: Folder, _ name: String = "test.sqlite", _ change: (inout Data) -> Void) throws {
    var data = try Data(contentsOf: URL(filePath: folder.file(name)))
    change(&data)
    try data.write(to: URL(filePath: folder.file(name)))
  }

  private func counts(_ database: Database) async throws -> [Int] {
    try await database.read { reader in
      try Self.names.map { name in try reader.row("SELECT count(*) FROM \(name)") { try $0.value(0) } ?? -1 }
    }
  }

  /// Opens the database, which saves what it can, and checks the result.
  private func saved(_ folder: Folder, markedFirst: Bool = true) async throws -> (counts: [Int], salvage: Salvage) {
    if markedFirst { Salvage.request(for: folder.file()) }
    let (database, salvage) = try opening(folder)
    let found = try #require(salvage)
    let counts = try await counts(database)
    #expect(found.tables.map(\.rows) == counts && found.tables.map(\.name) == Self.names)
    let orphans = try await database.read {
      try $0.row("SELECT count(*) FROM rating WHERE person NOT IN (SELECT id FROM person)") { try $0.value(0) as Int }
    }
    #expect(orphans == 0)
    await database.close()
    #expect(try DatabaseFile.problem(of: folder.file()) == nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.contains("reheaded") || $0.hasSuffix(".salvage") })
    // The next start finds nothing to repair.
    let (again, none) = try opening(folder)
    #expect(none == nil)
    await again.close()
    return (counts, found)
  }

  @Test(arguments: [0, 16, 28, 44, 56, 92]) func aDamagedHeaderLosesNoRow(_ offset: Int) async throws {
    let folder = try Folder()
    try await filled(folder)
    try change(folder) { data in for place in offset..<100 { data[place] = 0xa5 } }
    let (counts, salvage) = try await saved(folder)
    #expect(counts == [Self.count, Self.count, Self.count] && salvage.isWhole)
  }

  @Test(arguments: ["person", "rating", "place", "rating_by_text"], ["leaf", "internal"])
  func aDamagedPageLosesOnlyItsOwnRows(_ name: String, _ kind: String) async throws {
    let folder = try Folder()
    try await filled(folder)
    let reader = try DatabaseSnapshot(of: folder.file())
    let pages = try reader.read { reader in
      try reader.rows("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY pageno", name, kind) {
        try $0.value(0) as Int
      }
    }
    let page = try #require(pages.dropFirst(pages.count / 2).first)
    try change(folder) { data in
      for place in (page - 1) * 4096..<page * 4096 { data[place] = UInt8(truncatingIfNeeded: place &* 31) }
    }
    let (counts, salvage) = try await saved(folder)
    if name == "rating_by_text" { #expect(salvage.isWhole) }
    for (index, table) in Self.names.enumerated() where table != name {
      // A rating without its person is not kept, since it would refer to nothing.
      let lost = table == "rating" && name == "person" ? Self.count - counts[0] : 0
      #expect(counts[index] == Self.count - lost, "\(table)")
    }
    if kind == "leaf" { #expect(counts.min() ?? 0 > Self.count - 100) }
  }

  @Test func aFileThatIsCutAnywhereIsReadAsFarAsItGoes() async throws {
    for part in [1, 3, 7] {
      let folder = try Folder()
      try await filled(folder)
      try change(folder) { $0.removeLast($0.count * part / 8 + 100) }
      let (counts, salvage) = try await saved(folder)
      #expect(!salvage.isWhole && counts.allSatisfy { $0 <= Self.count })
      if part == 1 { #expect(counts.reduce(0, +) > Self.count) }
    }
  }

  @Test func aLogThatIsCutLosesTheLastWritesAndIsNoDamage() async throws {
    let folder = try Folder()
    try await filled(folder)
    let (database, _) = try opening(folder)
    for number in 1...20 {
      try await database.write {
        _ = try $0.execute("INSERT INTO person VALUES (?, ?)", 10_000 + number, "late \(number)")
      }
    }
    let files = try ["test.sqlite", "test.sqlite-wal"].map { try Data(contentsOf: URL(filePath: folder.file($0))) }
    await database.close()
    for cut in [1, 4000, files[1].count / 2, files[1].count - 10] {
      try files[0].write(to: URL(filePath: folder.file()))
      try files[1].dropLast(cut).write(to: URL(filePath: folder.file("test.sqlite-wal")))
      let (again, salvage) = try opening(folder)
      #expect(salvage == nil)
      let late = try await counts(again)[0] - Self.count
      #expect((0..<20).contains(late))
      await again.close()
    }
  }

  @Test func anEmptyFileWhereThereWasADatabaseIsToldOfAndBeginsAnew() async throws {
    let folder = try Folder()
    try await filled(folder)
    try change(folder) { $0.removeAll() }
    let (counts, salvage) = try await saved(folder, markedFirst: false)
    #expect(counts == [0, 0, 0] && !salvage.isWhole)
    #expect(FileManager.default.fileExists(atPath: salvage.damaged))
  }

  @Test func textInThePlaceOfADatabaseIsSetAsideAndNotOverwritten() async throws {
    let folder = try Folder()
    let text = Data(String(repeating: "Dear diary, today I renamed a file.\n", count: 400).utf8)
    try text.write(to: URL(filePath: folder.file()))
    let (counts, salvage) = try await saved(folder, markedFirst: false)
    #expect(counts == [0, 0, 0])
    #expect(try Data(contentsOf: URL(filePath: salvage.damaged)) == text)
  }

  @Test func aFileThatWasNotClosedIsLookedThroughBeforeItIsUsed() async throws {
    let folder = try Folder()
    try await filled(folder)
    let (database, _) = try opening(folder)
    try await database.write { _ = try $0.execute("INSERT INTO person VALUES (10001, 'late')") }
    let files = try ["test.sqlite", "test.sqlite-wal"].map { try Data(contentsOf: URL(filePath: folder.file($0))) }
    await database.close()
    var damaged = files[0]
    for place in damaged.count / 2 / 4096 * 4096..<damaged.count / 2 / 4096 * 4096 + 4096 { damaged[place] = 0x11 }
    try damaged.write(to: URL(filePath: folder.file()))
    try files[1].write(to: URL(filePath: folder.file("test.sqlite-wal")))
    let (counts, _) = try await saved(folder, markedFirst: false)
    #expect(counts.allSatisfy { $0 > Self.count / 2 })
  }

  @Test func damageThatIsFoundWhileTheFileIsUsedIsMendedAtTheNextStart() async throws {
    let folder = try Folder()
    try await filled(folder)
    let (sound, _) = try opening(folder)
    #expect(await sound.findDamage() == nil)
    await sound.close()
    try change(folder) { data in
      for place in data.count / 2 / 4096 * 4096..<data.count / 2 / 4096 * 4096 + 4096 { data[place] = 0x11 }
    }
    let (database, none) = try opening(folder)
    #expect(none == nil)
    #expect(await database.findDamage()?.code == "storage.corrupt")
    await database.close()
    let (_, salvage) = try await saved(folder, markedFirst: false)
    #expect(salvage.rows > Self.count)
  }
}
