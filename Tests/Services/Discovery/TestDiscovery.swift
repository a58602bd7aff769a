import Bus
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport

@testable import Discovery

/// A discovery service on a bus with a library that has the albums that a test gives it.
final class TestDiscovery: Sendable {
  /// The contents of the library.
  struct Contents: Sendable {
    var albums: [Library.AlbumFeatures] = []
    var generation: Int64 = 1
    /// The number of requests so far.
    var requests = 0
    /// The most albums of an answer to a request for some ids.
    var mostOfIDs = 200
    /// The number of albums after which the library fails; nil for never.
    var failsAfter: Int?
    /// The opinions, and their revision.
    var opinions = Library.OpinionIDs(revision: 1)
    /// The wish list, the latest first.
    var wishes: [Library.Wish] = []
    /// The error of requests about wishes; nil for none.
    var wishProblem: LunaraError?
  }

  let bus: TestBus
  let contents: Mutex<Contents>
  let library: Node
  private let libraryDatabase: Database
  private let journal: Journal
  private let path = TemporaryDirectory()
  private let running = Mutex<(node: Node, work: DiscoveryService.Work, database: Database)?>(nil)
  let now = Mutex(Timestamp(seconds: TestAlbums.now))

  private let access: OutsideAccess?

  init(_ albums: [Library.AlbumFeatures], access: OutsideAccess? = nil) async throws {
    self.access = access
    bus = try TestBus()
    contents = Mutex(Contents(albums: albums))
    libraryDatabase = try bus.database("library")
    journal = try await Journal(libraryDatabase)
    library = try await Node.start(.library, in: bus.directory, journal: journal)
    await library.serve(Library.ListAlbumFeatures.self) { [weak self] request, _ in
      guard let self else { throw LunaraError("test.ended", "The test has ended.") }
      return try self.answer(request)
    }
    await library.serve(Library.ReadOpinions.self) { [weak self] request, _ in
      guard let opinions = self?.contents.withLock({ $0.opinions }) else {
        throw LunaraError("test.ended", "The test has ended.")
      }
      return request.since == opinions.revision ? .init(revision: opinions.revision, isSame: true) : opinions
    }
    await serveWishes()
    try await start()
  }

  /// Answers as the library's wish list does.
  private func serveWishes() async {
    await library.serve(Library.ListWishes.self) { [weak self] request, _ in
      guard let self else { throw LunaraError("test.ended", "The test has ended.") }
      return try self.changeWishes { contents in
        let before = request.after.flatMap { Int64($0) } ?? .max
        let rest = contents.wishes.filter { $0.id < before }
        let items = Array(rest.prefix(request.limit))
        return Library.Page(items: items, next: rest.count > items.count ? items.last.map { "\($0.id)" } : nil)
      }
    }
    await library.serve(Library.AddWish.self) { [weak self] request, _ in
      guard let self else { throw LunaraError("test.ended", "The test has ended.") }
      return try self.changeWishes { contents in
        if contents.albums.contains(where: { $0.title == request.album && $0.artist == request.artist }) {
          throw LunaraError("library.wishIsHere", "It is here.")
        }
        if let known = contents.wishes.first(where: { $0.artist == request.artist && $0.album == request.album }) {
          return known
        }
        let wish = Library.Wish(
          id: (contents.wishes.map(\.id).max() ?? 0) + 1, artist: request.artist, album: request.album,
          addedAt: Timestamp(seconds: TestAlbums.now), releaseGroup: request.releaseGroup)
        contents.wishes.insert(wish, at: 0)
        return wish
      }
    }
    await library.serve(Library.RemoveWish.self) { [weak self] request, _ in
      guard let self else { throw LunaraError("test.ended", "The test has ended.") }
      return try self.changeWishes { contents in
        contents.wishes.removeAll { $0.id == request.id }
        return Done()
      }
    }
  }

  private func changeWishes<T: Sendable>(_ body: (inout Contents) throws -> T) throws -> T {
    try contents.withLock { contents in
      if let problem = contents.wishProblem { throw problem }
      return try body(&contents)
    }
  }

  private func answer(_ request: Library.ListAlbumFeatures) throws -> Library.AlbumFeaturesPage {
    try contents.withLock { contents in
      contents.requests += 1
      let first = request.after.flatMap { Int($0) } ?? 0
      if let ids = request.ids {
        let found = contents.albums.filter { ids.contains($0.id) }
        let end = min(found.count, first + contents.mostOfIDs)
        return .init(
          generation: contents.generation, items: Array(found[min(first, end)..<end]),
          next: end < found.count ? "\(end)" : nil)
      }
      if let limit = contents.failsAfter, first >= limit { throw LunaraError("test.failed", "The library failed.") }
      let end = min(contents.albums.count, first + 400)
      return .init(
        generation: contents.generation, items: Array(contents.albums[min(first, end)..<end]),
        next: end < contents.albums.count ? "\(end)" : nil)
    }
  }

  /// Starts the service with the data of its former run.
  func start() async throws {
    let database = try Database(
      at: "\(path.path)/discovery.sqlite", migrations: Journal.migrations + DiscoverySchema.migrations)
    let node = try await bus.node("discovery@main")
    let service = try await DiscoveryService(
      node: node, database: database, log: .quiet, json: Taxonomy.builtIn,
      pauses: .init(settling: .milliseconds(5), silence: .milliseconds(50)),
      access: access,
      now: { [weak self] in self?.now.withLock { $0 } ?? Timestamp(seconds: TestAlbums.now) })
    let work = try await service.start()
    running.withLock { $0 = (node, work, database) }
    await publish()
  }

  /// Ends the service.
  func stop() async {
    let ending = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let ending else { return }
    await ending.work.stop()
    await ending.node.close()
    await ending.database.close()
  }

  /// Publishes the library's state.
  func publish() async {
    let (generation, albums) = contents.withLock { ($0.generation, $0.albums.count) }
    await library.publish(
      Library.CatalogueState(generation: generation, albums: albums, tracks: albums, sources: []))
  }

  /// Changes the library, and says which albums changed.
  func change(_ ids: [AlbumID], _ body: (inout Contents) -> Void) async throws {
    let generation = contents.withLock { contents in
      contents.generation += 1
      body(&contents)
      return contents.generation
    }
    let known = Set(contents.withLock { $0.albums.map(\.id) })
    let fact = Library.CatalogueChanged(
      generation: generation, albums: ids.filter(known.contains), removed: ids.filter { !known.contains($0) })
    try await report(fact)
    await publish()
  }

  /// Reports a fact as the library.
  func report(_ fact: some Fact) async throws {
    let journal = journal
    try await libraryDatabase.write { try journal.append(fact, in: $0) }
  }

  func ask<R: Request>(_ request: R) async throws -> R.Answer { try await library.request(request, to: .discovery) }

  func refusal(of request: some Request) async -> LunaraError? {
    do { _ = try await ask(request) } catch { return LunaraError(error) }
    return nil
  }

  /// Has the library keep these opinions and no others, and waits until the service knows them.
  func like(_ likes: [AlbumID], dislike dislikes: [AlbumID] = []) async throws {
    contents.withLock { contents in
      contents.opinions = .init(revision: contents.opinions.revision + 1, likes: likes, dislikes: dislikes)
    }
    guard let changed = (likes + dislikes).first else { return }
    try await report(
      Library.OpinionChanged(id: changed, opinion: likes.isEmpty ? .dislike : .like, title: "", artist: ""))
    let isKnown = try await eventually {
      let known = try await ask(Discovery.ReadDiagnostics())
      return known.likes == likes.count && known.dislikes == dislikes.count
    }
    guard isKnown else { throw LunaraError("test.unknownOpinions", "The service does not know the opinions.") }
  }

  func close() async {
    await stop()
    await library.close()
    await libraryDatabase.close()
  }

  /// Returns albums with tags, some of them played and rated.
  static func albums(_ count: Int, tags: [String] = ["Rock", "Jazz", "Punk", "House", "Bebop", "Country"])
    -> [Library.AlbumFeatures]
  {
    (0..<count).map { number in
      var album = Library.AlbumFeatures(
        id: id(number), title: "Album \(number)", artist: "Artist \(number % 40)",
        artistID: ArtistID(source: "files", native: "r\(number % 40)"), year: 1960 + number % 60,
        tags: tags.isEmpty ? [] : [tags[number % tags.count]],
        addedAt: Timestamp(seconds: TestAlbums.now - Int64(number % 500) * Ages.day))
      if number % 3 == 0 {
        album.plays = number % 9 + 1
        album.lastPlayedAt = Timestamp(seconds: TestAlbums.now - Int64(number % 300 + 1) * Ages.day)
      }
      if number % 10 == 0 { album.rating = Rating(rawValue: number % 11) }
      return album
    }
  }

  static func id(_ number: Int) -> AlbumID { AlbumID(source: "files", native: "a\(number + 1)") }
}
