import Bus
import HTTP
import Messages
import Model
import MusicTags
import ServiceKit
import Storage

/// The service of the process `lunara-library`: answers requests to the library, refreshes it, and records listens.
struct LibraryService: Sendable {
  private let node: Node
  private let database: Database
  private let hostID: String
  private let folders: MusicFolders
  private let art: ArtStore
  private let lyrics: LyricsReader
  private let allTags: AllTagsReader
  private let refresher: Refresher
  private let sourceRequests: SourceRequestHandler
  private let signInRequests: SignInRequestHandler
  private let servers: ServerFinder
  private let remote: RemoteLookup
  private let log: Log
  private let watch = FolderWatch()
  private let playback: ServerPlayback
  private let prefetcher: CoverPrefetcher
  private let media: MediaEndpoint?
  private let streamMonitor: StreamMonitor
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
  ///   - tagSettings: how tags are read; nil for what was stored.
  ///   - providers: the kinds of providers that can be linked.
  ///   - coverArt: the address of a server of covers of releases, which may be in this house; nil for the usual one.
  ///   - hide: asks ListenBrainz not to recommend a release group.
  ///   - mediaAddress: where audio and pictures are served to other hosts; nil for nowhere.
  /// - Throws: `library.mediaKeyNeeded`, `bus.noSodium`.
  init(
    node: Node, database: Database, journal: Journal?, folders: [[UInt8]],
    kinds: SourceKinds = SourceKinds([FilesSource.descriptor]), home: String, hostID: String, log: Log,
    artSpace: Int64 = 250 << 20, tagSettings: TagSettings? = nil, mediaAddress: MediaAddress? = nil,
    http: HTTPClient = HTTPClient(userAgent: "Lunara"), coverArt: String? = nil, providers: [any ProviderService] = [],
    hide: @escaping OpinionSender.Hiding = { _ in throw ProviderCaller.signedOut("ListenBrainz") },
    now: @escaping @Sendable () -> Timestamp = { .now() }
  ) throws {
    self.node = node
    self.database = database
    self.hostID = hostID
    let folders = MusicFolders(folders)
    self.folders = folders
    self.tagSettings = tagSettings
    let tagReaders = TagReaders(
      encodings: tagSettings?.encodings ?? TagEncodings(), rules: tagSettings?.rules ?? .default)
    let source = FilesSource(
      database: database, journal: journal, folders: folders, tagReaders: tagReaders, watch: watch, now: now)
    let registry = SourceRegistry(
      source, kinds: kinds, secrets: SourceSecrets(store: CredentialStore(home: home)), database: database,
      journal: journal, now: now)
    let servers = ServerFinder(registry: registry, database: database, log: log)
    self.servers = servers
    let boundary = FolderBoundary(folders)
    allTags = AllTagsReader(database: database, tagReaders: tagReaders)
    lyrics = LyricsReader(database: database, boundary: boundary, tagReaders: tagReaders) { await servers.server($0) }
    let covers = PublicCovers(http: http, trusted: coverArt)
    art = ArtStore(
      database: database, folder: ArtFolder(path: "\(home)/artwork", capacity: artSpace),
      files: PictureFiles(boundary: boundary, tagReaders: tagReaders)
    ) { name, reference, size in
      if name == Catalogue.ownPlaylists { return try await PlaylistCovers.picture(reference, database) }
      if name == DescribedTrack.coverSource { return try await covers.picture(at: reference) }
      guard let server = await servers.server(name) else { throw SourceError.away(name, cause: nil) }
      return try await server.picture(reference, size: size)
    }
    let prefetcher = CoverPrefetcher(art, log: log)
    self.prefetcher = prefetcher
    let streamMonitor = StreamMonitor {
      do { return try await InhibitorLock.againstSleep(why: "A room of the household plays from here") } catch {
        log.warning(error)
        return nil
      }
    }
    self.streamMonitor = streamMonitor
    let files = MediaFiles(database: database, art: art, folders: folders)
    media = try mediaAddress.map {
      try MediaEndpoint(
        files, at: $0, keys: node.keys, streamMonitor: streamMonitor,
        relay: MediaRelay(http: http) { await servers.server($0) }, isPeer: { node.isPeerHost($0) }, now: now)
    }
    CatalogueMetrics(database: database, now: now).register(in: node.metrics)
    self.log = log
    let refresher = Refresher(
      database: database, journal: journal, log: log, now: now,
      linker: EntryLinker(database: database, folders: folders, log: log)
    ) { state in
      await node.publish(state)
      await prefetcher.observe(state)
    }
    self.refresher = refresher
    remote = RemoteLookup(
      log: log, server: { await servers.server($0) }, refresh: { await refresher.refreshed($0) })
    ratingRequests = RatingRequestHandler(
      database: database, kinds: kinds, journal: journal, now: now, changed: { await refresher.publishState() }
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
      database: database, services: providers, hostID: hostID, folders: folders, log: log,
      changed: { await refresher.publishState() }, now: now)
    providerRequests = ProviderRequestHandler(
      database: database, services: providers, secrets: ProviderSecrets(store: CredentialStore(home: home)),
      runner: providerRunner, hostID: hostID, roots: folders.paths,
      sources: { try await registry.list(refresher.statuses()) }, changed: { await refresher.publishState() }, now: now)
    playlistRequests = PlaylistRequestHandler(
      database: database, hostID: hostID, now: now, folders: folders, http: http,
      covers: PlaylistCovers(database: database, hostID: hostID, now: now) { [art] in
        _ = try await art.locate($0, size: 512)
      },
      wake: {
        await playlistSender.wake()
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
    try await database.write { [tagSettings] transaction in
      try PlayRestoreReconciliation.resolveWaiting(transaction)
      if let tagSettings { try Catalogue.adopt(tagSettings, transaction) }
      try NoteStore.indexPending(transaction)
    }
    let sources = await sourceRequests.sources()
    await CatalogueRequestHandler(
      database: database, hostID: hostID, remote: remote, folders: folders,
      answering: { [refresher] in try await refresher.answering() }
    ).start(on: node)
    await serveLocateRequests()
    // Without the media endpoint the rooms of this host still play, so an error does not end the start.
    do { try media?.start() } catch { log.warning(LunaraError(error)) }
    await sourceRequests.start(on: node)
    await signInRequests.start(on: node)
    await HistoryRequestHandler(database: database, log: log, journal: gardenRequests.journal) { [playback] in
      try playback.enqueue($0, $1)
    }.start(on: node)
    await RediscoveryRequestHandler(database: database).start(on: node)
    await ThemeRequestHandler(database: database, journal: gardenRequests.journal, now: gardenRequests.now).start(
      on: node)
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

  func stop() async {
    watch.stop()
    await signInRequests.stop()
    await playback.stop()
    await opinionRequests.stop()
    await playlistSender.stop()
    await providerRequests.runner.stop()
    await gardenRequests.sender.stop()
    await media?.stop()
    streamMonitor.stop()
    await refresher.stop()
    // The prefetcher may wait for pictures: it starts no more, the store ends them, and then it can stop.
    await prefetcher.cancel()
    await art.stop()
    await prefetcher.stop()
  }

  private func serveLocateRequests() async {
    let (database, hostID, art) = (database, hostID, art)
    let locator = TrackLocator(
      database: database, hostID: hostID, roots: { [folders] in folders.paths },
      elsewhere: { try await elsewhere(.audio($0)) },
      server: { [servers] in await servers.server($0) })
    await node.serve(Library.LocateTrack.self) { request, _ in
      try await locator.locate(request)
    }
    await node.serve(Library.ReadLyrics.self) { [lyrics] request, _ in try await lyrics.lyrics(of: request.id) }
    await node.serve(Library.ReadTrackTags.self) { [allTags] request, _ in try await allTags.tags(of: request.id) }
    await node.serve(Library.LocateArt.self) { request, _ in
      let takesWebP = request.takesWebP ?? false
      guard request.host == hostID else {
        return try await elsewhere(.art(request.id, size: request.size, takesWebP: takesWebP))
      }
      return .file(try await art.locate(request.id, size: request.size, takesWebP: takesWebP))
    }
  }

  /// Returns the address at which another host gets an item. Throws `library.mediaAway`.
  private func elsewhere(_ thing: MediaLink.Item) async throws -> Library.Locator {
    guard let media else { throw MediaEndpoint.away }
    let url = try media.url(of: thing, advertised: await node.advertisedHost)
    return .url(url, headers: [:], expiresIn: MediaLink.lifetime)
  }
}
