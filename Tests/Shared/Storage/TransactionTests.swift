import Model
import Testing

@testable import Storage

@Suite struct TransactionTests {
  private struct Refused: Error {}

  @Test func whatThrowsIsRolledBackAndLeavesTheConnectionUsable() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    await #expect(throws: Refused.self) {
      try await database.write { transaction in
        try transaction.execute("INSERT INTO word (text) VALUES ('lost')")
        throw Refused()
      }
    }
    try await database.add("kept")
    #expect(try await database.words() == ["kept"])
    await database.close()
  }

  @Test func actionsRunInOrderAndOnlyAfterACommit() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let seen = Monitor<[Int]>([])
    for (number, survival) in [(0, Durability.process), (10, .power), (20, .process)] {
      try await database.write(survival) { transaction in
        for step in 0..<3 { transaction.afterCommit { seen.change { $0.append(number + step) } } }
        try transaction.execute("INSERT INTO word (text) VALUES ('x')")
        #expect(seen.change { $0.count } == number / 10 * 3)
      }
    }
    await #expect(throws: Refused.self) {
      try await database.write { transaction in
        transaction.afterCommit { seen.change { $0.append(-1) } }
        throw Refused()
      }
    }
    #expect(seen.change { $0 } == [0, 1, 2, 10, 11, 12, 20, 21, 22])
    await database.close()
  }

  @Test func actionsOfConcurrentWritesRunInTheOrderOfTheirCommits() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let seen = Monitor<[Int64]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          try await database.write(index.isMultiple(of: 3) ? .power : .process) { transaction in
            try transaction.execute("INSERT INTO word (text) VALUES ('x')")
            let id = transaction.lastInsertedRowID
            transaction.afterCommit { seen.change { $0.append(id) } }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(seen.change { $0 } == Array(1...200))
    await database.close()
  }

  @Test func aCommitThatFailsIsRolledBackAndRunsNoAction() async throws {
    let folder = try Folder()
    let tables = [
      Migration(
        "tables", "CREATE TABLE parent (id INTEGER PRIMARY KEY)",
        "CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)")
    ]
    let database = try Database(at: folder.file(), migrations: tables)
    let ran = Monitor(false)
    let failed = await code {
      try await database.write { transaction in
        transaction.afterCommit { ran.change { $0 = true } }
        try transaction.execute("INSERT INTO child VALUES (7)")
      }
    }
    #expect(failed == "storage.constraint")
    #expect(!ran.change { $0 })
    try await database.write { transaction in
      try transaction.execute("INSERT INTO parent VALUES (7)")
      try transaction.execute("INSERT INTO child VALUES (7)")
    }
    let children = try await database.read { try $0.rows("SELECT parent FROM child") { try $0.value(0) as Int } }
    #expect(children == [7])
    await database.close()
  }

  @Test func executeCountsTheRowsItChanged() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let counts = try await database.write { transaction in
      [
        try transaction.execute("INSERT INTO word (text) VALUES ('a'), ('b'), ('c')"),
        try transaction.execute("UPDATE word SET text = 'd' WHERE id > 1"),
        try transaction.execute("UPDATE word SET text = 'd' WHERE id > 10"),
        try transaction.execute("CREATE TABLE other (id INTEGER)"),
        try transaction.execute("SELECT * FROM word"),
        try transaction.execute("DELETE FROM word"),
      ]
    }
    #expect(counts == [3, 2, 0, 0, 0, 3])
    await database.close()
  }

  @Test func aStatementThatWritesAlsoGivesRows() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let ids = try await database.write { transaction in
      try transaction.rows("INSERT INTO word (text) VALUES ('a'), ('b') RETURNING id") { try $0.value(0) as Int }
    }
    #expect(ids == [1, 2])
    #expect(try await database.words() == ["a", "b"])
    await database.close()
  }

  @Test(arguments: ["COMMIT", "ROLLBACK", "BEGIN", "END"])
  func aStatementCannotBeginOrEndATransaction(_ sql: String) async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let written = await code {
      try await database.write { transaction in
        try transaction.execute("INSERT INTO word (text) VALUES ('lost')")
        try transaction.execute(sql)
      }
    }
    #expect(written == "storage.misuse")
    #expect(await code { _ = try await database.read { try $0.rows(sql) { _ in } } } == "storage.misuse")
    #expect(try await database.words() == [])
    await database.close()
  }

  @Test func aReadCannotWrite() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let refused = await code {
      _ = try await database.read { try $0.rows("INSERT INTO word (text) VALUES ('x') RETURNING id") { _ in } }
    }
    #expect(refused == "storage.misuse")
    await database.close()
  }

  @Test(arguments: [
    ("SELECT ?, ?", "storage.misuse"), ("SELECT 1; SELECT 2", "storage.misuse"), ("", "storage.misuse"),
    ("-- nothing", "storage.misuse"), ("SELEC 1", "storage.failed"), ("SELECT * FROM nowhere", "storage.failed"),
    ("SELECT \"no such column\"", "storage.failed"),
  ])
  func aWrongStatementIsAnErrorWithItsText(_ sql: String, _ expected: String) async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let error = await #expect(throws: LunaraError.self) {
      try await database.write { _ = try $0.execute(sql) }
    }
    #expect(error?.code == expected)
    #expect(error?.cause?.contains(sql) == true)
    await database.close()
  }

  @Test func theSameStatementCanRunInsideItself() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    for word in ["a", "b"] { try await database.add(word) }
    let pairs = try await database.read { transaction in
      try transaction.rows("SELECT text FROM word ORDER BY id") { row in
        let outer: String = try row.value(0)
        return try transaction.words().map { outer + $0 }
      }
    }
    #expect(pairs == [["aa", "ab"], ["ba", "bb"]])
    await database.close()
  }
}
