import Bus
import HTTP
import Messages
import Model
import Plugins
import ServiceKit
import Storage
import System

/// Finds music that is not in the library, by plugins: scripts of strangers that a person has installed.
struct ResolverService: Sendable {
  let node: Node
  let registry: PluginRegistry
  let finder: SourceFinder
  let concerts: ConcertFinder
  let accounts: PluginAccounts
  /// The devices of Spotify; nil if it is no service here.
  let spotify: SpotifyDevices?
  let shown: ShownTrackFinder
  let scrobbles: PluginScrobbler
  let asking: PluginAsking
  let http: HTTPClient
  let log: Log
  private let household: HouseholdServers
  private let cache: SourceCache
  private let changes: AsyncStream<Void>

  /// The time within which an artist counts as one that is played: six months.
  private static let heardLately = Milliseconds(183 * 86_400_000)
  /// The time in which the library says whether it has a track.
  private static let libraryTime = Duration.seconds(10)
  /// The time between two looks at the folder of plugins, and at what is too much in the cache.
  private static let lookPause = Duration.seconds(10)

  /// - Parameters:
  ///   - home: the home folder of the household's data.
  ///   - hostID: the id of this host, as rooms have it.
  ///   - household: the servers of the household, which no plugin may ask.
  ///   - program: the file of `lunara-plugin`.
  ///   - pageReader: reads pages of services that have no addresses of sound; nil for none.
  ///   - setup: the services at which people sign in for plugins.
  init(
    node: Node, home: String, hostID: String, database: Database, log: Log, http: HTTPClient,
    household: HouseholdServers = .init(), program: String = WorkerProcess.program("lunara-plugin"),
    pageReader: PageReader? = nil, accounts setup: AccountSetup = .init()
  ) {
    let credentials = CredentialStore(home: home)
    let store = PluginStore(database: database, credentials: credentials)
    let accounts = PluginAccounts(
      services: setup.services, store: PluginAccountStore(credentials: credentials), http: http, log: log,
      now: setup.now)
    self.accounts = accounts
    spotify = SpotifyDevices(accounts: accounts, http: http, sleep: setup.sleep)
    let network = PluginNetwork(http: http, household: household)
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.node = node
    self.http = http
    self.log = log
    self.changes = changes
    self.household = household
    let sharing = SharingStore(database: database)
    let outcomes = RequestOutcomes()
    registry = PluginRegistry(
      folder: PluginFolder(home: home), store: store, accounts: accounts, sharing: sharing, household: household,
      log: log,
      changed: { continuation.yield() }
    ) { file, registry in
      let id = file.id
      let questions = PluginQuestions(
        network: network, store: store,
        search: { words in
          // Other words would find other tracks than the one that is looked for.
          let found = try await node.request(
            Library.Search(words: words, limit: 50), to: .library, within: .seconds(5))
          return found.searchedWords == nil ? found.tracks : []
        },
        plugin: { try await registry.usable($0) },
        refused: { await registry.refused($0, $1) })
      return PluginRunner(
        id: id, name: file.name, text: file.text, program: program,
        answer: { kind, fields in
          let result = await questions.answer(kind, fields, of: id)
          outcomes.record(id, kind, result)
          return result
        }, ended: { await registry.ended(id, $0) })
    }
    scrobbles = PluginScrobbler(node: node, registry: registry, store: sharing, log: log)
    asking = PluginAsking(node: node, registry: registry, sharing: sharing, outcomes: outcomes)
    cache = SourceCache(database: database)
    let finder = SourceFinder(
      registry: registry, cache: cache, decisions: SourceDecisions(database: database),
      soundCloud: SoundCloudStreams(accounts: accounts, http: http), log: log, pageReader: pageReader)
    self.finder = finder
    shown = ShownTrackFinder { track in
      if try await Self.isInLibrary(track, node, hostID) { return .library }
      return .sources(try await finder.sources(of: track))
    } publish: {
      await node.publish($0)
    }
    concerts = ConcertFinder(registry: registry, database: database, log: log) { limit in
      let since = Timestamp.now() - Self.heardLately
      let counts = Library.CountPlays(filter: .init(since: since), by: .artist, limit: limit)
      return try await node.request(counts, to: .library, within: .seconds(10)).rows.filter { $0.plays > 0 }.map(
        \.title)
    }
  }

  /// The running parts.
  struct Work: Sendable {
    fileprivate let registry: PluginRegistry
    fileprivate let shown: ShownTrackFinder
    fileprivate let scrobbles: PluginScrobbler
    fileprivate let asking: PluginAsking
    fileprivate let tasks: [Task<Void, Never>]

    /// Ends all processes of plugins.
    func stop() async {
      for task in tasks { task.cancel() }
      await shown.stop()
      await asking.conversations.stop()
      await scrobbles.stop()
      await registry.stop()
    }
  }

  /// Starts to answer requests.
  func start() async throws -> Work {
    try await registry.start()
    try await cache.prune()
    await servePlugins()
    await serveSources()
    await serveAccounts()
    await asking.serve(on: node)
    await node.serve(Resolver.ListSharing.self) { _, _ in try await scrobbles.list() }
    await node.serve(Resolver.SetSharing.self) { request, _ in try await scrobbles.set(request) }
    await publish()
    try await scrobbles.start()
    return Work(
      registry: registry, shown: shown, scrobbles: scrobbles, asking: asking,
      tasks: [
        Task { await publishChanges() }, Task { await watchFolder() },
        Task { [household, node] in await household.follow(node) },
      ])
  }

  private func servePlugins() async {
    await node.serve(Resolver.ListPlugins.self) { _, _ in try await registry.list() }
    let updates = PluginUpdates(registry: registry, http: http, household: household)
    await node.serve(Resolver.OfferPlugin.self) { request, _ in
      guard let address = request.address else { return try await registry.offer(request) }
      return try await updates.offer(address)
    }
    await node.serve(Resolver.FindUpdates.self) { request, _ in try await updates.find(request.id) }
    await node.serve(Resolver.OfferFormerVersion.self) { request, _ in try await registry.offerFormer(request.id) }
    await node.serve(Resolver.AllowPlugin.self) { request, _ in
      let plugin = try await registry.allow(request)
      try await scrobbles.check(request.id)
      return plugin
    }
    await node.serve(Resolver.SetPlugin.self) { request, _ in try await registry.set(request) }
    await node.serve(Resolver.OrderPlugins.self) { request, _ in try await registry.order(request) }
    await node.serve(Resolver.RemovePlugin.self) { request, _ in
      let list = try await registry.remove(request.id)
      try await scrobbles.remove(request.id)
      return list
    }
    await node.serve(Resolver.TestPlugin.self) { request, _ in try await test(request.id) }
  }

  private func serveSources() async {
    await node.serve(Resolver.FindSources.self) { request, _ in
      let list = try await finder.sources(of: request.described, isFresh: request.isFresh)
      await shown.update(request.described, with: list)
      return list
    }
    await node.serve(Resolver.ShowTracks.self) { request, _ in try await shown.show(request) }
    await node.serve(Resolver.Locate.self) { request, _ in try await finder.locate(request) }
    await node.serve(Resolver.DecideSource.self) { request, _ in
      let list = try await finder.decide(request)
      await shown.update(request.described, with: list)
      return list
    }
    await node.serve(Resolver.Search.self) { request, _ in try await finder.search(request) }
    await node.serve(Resolver.ListConcerts.self) { request, _ in try await concerts.list(request) }
    await node.serve(Resolver.OpenAddress.self) { request, _ in try await finder.open(request) }
  }

  /// Tries a plugin by its own test, or else by a search, or else by loading it.
  private func test(_ id: String) async throws -> Resolver.PluginTest {
    let plugin = try await registry.usable(id)
    let start = ContinuousClock.now
    var (works, message) = (true, "It was loaded.")
    do {
      if plugin.has("testConnection") {
        let value = try await plugin.call("testConnection", [], within: SourceFinder.Deadline.lookup)
        works = value["success"]?.isTrue ?? false
        let words = SourceAnswers.text(value["message"]) ?? SourceAnswers.text(value["error"])
        message = words ?? (works ? "Its own test succeeded." : "Its own test failed.")
      } else if plugin.has("search") {
        let hits = try await finder.search(.init(words: "love", plugin: id)).tracks.count
        message = "A search for “love” found \(hits) \(hits == 1 ? "track" : "tracks")."
      } else {
        try await plugin.runner.load(within: SourceFinder.Deadline.search)
      }
    } catch {
      let error = LunaraError(error)
      works = false
      message = [error.message, error.cause].compactMap { $0 }.joined(separator: " ")
    }
    let elapsed = Milliseconds(Int64((ContinuousClock.now - start) / .milliseconds(1)))
    return .init(works: works, message: message, elapsed: elapsed, log: await plugin.runner.log)
  }

  // MARK: - The state

  private func publish() async {
    let order = await registry.order
    let mark = SourceLifetime.mark(enabled: Set(order), order: order)
    await shown.pluginsChanged(mark, areAny: !order.isEmpty)
    await node.publish(
      Resolver.PluginState(
        enabled: await registry.enabledCount, revision: Int64(bitPattern: mark), problem: await registry.problem,
        music: order.count, concerts: await registry.enabledCount(with: ConcertFinder.function)))
  }

  /// Returns true if the library has a track, so that no plugin is asked for it.
  private static func isInLibrary(_ track: DescribedTrack, _ node: Node, _ hostID: String) async throws -> Bool {
    guard node.nodes().contains(.library) else { return false }
    do {
      let request = Library.LocateTrack(id: track.track.id, host: hostID, described: track)
      _ = try await node.request(request, to: .library, within: libraryTime)
      return true
    } catch let error as LunaraError where error.code.hasPrefix("library.") {
      return false
    }
  }

  private func publishChanges() async {
    for await _ in changes {
      await publish()
      await scrobbles.wake()
    }
  }

  /// Looks at the folder of plugins, so that a file which was changed there is noticed.
  private func watchFolder() async {
    while !Task.isCancelled {
      do {
        try await Task.sleep(for: Self.lookPause)
        try await registry.look()
        await asking.conversations.prune()
      } catch is CancellationError {
        return
      } catch { log.error(LunaraError(error)) }
    }
  }
}
