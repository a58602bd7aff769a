import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Makes walls of albums and feeds of genres. Each is a pure function of its seed, the dial, the library, people's
/// opinions and the time; what was made is kept, so that it stays the same.
actor DiscoveryService {
  private let node: Node
  private let database: Database
  private let log: Log
  private let json: [UInt8]
  private let store: OwnedAlbumStore
  private let cache: OwnedAlbumCache
  private let follower: LibraryFollower
  private let access: OutsideAccess
  private let outside: OutsideReader
  private let wishes: WishFollower
  private let changes: AsyncStream<Void>
  private let now: @Sendable () -> Timestamp
  private var taxonomy: Taxonomy
  /// The assignment of a tag that was asked for last; each waits for the one before.
  private var assignment: Task<Void, any Error>?

  /// - Parameters:
  ///   - json: the text of the taxonomy.
  ///   - access: the ways to the sources outside; nil for those through the node.
  ///   - wishes: the library's wish list; nil for that of the household.
  ///   - now: returns the present time.
  /// - Throws: `discovery.badTaxonomy`.
  init(
    node: Node, database: Database, log: Log, json: [UInt8], pauses: LibraryFollower.Pauses = .init(),
    access: OutsideAccess? = nil, wishes: WishFollower.Access? = nil,
    now: @escaping @Sendable () -> Timestamp = { .now() }
  ) async throws {
    let store = OwnedAlbumStore(database: database)
    let taxonomy = try Taxonomy(json, assigned: try await store.assignedTags())
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.node = node
    self.database = database
    self.log = log
    self.json = json
    self.now = now
    self.store = store
    self.taxonomy = taxonomy
    self.changes = changes
    cache = OwnedAlbumCache(database)
    let access = access ?? OutsideAccess(node: node) { _ in nil }
    self.access = access
    outside = OutsideReader(OutsideStore(database: database), access, taxonomy, log: log, now: now)
    self.wishes = WishFollower(
      store: WishStore(database: database, coverArt: access.coverArt), library: wishes ?? .init(node: node), log: log,
      now: now)
    follower = LibraryFollower(
      store: store, taxonomy: taxonomy, log: log, pauses: pauses,
      read: { try await node.request($0, to: .library, within: .seconds(20)) },
      readOpinions: { try await node.request($0, to: .library, within: .seconds(20)) },
      changed: { continuation.yield() })
  }

  /// The running parts.
  struct Work: Sendable {
    fileprivate let follower: LibraryFollower
    fileprivate let outside: OutsideReader
    fileprivate let wishes: WishFollower
    fileprivate let tasks: [Task<Void, Never>]

    /// Ends them. A reading that was not finished begins again after the next start.
    func stop() async {
      for task in tasks { task.cancel() }
      await follower.stop()
      await outside.stop()
      await wishes.stop()
    }
  }

  /// Starts to follow the library and to answer requests.
  func start() async throws -> Work {
    try await store.rematch(taxonomy)
    try await WallStore(database: database, taxonomy: taxonomy).prune(at: now())
    await serve()
    await follower.follow(node, database, log)
    await publish()
    let node = node
    let follower = follower
    let wishes = wishes
    let tasks = [
      Task { [weak self, changes] in for await _ in changes { await self?.publish() } },
      Task {
        for await catalogues in await node.states(Library.CatalogueState.self) {
          for observed in catalogues where observed.node == .library && !observed.away {
            await follower.update(generation: observed.value.generation)
            await wishes.update(observed.value)
          }
        }
      },
    ]
    await follower.start()
    await outside.start()
    await wishes.start()
    return Work(follower: follower, outside: outside, wishes: wishes, tasks: tasks)
  }

  private var requests: OutsideRequestHandler {
    OutsideRequestHandler(database: database, access: access, reader: outside, wishes: wishes, now: now)
  }

  private var walls: WallStore {
    WallStore(database: database, taxonomy: taxonomy, coverArt: access.coverArt) { [node, log] album in
      // The note does not come back elsewhere for a while. Where the library is away, it may.
      Task {
        do {
          _ = try await node.request(Library.KeepNotesShown(notes: [], albums: [album]), to: .library)
        } catch { log.warning(error) }
      }
    }
  }

  private func serve() async {
    await requests.serve(on: node) { [weak self] in try await self?.houseSources() ?? [] }
    await node.serve(Discovery.ReadWall.self) { request, _ in try await self.wall(request) }
    await node.serve(Discovery.ListNextAlbums.self) { request, _ in try await self.nextAlbums(request) }
    await node.serve(Discovery.ListSimilarAlbums.self) { request, _ in try await self.similar(request) }
    await node.serve(Discovery.ListGenres.self) { _, _ in try await self.genres() }
    await node.serve(Discovery.ReadDiagnostics.self) { _, _ in try await self.diagnostics() }
    await node.serve(Discovery.SetDial.self) { request, _ in try await self.set(request) }
    await node.serve(Discovery.ShowLess.self) { request, _ in
      _ = try await self.readStatus()
      try await self.store.showLess(request, at: self.now())
      return Done()
    }
    await node.serve(Discovery.AssignTag.self) { request, _ in try await self.assign(request) }
  }

  // MARK: - Walls

  private func wall(_ request: Discovery.ReadWall) async throws -> Discovery.Wall {
    let status = try await readStatus()
    let (asked, place) = try self.request(request, storedDial: status.dial)
    if let count = request.count, !(1...200).contains(count) {
      throw LunaraError("discovery.badCount", "A page has 1 to 200 albums.")
    }
    let count = request.count ?? (place == 0 ? asked.name.first : asked.laterPage)
    let view = try await cache.view(taxonomy, at: now())
    // Tiles of albums that are not in the library say which are wished for, as the library knows it now.
    if try await database.read(OutsideAlbums.showsMissing) { await wishes.refreshIfPossible() }
    return try await walls.page(asked, from: place, count: count, view, at: now())
  }

  private func nextAlbums(_ request: Discovery.ListNextAlbums) async throws -> Discovery.NextAlbums {
    _ = try await readStatus()
    let asked = try named(request.wall)
    let view = try await cache.view(taxonomy, at: now())
    return try await walls.albums(
      of: asked, after: request.after, limit: min(max(1, request.limit), 20), view, at: now())
  }

  private func similar(_ request: Discovery.ListSimilarAlbums) async throws -> Discovery.SimilarAlbums {
    _ = try await readStatus()
    return try await SimilarAlbumStore(database: database, taxonomy: taxonomy).similar(to: request)
  }

  /// Returns the wall that a request means, and the place at which its page begins.
  ///
  /// - Throws: `discovery.badDial`, `discovery.badCursor`, `discovery.unknownGenre`.
  private func request(_ request: Discovery.ReadWall, storedDial: Int) throws -> (WallRequest, place: Int) {
    if let after = request.after {
      guard let cursor = WallCursor(after) else {
        throw LunaraError(
          "discovery.badCursor", "\(after.prefix(80)) is no cursor of a wall. Begin at the first page, without it.")
      }
      return (try named(cursor.name), cursor.place)
    }
    let dial = request.dial ?? storedDial
    let seed = request.seed ?? .random(in: 0...Seeds.largest)
    guard (0...Seeds.largest).contains(seed) else {
      throw LunaraError("discovery.badCount", "A seed is a number from 0 to \(Seeds.largest).")
    }
    let parts = request.subcategories.flatMap { $0.isEmpty ? nil : $0 }
    let usual = request.genre == nil ? 100 : parts == nil ? 50 : 25
    let name = Discovery.WallName(
      seed: seed, dial: dial, first: min(max(1, request.count ?? usual), 200), genre: request.genre,
      subcategories: parts)
    var asked = try named(name)
    asked.isDrawn = request.seed == nil
    return (asked, 0)
  }

  /// Finds the genre and the subcategories of a wall's name, which may be given by their names.
  ///
  /// - Throws: `discovery.badDial`, `discovery.unknownGenre`.
  private func named(_ name: Discovery.WallName) throws -> WallRequest {
    guard Dial.positions.contains(name.dial) else {
      throw LunaraError("discovery.badDial", "The dial has the positions 1 to 5, not \(name.dial).")
    }
    var asked = WallRequest(name: name)
    asked.name.first = min(max(1, name.first), 200)
    guard let word = name.genre else {
      asked.name.subcategories = nil
      return asked
    }
    guard let genre = taxonomy.genre(word) else {
      throw LunaraError(
        "discovery.unknownGenre", "There is no genre “\(word.prefix(80))”. `lunara genres` lists those there are.")
    }
    asked.genre = genre
    asked.subcategories = try Set(
      (name.subcategories ?? []).prefix(GenreSet.mostSubcategories).map { word in
        guard let part = taxonomy.subcategory(word, of: genre) else {
          throw LunaraError(
            "discovery.unknownGenre",
            "\(taxonomy.genres[genre].name) has no subcategory “\(word.prefix(80))”. `lunara genres` lists those there are."
          )
        }
        return part
      }
    ).sorted()
    asked.name.genre = taxonomy.genres[genre].id
    asked.name.subcategories =
      asked.subcategories.isEmpty ? nil : asked.subcategories.map { taxonomy.subcategories[$0].id }
    return asked
  }

  /// Returns the state of the albums, once the library was read for the first time.
  ///
  /// - Throws: `discovery.notReady`.
  private func readStatus() async throws -> OwnedAlbumStore.Status {
    do { return try await OwnedAlbumStore(database: database).firstReading() } catch var error as LunaraError
      where error.code == "discovery.notReady"
    {
      error.cause = await follower.problem?.description
      throw error
    }
  }

  // MARK: - Genres and settings

  private func genres() async throws -> Discovery.GenreList {
    _ = try await readStatus()
    return try await OwnedAlbumCounts(database: database, taxonomy: taxonomy).genres()
  }

  private func diagnostics() async throws -> Discovery.Diagnostics {
    let view = try await cache.view(taxonomy, at: now())
    var known = try await OwnedAlbumCounts(database: database, taxonomy: taxonomy).diagnostics(
      try await albumState(), view, at: now())
    known.sources += try await requests.sources()
    return known
  }

  private func houseSources() async throws -> [Discovery.DataSource] {
    let state = try await albumState()
    return try await database.read { try OwnedAlbumCounts.sources(state, $0) }
  }

  private func set(_ request: Discovery.SetDial) async throws -> Done {
    guard Dial.positions.contains(request.dial) else {
      throw LunaraError("discovery.badDial", "The dial has the positions 1 to 5, not \(request.dial).")
    }
    try await store.setDial(request.dial)
    await publish()
    return Done()
  }

  private func assign(_ request: Discovery.AssignTag) async throws -> Done {
    guard !TagFolding.fold(request.tag).isEmpty, request.tag.utf8.count <= 1000 else {
      throw LunaraError("discovery.unknownGenre", "A tag needs a letter or a number, and at most 1000 bytes.")
    }
    if let place = request.genre, !taxonomy.has(place) {
      throw LunaraError(
        "discovery.unknownGenre",
        "There is no genre or subcategory “\(place.prefix(80))”. `lunara genres --json` shows their ids.")
    }
    // Of two at the same moment, the one that is stored first must not bring its taxonomy after the other.
    let former = assignment
    let task = Task {
      _ = await former?.result
      try await self.keep(request)
    }
    assignment = task
    try await task.value
    return Done()
  }

  private func keep(_ request: Discovery.AssignTag) async throws {
    try await store.assign(request.tag, to: request.genre)
    taxonomy = try Taxonomy(json, assigned: try await store.assignedTags())
    try await follower.use(taxonomy)
  }

  private func albumState() async throws -> Discovery.ShelfState {
    let status = try await database.read(OwnedAlbumStore.status)
    return Discovery.ShelfState(
      generation: status.generation, albums: status.albums, dial: status.dial, isReading: await follower.isReading,
      problem: await follower.problem)
  }

  private func publish() async {
    do { await node.publish(try await albumState()) } catch { log.error(LunaraError(error)) }
  }
}
