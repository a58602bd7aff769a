public import Bus
import Model
public import Storage

/// A bus within one process, in a runtime directory of its own: real sockets, real nodes.
public final class TestBus: Sendable {
  /// Where the nodes meet.
  public let directory: RuntimeDirectory
  private let folder: TemporaryDirectory

  /// Makes an empty bus.
  public init() throws {
    folder = TemporaryDirectory()
    directory = try RuntimeDirectory(folder.path + "/run")
  }

  /// Starts a node, with a journal in `database` where one is given.
  public func node(_ name: String, database: Database? = nil) async throws -> Node {
    guard let id = NodeID(name) else { throw LunaraError("test.badName", "\(name) names no node") }
    var journal: Journal?
    if let database { journal = try await Journal(database) }
    return try await Node.start(id, in: directory, journal: journal, report: { print("\(id): \($0)") })
  }

  /// Opens a database in the bus's own folder.
  public func database(_ name: String, migrations: [Migration] = []) throws -> Database {
    try Database(at: "\(folder.path)/\(name).sqlite", migrations: Journal.migrations + migrations)
  }
}

/// Waits until `condition` holds, looking every few milliseconds; false when `limit` passes first.
public func eventually(within limit: Duration = .seconds(10), _ condition: () async throws -> Bool) async rethrows
  -> Bool
{
  let end = ContinuousClock.now + limit
  while ContinuousClock.now < end {
    if try await condition() { return true }
    // A test awaits its condition; the pause only keeps the look from spinning.
    try? await Task.sleep(for: .milliseconds(5))
  }
  return try await condition()
}
