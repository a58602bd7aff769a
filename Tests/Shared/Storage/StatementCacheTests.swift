import Model
import Testing

@testable import Storage

@Suite struct StatementCacheTests {
  /// Runs a closure with a maker of statements.
  private func withStatements<T: Sendable>(_ body: @escaping @Sendable ((String) throws -> Statement) throws -> T)
    async throws -> T
  {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let value = try await database.write { transaction in
      try body { try Statement($0, on: transaction.connection.handle, path: "test") }
    }
    await database.close()
    return value
  }

  @Test func aStatementIsFoundOnceUntilItIsPutBack() async throws {
    let found = try await withStatements { make in
      var cache = StatementCache(capacity: 2)
      let statement = try make("SELECT 1")
      cache.put(statement)
      let first = cache.take("SELECT 1")
      return [first === statement, cache.take("SELECT 1") == nil, cache.take("SELECT 2") == nil]
    }
    #expect(found == [true, true, true])
  }

  @Test func theOneNotUsedForLongestGoes() async throws {
    let kept = try await withStatements { make in
      var cache = StatementCache(capacity: 2)
      cache.put(try make("SELECT 1"))
      cache.put(try make("SELECT 2"))
      if let first = cache.take("SELECT 1") { cache.put(first) }
      cache.put(try make("SELECT 3"))
      return ["SELECT 1", "SELECT 2", "SELECT 3"].filter { cache.take($0) != nil }
    }
    #expect(kept == ["SELECT 1", "SELECT 3"])
  }
}
