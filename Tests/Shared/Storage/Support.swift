import Model
import Testing

@testable import Storage

/// A database with one table, `word(id, text)`, which can be anything.
func wordDatabase(_ folder: Folder, limits: Database.Limits = .init()) throws -> Database {
  try Database(at: folder.file(), migrations: wordTables, readers: 2, limits: limits)
}

let wordTables = [Migration("words", "CREATE TABLE word (id INTEGER PRIMARY KEY, text)")]

extension Database {
  func add(_ text: (any SQLBindable & Sendable)?, _ survival: Durability = .process) async throws {
    try await write(survival) { transaction in
      _ = try transaction.execute("INSERT INTO word (text) VALUES (?)", text)
    }
  }

  func words() async throws -> [String] {
    try await read { try $0.words() }
  }
}

extension ReadTransaction {
  func words() throws -> [String] { try rows("SELECT text FROM word ORDER BY id") { try $0.value(0) } }
}

/// Runs a closure and gives the code of the `LunaraError` it throws; nil where it throws none.
func code(_ body: () async throws -> Void) async -> String? {
  do { try await body() } catch { return LunaraError(error).code }
  return nil
}

/// Asks until it is so; false when it is not after a minute.
func eventually(within limit: Duration = .seconds(60), _ condition: () async throws -> Bool) async throws -> Bool {
  let clock = ContinuousClock()
  let end = clock.now + limit
  while clock.now < end {
    if try await condition() { return true }
    try await Task.sleep(for: .milliseconds(2))
  }
  return false
}

/// Keeps the writer busy while a closure hands it further work.
func withBusyWriter(_ database: Database, _ survival: Durability = .process, _ body: () async throws -> Void) async throws
{
  let isBusy = Monitor(false)
  let mayGo = Monitor(false)
  async let held: Void = database.write(survival) { _ in
    isBusy.change { $0 = true }
    _ = mayGo.wait { $0 ? true : nil }
  }
  defer { mayGo.change { $0 = true } }
  #expect(try await eventually { isBusy.change { $0 } })
  try await body()
  mayGo.change { $0 = true }
  try await held
}
