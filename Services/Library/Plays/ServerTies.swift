import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Storage

/// What ties the library to servers beside reading them: signing in, and what is played of theirs.
struct ServerPlayback: Sendable {
  private let keyring: PlexCredentialStore
  private let account: PlexAccount
  private let servers: ServerFinder
  private let sender: PlaySender
  private let reporter: NowPlayingReporter

  private let desk: SourceRequestHandler

  /// Makes them. The desk sets servers that came with a sign-in up as sources; `parked` is told that a play could not be
  /// sent.
  init(
    keyring: PlexCredentialStore, cloudBase: String?, servers: ServerFinder, desk: SourceRequestHandler, database: Database, log: Log,
    parked: @escaping @Sendable () async -> Void
  ) {
    self.keyring = keyring
    self.desk = desk
    account = PlexAccount(keyring: keyring, cloudBase: cloudBase, log: log) { try await desk.adopt($0) }
    self.servers = servers
    sender = PlaySender(database: database, log: log, server: { await servers.server($0) }, parked: parked)
    reporter = NowPlayingReporter(log: log) { await servers.find($0) }
  }

  /// Begins to answer and to listen.
  func start(on node: Node) async {
    await SignInRequestHandler.serve(on: node, account, desk)
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
  /// How often one was forgotten: what was being made meanwhile is not kept.
  private var forgotten = 0

  init(registry: SourceRegistry, database: Database, log: Log) {
    self.registry = registry
    self.database = database
    self.log = log
  }

  /// Forgets the server of a source, whose secret may be another now.
  func forget(_ source: String) {
    forgotten += 1
    made = made.filter { $0.key.name != source }
  }

  /// The server of a source; nil where there is none that can be used.
  func server(_ source: String) async -> (any MusicServer)? {
    do {
      guard let record = try await database.read(Catalogue.records).first(where: { $0.name == source }) else {
        return nil
      }
      if let server = made[record] { return server }
      let forgotten = forgotten
      guard let server = try await (registry.source(record) as? ServerSource)?.server else { return nil }
      guard forgotten == self.forgotten else { return server }
      made = made.filter { $0.key.name != source }
      made[record] = server
      return server
    } catch {
      log.debug("\(LunaraError(error))", ["source": source])
      return nil
    }
  }

  /// The servers that have a track, each once, with their own ids of it: what is shown may be a file's copy.
  func find(_ track: TrackID) async -> [NowPlayingReporter.Copy] {
    do {
      let copies = try await database.read { try PlayOutbox.copies(of: track, $0) }
      var found: [NowPlayingReporter.Copy] = []
      for (id, native) in copies {
        guard let server = await server(id.source) else { continue }
        found.append(NowPlayingReporter.Copy(source: id.source, server: server, native: native))
      }
      return found
    } catch {
      log.debug("\(LunaraError(error))")
      return []
    }
  }
}
