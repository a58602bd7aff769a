import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Copies the library's albums: all of them once, then those that changed, were rated or played.
///
/// The albums to read are written down in the transaction that takes note of the fact, so none is missed when the
/// service is killed.
actor LibraryFollower {
  /// Reads albums from the library; tests use a fake.
  typealias Read = @Sendable (Library.ListAlbumFeatures) async throws -> Library.AlbumFeaturesPage

  struct Pauses: Sendable {
    /// The pause after a change, in which others may follow.
    var settling = Duration.seconds(2)
    /// The pause before a change of which no fact came leads to reading everything.
    var silence = Duration.seconds(30)
  }

  private let store: OwnedAlbumStore
  private let read: Read
  /// Follows likes and dislikes.
  private let opinions: OpinionFollower
  private let log: Log
  private let pauses: Pauses
  private let changed: @Sendable () -> Void
  private let loop = WorkLoop()
  private(set) var taxonomy: Taxonomy
  /// The generation that the library has published last.
  private var published: Int64 = 0
  private(set) var isReading = false
  private(set) var problem: LunaraError?
  private var isStale = false

  init(
    store: OwnedAlbumStore, taxonomy: Taxonomy, log: Log, pauses: Pauses = Pauses(), read: @escaping Read,
    readOpinions: @escaping OpinionFollower.Read, changed: @escaping @Sendable () -> Void
  ) {
    self.store = store
    self.taxonomy = taxonomy
    self.log = log
    self.pauses = pauses
    self.read = read
    self.changed = changed
    opinions = OpinionFollower(store: store, log: log, read: readOpinions, changed: changed)
  }

  func start() async {
    await opinions.start()
    await loop.start(failed: { await self.record($0.error) }) { try await self.round() }
  }

  func stop() async {
    await opinions.stop()
    await loop.stop()
  }

  func wake() async { await loop.wake() }

  /// Takes note of the generation that the library has now.
  func update(generation: Int64) async {
    guard generation != published else { return }
    published = generation
    await opinions.wake()
    await loop.wake()
  }

  /// Matches all albums by another taxonomy.
  func use(_ taxonomy: Taxonomy) async throws {
    self.taxonomy = taxonomy
    try await store.rematch(taxonomy)
    changed()
  }

  /// Reads what is due, and returns the rest that follows.
  private func round() async throws -> WorkLoop.Rest {
    let rest = try await work()
    if problem != nil {
      problem = nil
      changed()
    }
    return rest
  }

  private func record(_ error: LunaraError) {
    isReading = false
    if problem != error { log.warning(error) }
    problem = error
    changed()
  }

  private func work() async throws -> WorkLoop.Rest {
    let status = try await store.database.read(OwnedAlbumStore.status)
    if status.needsAll || !status.isRead {
      // While a source is being read, one change of everything follows the other.
      if status.isRead { try await Task.sleep(for: pauses.settling) }
      try await readAll()
      return .none
    }
    if try await !store.changedAlbums().isEmpty {
      try await Task.sleep(for: pauses.settling)
      let changes = try await store.changedAlbums()
      let ids = changes.map(\.id)
      var page = try await read(Library.ListAlbumFeatures(ids: ids))
      var (albums, generation) = (page.items, page.generation)
      // Albums with many tags may not fit into one answer; those that no page has are gone.
      while let next = page.next {
        page = try await read(Library.ListAlbumFeatures(after: next, ids: ids))
        albums += page.items
        generation = min(generation, page.generation)
      }
      try await store.store(albums, of: changes, generation: generation, at: .now(), taxonomy)
      changed()
      return .none
    }
    guard published > status.generation else {
      isStale = false
      return .untilWoken
    }
    // The facts of the change come after the state; where none comes, something was missed.
    guard isStale else {
      isStale = true
      return .atMost(pauses.silence)
    }
    isStale = false
    try await readAll()
    return .none
  }

  /// Reads all albums, page by page. Only one page is in memory.
  private func readAll() async throws {
    isReading = true
    changed()
    let reading = try await store.beginReading()
    var (cursor, generation): (String?, Int64?) = (nil, nil)
    repeat {
      let page = try await read(Library.ListAlbumFeatures(after: cursor))
      generation = generation ?? page.generation
      try await store.store(page.items, run: reading.run, taxonomy)
      cursor = page.next
    } while cursor != nil
    try await store.end(reading, generation: generation ?? 0, at: .now(), taxonomy)
    isReading = false
    changed()
  }
}

extension LibraryFollower {
  /// The name of the reader whose cursors mark the facts that were read.
  static let reader = "discovery"

  /// Follows the facts of the library on a node.
  func follow(_ node: Node, _ database: Database, _ log: Log) async {
    await node.follow("library", as: Self.reader, in: database) { [opinions] fact, transaction in
      if let change = try fact.read(Library.CatalogueChanged.self, log, in: transaction) {
        if change.isWide {
          try OwnedAlbumStore.markAll(transaction)
        } else {
          try OwnedAlbumStore.mark(change.albums + change.removed, generation: change.generation, transaction)
        }
      } else if let played = try fact.read(Library.AlbumPlayed.self, log, in: transaction) {
        try OwnedAlbumStore.mark([played.album], transaction)
      } else if let rated = try fact.read(Library.RatingChanged.self, log, in: transaction) {
        guard rated.track == nil else { return }
        try OwnedAlbumStore.mark([AlbumID(source: rated.id.source, native: rated.id.native)], transaction)
      } else if let noted = try fact.read(Library.NoteChanged.self, log, in: transaction) {
        guard noted.on.kind != .artist else { return }
        // The library takes the id of a track for that of its album.
        try OwnedAlbumStore.mark([AlbumID(source: noted.on.id.source, native: noted.on.id.native)], transaction)
      } else if let shown = try fact.read(Library.NotesShown.self, log, in: transaction) {
        return try WallStore.keepTold(shown.albums, at: fact.time, transaction)
      } else if try fact.read(Library.OpinionChanged.self, log, in: transaction) != nil {
        transaction.afterCommit { Task { await opinions.wake() } }
        return
      } else {
        return
      }
      transaction.afterCommit { Task { await self.wake() } }
    }
  }
}

extension ReceivedFact {
  /// Decodes a fact if it is of this kind; nil for another kind. A fact that cannot be read is logged, and everything
  /// is read from the library again, which then has what it said.
  fileprivate func read<Content: Fact>(_ kind: Content.Type, _ log: Log, in transaction: Transaction) throws -> Content?
  {
    do { return try decode(kind) } catch {
      log.warning(LunaraError(error))
      try OwnedAlbumStore.markAll(transaction)
      return nil
    }
  }
}
