import Model
import Storage
import Testing

@Suite struct DatabaseTests {
  private static let tables = [Migration("first", "CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")]

  @Test func whatIsWrittenIsRead() async throws {
    let folder = try Folder()
    let database = try Database(at: folder.path("a.sqlite"), migrations: Self.tables)
    let id = try await database.write { transaction in
      try transaction.execute("INSERT INTO word (text) VALUES (?)", "hello")
      return transaction.lastInsertedRowID
    }
    let text: String? = try await database.read { transaction in
      try transaction.row("SELECT text FROM word WHERE id = ?", id) { try $0.value(0) }
    }
    #expect(text == "hello")
    await database.close()
  }
}
