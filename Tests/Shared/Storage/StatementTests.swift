import Model
@testable import Storage
import Testing

@Suite struct StatementCacheTests {
  /// Calls a closure with a function that prepares statements.
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

  @Test func aStatementInUseIsNotFoundAgain() async throws {
    let found = try await withStatements { make in
      var cache = StatementCache(capacity: 2)
      let statement = try make("SELECT 1")
      cache.insert(statement)
      let first = cache.remove("SELECT 1")
      return [first === statement, cache.remove("SELECT 1") == nil, cache.remove("SELECT 2") == nil]
    }
    #expect(found == [true, true, true])
  }

  @Test func theLeastRecentlyUsedStatementIsRemoved() async throws {
    let kept = try await withStatements { make in
      var cache = StatementCache(capacity: 2)
      cache.insert(try make("SELECT 1"))
      cache.insert(try make("SELECT 2"))
      if let first = cache.remove("SELECT 1") { cache.insert(first) }
      cache.insert(try make("SELECT 3"))
      return ["SELECT 1", "SELECT 2", "SELECT 3"].filter { cache.remove($0) != nil }
    }
    #expect(kept == ["SELECT 1", "SELECT 3"])
  }
}

@Suite struct ResultCodeTests {
  @Test func aPrimaryCodeMatchesItsExtensions() {
    let uniqueConstraint = ResultCode(2067)
    #expect(ResultCode.constraint ~= uniqueConstraint)
    #expect(ResultCode.constraint ~= .constraint)
    #expect(!(ResultCode.busy ~= uniqueConstraint))
    #expect(!(uniqueConstraint ~= .constraint))
    #expect(!(ResultCode.ok ~= uniqueConstraint))
  }
}
