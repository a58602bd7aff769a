import Bus
import Glibc
import Model
import Programs
import Storage

/// The surroundings of one process of the household: its node, its database and its journal.
struct Place: Sendable {
  let options: Options
  let database: Database
  let journal: Journal
  let node: Node

  init(_ options: Options) async throws {
    self.options = options
    let id = try options.node()
    let folder = try options.text("folder")
    database = try Database(at: "\(folder)/\(id).sqlite", migrations: Journal.migrations + Self.migrations)
    journal = try await Journal(database)
    let network = try Self.network(options)
    node = try await Node.start(
      id, in: try RuntimeDirectory(try options.text("run")), journal: journal, network: network,
      report: { complain($0) })
    if let keys = network.keys { Task { await Self.reread(keys) } }
  }

  /// Checks the key file twice a second, since `lunara key reload` notifies services only.
  private static func reread(_ keys: KeyRing) async {
    do {
      while true {
        try await Task.sleep(for: .milliseconds(500))
        try keys.reload()
      }
    } catch {
      complain(LunaraError(error))
    }
  }

  /// The network settings: none, unless the process is told an address to listen on.
  private static func network(_ options: Options) throws -> Network {
    guard let listen = options["listen"] else { return Network() }
    return Network(
      listen: listen, seeds: [try options.text("seeds")], keys: try KeyRing(file: try options.text("key")),
      folder: try options.text("kept"), identity: try options.text("host"))
  }

  /// Prints READY, then waits until standard input has a line or ends. With `presences=yes` it meanwhile prints which
  /// nodes leave and which come back.
  func untilTold() {
    say("READY")
    let telling = options["presences"] == nil ? nil : Task { await tellPresences() }
    _ = readLine()
    telling?.cancel()
  }

  private func tellPresences() async {
    var known: [NodeID: Bool] = [:]
    for await presences in await node.presences() {
      for presence in presences where known.updateValue(presence.away, forKey: presence.id) != presence.away {
        say("\(presence.away ? "AWAY" : "HERE") \(presence.id)")
      }
    }
  }

  func close() async {
    await node.close()
    await database.close()
  }

  private static let migrations = [
    Migration(
      "chaos-1",
      // No column is unique, so that an effect that was applied twice shows.
      "CREATE TABLE effects (place INTEGER PRIMARY KEY, command TEXT NOT NULL, kind TEXT NOT NULL, answer INTEGER NOT NULL)",
      "CREATE INDEX effects_by_command ON effects (command)",
      "CREATE TABLE counter (value INTEGER NOT NULL)", "INSERT INTO counter VALUES (0)",
      "CREATE TABLE heard (place INTEGER PRIMARY KEY, node TEXT NOT NULL, fact TEXT NOT NULL)",
      """
      CREATE TABLE commands (command TEXT PRIMARY KEY, node TEXT NOT NULL, kind TEXT NOT NULL, outcome TEXT,
        answer INTEGER) WITHOUT ROWID
      """)
  ]
}
