import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Storage

/// What ties the library to servers beside reading them: signing in, and what is played of theirs.
struct ServerTies: Sendable {
  private let keyring: PlexKeyring
  private let account: PlexAccount
  private let servers: ServerFinder
  private let sender: PlaySender
  private let reporter: PlayReporter

  /// Makes them. `adopt` sets servers that came with a sign-in up as sources and gives their names.
  init(
    keyring: PlexKeyring, cloudBase: String?, servers: ServerFinder, database: Database, log: Log,
    adopt: @escaping @Sendable ([PlexCloud.Listing]) async throws -> [String]
  ) {
    self.keyring = keyring
    account = PlexAccount(keyring: keyring, cloudBase: cloudBase, log: log, adopt: adopt)
    self.servers = servers
    sender = PlaySender(database: database, log: log) { await servers.server($0) }
    reporter = PlayReporter(log: log) { await servers.find($0) }
  }

  /// Begins to answer and to listen.
  func start(on node: Node) async {
    await SignInDesk.serve(on: node, account)
    await sender.start()
    await reporter.start(on: node)
    Task { [account] in await account.verify() }
  }

  /// Takes in a fact of the scrobbler's, in the transaction that takes it in elsewhere.
  func take(_ fact: ReceivedFact, _ transaction: Transaction) throws {
    guard try PlayOutbox.take(fact, transaction) else { return }
    transaction.afterCommit { [sender] in Task { await sender.wake() } }
  }

  func stop() async {
    await account.stop()
    await reporter.stop()
    await sender.stop()
  }
}

/// Finds the server of a source or a track.
actor ServerFinder {
  private let registry: SourceRegistry
  private let database: Database
  private let log: Log
  private var made: [SourceRecord: any MusicServer] = [:]

  init(registry: SourceRegistry, database: Database, log: Log) {
    self.registry = registry
    self.database = database
    self.log = log
  }

  /// The server of a source; nil where there is none that can be used.
  func server(_ source: String) async -> (any MusicServer)? {
    do {
      guard let record = try await database.read(Catalogue.records).first(where: { $0.name == source }) else {
        return nil
      }
      if let server = made[record] { return server }
      guard let server = try await (registry.source(record) as? ServerSource)?.server else { return nil }
      made = made.filter { $0.key.name != source }
      made[record] = server
      return server
    } catch {
      log.debug("\(LunaraError(error))", ["source": source])
      return nil
    }
  }

  /// The server of a track and its own id of it; nil for tracks that no server of this kind has.
  func find(_ track: TrackID) async -> (server: any MusicServer, native: String)? {
    guard case .track(let number) = CatalogueID(track) else { return nil }
    do {
      let native: String? = try await database.read { transaction in
        try transaction.row(
          """
          SELECT t.native FROM tracks t JOIN sources s ON s.name = t.source
          WHERE t.id = ? AND t.source = ? AND s.kind = ? AND t.native IS NOT NULL
          """, number, track.source, PlexServer.kind
        ) { try $0.value(0) }
      }
      guard let native, let server = await server(track.source) else { return nil }
      return (server, native)
    } catch {
      log.debug("\(LunaraError(error))")
      return nil
    }
  }
}
