import Bus
import Catalogue
import HTTP
import Media
import Messages
import Model
import MusicTags
import People
import ProviderRuns
import Records
import ServiceKit
import Sources
import Storage
import Sync

/// The service of the process `lunara-library`: answers requests to the library, refreshes it, and records listens.
struct LibraryService: Sendable {
  private let node: Node
  private let database: Database
  private let hostID: String
  private let folders: MusicFolders
  private let journal: Journal?
  private let now: @Sendable () -> Timestamp
  private let media: MediaRequestHandler
  private let refresher: Refresher
  private let sourceRequests: SourceRequestHandler
  private let signInRequests: SignInRequestHandler
  private let servers: ServerFinder
  private let remote: RemoteLookup
  private let log: Log
  private let watch: FolderWatch
  private let playback: ServerPlayback
  private let ratingRequests: RatingRequestHandler
  private let opinionRequests: OpinionRequestHandler
  private let playlistRequests: PlaylistRequestHandler
  private let playlistSender: PlaylistSender
  private let providerRequests: ProviderRequestHandler
  private let tagSettings: TagSettings?
  private let gardenRequests: GardenRequestHandler

  /// Creates the parts of the service; `start` starts them.
  ///
  /// - Parameters:
  ///   - folders: the music folders as `MusicFolders` gives them.
  ///   - kinds: the kinds of sources there can be.
  ///   - home: where pictures are kept, in at most `artSpace` bytes.
  ///   - sharesEvery: the pause between two looks for changes that the kernel does not report.
  ///   - tagSettings: how tags are read; nil for what was stored.
  ///   - providers: the kinds of providers that can be linked.
  ///   - providersFolder: the folder that is there while a provider is linked; nil for none.
  ///   - coverArt: the address of a server of covers of releases, which may be in this house; nil for the usual one.
  ///   - hide: asks ListenBrainz not to recommend a release group.
  ///   - mediaAddress: where `lunara-media` serves audio and pictures to other hosts.
  init(
    node: Node, database: Database, journal: Journal?, folders: [[UInt8]],
    kinds: SourceKinds = SourceKinds([FilesSource.descriptor]), home: String, hostID: String, log: Log,
    artSpace: Int64 = 250 << 20, sharesEvery: Duration = .seconds(300), tagSettings: TagSettings? = nil,
    mediaAddress: MediaAddress = MediaAddress(setting: nil, listening: nil),
    http: HTTPClient = HTTPClient(userAgent: "Lunara"), coverArt: String? = nil, providers: [any ProviderService] = [],
    providersFolder: ProvidersFolder? = nil,
    hide: @escaping OpinionSender.Hiding = { _ in throw ProviderError.signedOut("ListenBrainz") },
    now: @escaping @Sendable () -> Timestamp = { .now() }
  ) {
    self.node = node
    self.database = database
    self.hostID = hostID
    self.journal = journal
    self.now = now
    let folders = MusicFolders(folders)
    self.folders = folders
    self.tagSettings = tagSettings
    let tagReaders = TagReaders(
      encodings: tagSettings?.encodings ?? TagEncodings(), rules: tagSettings?.rules ?? .default)
    let publisher = ChangePublisher(journal, followers: CatalogueFollowers.all)
    let watch = FolderWatch(lookingEvery: sharesEvery)
    self.watch = watch
    let source = FilesSource(
      database: database, publisher: publisher, folders: folders, tagReaders: tagReaders, watch: watch, now: now)
    let registry = SourceRegistry(
      source, kinds: kinds, secrets: SourceSecrets(store: CredentialStore(home: home)), database: database,
      publisher: publisher, now: now)
    let servers = ServerFinder(registry: registry, database: database, log: log)
    self.servers = servers
    let media = MediaRequestHandler(
      node: node, database: database, hostID: hostID, folders: folders, tagReaders: tagReaders,
      pictures: .init(
        home: home, space: artSpace, coverArt: coverArt,
        ofPlaylist: { try await PlaylistCovers.picture($0, database) }), address: mediaAddress, http: http, log: log,
      now: now
    ) { await servers.server($0) }
    self.media = media
    CatalogueMetrics(database: database, now: now).register(in: node.metrics)
    watch.silent.register(in: node.metrics, of: folders, now: now)
    self.log = log
    let linker = EntryLinker(database: database, folders: folders, log: log)
    let refresher = Refresher(
      database: database, journal: journal, log: log, now: now,
      afterRefresh: { _ = try await linker.run(isCatalogueChanged: $0) }
    ) { state in
      await node.publish(state)
      await media.observe(state)
    }
    self.refresher = refresher
    remote = RemoteLookup(
      log: log, server: { await servers.server($0) }, refresh: { await refresher.refreshed($0) })
    ratingRequests = RatingRequestHandler(
      database: database, kinds: kinds, publisher: publisher, now: now, changed: { await refresher.publishState() }
    ) { item, name, rating in
      guard let source = await refresher.source(name) as? ServerSource else {
        throw SourceError.away(name, cause: nil)
      }
      try await source.server.rate(item, rating)
    }
    opinionRequests = OpinionRequestHandler(
      database: database, kinds: kinds, journal: journal,
      sender: OpinionSender(database: database, log: log, server: { await servers.server($0) }, hide: hide, time: now),
      now: now)
    let playlistSender = PlaylistSender(
      database: database, hostID: hostID, log: log, server: { await servers.server($0) },
      changed: { await refresher.publishState() }, time: now)
    self.playlistSender = playlistSender
    let providerRunner = ProviderRunner(
      database: database, services: providers, folder: providersFolder, hostID: hostID, folders: folders, log: log,
      changed: { await refresher.publishState() }, now: now)
    providerRequests = ProviderRequestHandler(
      database: database, services: providers, folder: providersFolder, runner: providerRunner, hostID: hostID,
      roots: folders.paths,
      sources: { try await registry.list(refresher.statuses()) }, changed: { await refresher.publishState() }, now: now)
    playlistRequests = PlaylistRequestHandler(
      database: database, hostID: hostID, now: now, folders: folders, http: http,
      covers: PlaylistCovers(database: database, hostID: hostID, now: now) { try await media.check($0) },
      wake: {
        await playlistSender.wake(isFresh: true)
        await providerRunner.playlistsChanged()
      }
    ) {
      await refresher.publishState()
    }
    let webhook = TodoWebhookSettings(store: CredentialStore(home: home))
    let todoSender = TodoSender(database: database, settings: webhook, log: log) { try await http.send($0) }
    gardenRequests = GardenRequestHandler(
      database: database, journal: journal, now: now, webhook: webhook, sender: todoSender)
    let sourceRequests = SourceRequestHandler(registry: registry, refresher: refresher, servers: servers, log: log)
    self.sourceRequests = sourceRequests
    signInRequests = SignInRequestHandler(sources: sourceRequests)
    playback = ServerPlayback(
      kinds: kinds, servers: servers, database: database, log: log, parked: { await refresher.publishState() })
  }

  /// Starts to answer requests, to record listens, and to refresh.
  ///
  /// - Throws: the errors of `Database.write`, if it cannot settle which plays were sent before a restore: a start
  ///   would send them twice.
  func start() async throws {
    // Lists are sorted without them as well, only not as fast; the next refresh tries again.
    do { try await DeferredIndexes.make(in: database) } catch { log.error(error) }
    try await database.write { [tagSettings] transaction in
      try PlayRestoreReconciliation.resolveWaiting(transaction)
      if let tagSettings { try Catalogue.adopt(tagSettings, transaction) }
      try NoteStore.indexPending(transaction)
    }
    let sources = await sourceRequests.sources()
    let (queries, searches) = (QueryServer(database: database, remote: remote), SearchCache(.ofPeople()))
    await CatalogueRequestHandler(
      queries: queries, folders: folders, searches: searches,
      answering: { [refresher] in try await refresher.answering() }
    ).start(on: node)
    await PlayableRequestHandler(queries: queries, hostID: hostID, searches: searches).start(on: node)
    await media.start()
    await sourceRequests.start(on: node)
    await signInRequests.start(on: node)
    await HistoryRequestHandler(database: database, log: log, journal: journal) { [playback] in
      try playback.enqueue($0, $1)
    }.start(on: node)
    await RediscoveryRequestHandler(database: database).start(on: node)
    await ThemeRequestHandler(database: database, journal: journal, now: now).start(on: node)
    await ratingRequests.start(on: node)
    await SimilarAlbumsHandler(database: database) { [servers] in await servers.server($0) }.start(on: node)
    await opinionRequests.start(on: node)
    await playlistRequests.start(on: node)
    await playlistSender.start()
    await providerRequests.start(on: node)
    await providerRequests.runner.start()
    await gardenRequests.start(on: node)
    await playback.start(on: node)
    await refresher.start(sources)
    Task { [watch, refresher] in await watch.run { Task { await refresher.request(FilesSource.name, accepting: []) } } }
  }

  func refresh() async { await refresher.request() }

  /// Moves what was stamped in this boot before the clock was set. `newest` is the newest listen of the start.
  func correct(_ step: ClockStep, after newest: Int64) async {
    do {
      try await database.write { [journal] transaction in
        let played = try ClockCorrection.apply(step, after: newest, transaction)
        for fact in played { try journal?.append(fact, in: transaction) }
      }
    } catch {
      log.error(error)
    }
    await refresher.publishState()
  }

  func stop() async {
    watch.stop()
    await signInRequests.stop()
    await playback.stop()
    await opinionRequests.stop()
    await playlistSender.stop()
    await providerRequests.runner.stop()
    await gardenRequests.sender.stop()
    await refresher.stop()
    await media.stop()
  }
}
