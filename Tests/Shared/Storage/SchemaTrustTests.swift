import Model
@testable import Storage
import Testing

/// A file whose schema comes from somebody else.
@Suite struct SchemaTrustTests {
  @Test func aTriggerOfTheFileDoesNotRun() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await database.write { transaction in
      _ = try transaction.execute(
        "CREATE TRIGGER again AFTER INSERT ON word BEGIN INSERT INTO word (text) VALUES ('more'); END")
    }
    try await database.add("one")
    #expect(try await database.words() == ["one"])
    await database.close()
  }

  @Test(arguments: [DatabaseConnection.Access.reading, .writing, .checkpointing, .salvaging, .copying])
  func noConnectionReadsAViewOfTheFileOrTrustsItsFunctions(access: DatabaseConnection.Access) async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await database.write { _ = try $0.execute("CREATE VIEW shown AS SELECT text FROM word") }
    await database.close()
    let connection = try DatabaseConnection(folder.file(), access, patience: .zero)
    #expect(throws: LunaraError.self) { try connection.execute("SELECT * FROM shown") }
    try connection.execute("SELECT text FROM word")
    let trust = try connection.withStatement("PRAGMA trusted_schema") { statement in
      try statement.step() ? try Row(statement, path: "test").value(0) as Int : nil
    }
    #expect(trust == 0)
  }
}
