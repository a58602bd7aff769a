import Model
import Storage
import Testing

/// Functions that statements can call beside those of SQLite.
@Suite struct SQLFunctionTests {
  /// Turns a text round, byte by byte.
  private static let reversed = SQLFunction("turned", .text { $1.append(contentsOf: $0.reversed()) })
  private static let nothing = SQLFunction("emptied", .text { _, _ in })
  private static let difference = SQLFunction("difference", .numbers { $0 &- $1 })

  private func value<T: SQLReadable & Sendable>(_ sql: String, as: T.Type = T.self) async throws -> T? {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let value: T? = try await database.read { transaction in
      try transaction.define([Self.reversed, Self.nothing, Self.difference])
      // A function that is known already stays.
      try transaction.define([SQLFunction("turned", .numbers { $0 + $1 }), Self.nothing])
      return try transaction.value(sql)
    }
    await database.close()
    return value
  }

  @Test(arguments: [
    ("turned('abc')", "cba"), ("turned('')", ""), ("emptied('abc')", ""), ("turned(x'6162')", "ba"),
    ("turned(12)", "21"), ("ifnull(turned(NULL), 'none')", "none"), ("turned(turned('äb'))", "äb"),
    ("turned('a' || char(0) || 'b')", "b\0a"),
  ])
  func textsAreMadeOfTexts(_ sql: String, _ expected: String) async throws {
    #expect(try await value("SELECT \(sql)") == expected)
  }

  @Test(arguments: [("difference(7, 9)", -2), ("difference(NULL, 3)", -3), ("difference('x', -4)", 4)])
  func numbersAreMadeOfNumbers(_ sql: String, _ expected: Int64) async throws {
    #expect(try await value("SELECT \(sql)") == expected)
  }

  @Test func eachRowIsGivenToAFunction() async throws {
    let rows = "WITH n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000)"
    #expect(try await value("\(rows) SELECT sum(turned('0' || n) = turned(n) || '0') FROM n") == 1000)
  }

  /// Otherwise other programs could not read the database.
  @Test func anIndexCannotUseAFunction() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let code = await code {
      try await database.write { transaction in
        try transaction.define([Self.reversed])
        try transaction.execute("CREATE INDEX turned_words ON word (turned(text))")
      }
    }
    #expect(code != nil)
    let indexes = try await database.read { transaction in
      try transaction.values("SELECT name FROM sqlite_schema WHERE name = 'turned_words'") as [String]
    }
    #expect(indexes.isEmpty)
    await database.close()
  }
}
