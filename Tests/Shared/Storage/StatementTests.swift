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
      cache.giveBack(statement)
      let first = cache.borrow("SELECT 1")
      let isFoundAgain = cache.borrow("SELECT 1") != nil
      // A nested use of the same SQL is over before the outer one.
      cache.giveBack(try make("SELECT 1"))
      let isStillBorrowed = cache.borrow("SELECT 1") == nil
      cache.giveBack(statement)
      return [
        first === statement, !isFoundAgain, isStillBorrowed, cache.borrow("SELECT 1") === statement,
        cache.borrow("SELECT 2") == nil, cache.count == 1,
      ]
    }
    #expect(found.allSatisfy { $0 }, "\(found)")
  }

  @Test func theLeastRecentlyUsedStatementIsRemoved() async throws {
    let kept = try await withStatements { make in
      var cache = StatementCache(capacity: 2)
      cache.giveBack(try make("SELECT 1"))
      cache.giveBack(try make("SELECT 2"))
      if let first = cache.borrow("SELECT 1") { cache.giveBack(first) }
      cache.giveBack(try make("SELECT 3"))
      return ["SELECT 1", "SELECT 2", "SELECT 3"].filter { cache.borrow($0) != nil }
    }
    #expect(kept == ["SELECT 1", "SELECT 3"])
  }

  @Test func aStatementInUseIsNotRemoved() async throws {
    let kept = try await withStatements { make in
      var cache = StatementCache(capacity: 1)
      cache.giveBack(try make("SELECT 1"))
      let first = cache.borrow("SELECT 1")
      cache.giveBack(try make("SELECT 2"))
      if let first { cache.giveBack(first) }
      return ["SELECT 1", "SELECT 2"].filter { cache.borrow($0) != nil }
    }
    #expect(kept == ["SELECT 1"])
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
