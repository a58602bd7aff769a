import Messages
import Model
import ServiceKit

/// Keeps likes and dislikes in step with the library. They are read apart from the albums, so that a disliked album
/// leaves walls at once, even while the library is being read.
actor OpinionFollower {
  /// Reads a page of opinions from the library; tests use a fake.
  typealias Read = @Sendable (Library.ReadOpinions) async throws -> Library.OpinionIDs

  private let store: OwnedAlbumStore
  private let read: Read
  private let log: Log
  private let changed: @Sendable () -> Void
  private let loop = WorkLoop()
  /// The revision that is stored; nil until the first reading since the start.
  private var revision: Int64?
  /// The reason why the last reading failed; nil if it did not.
  private(set) var problem: LunaraError?

  init(store: OwnedAlbumStore, log: Log, read: @escaping Read, changed: @escaping @Sendable () -> Void) {
    self.store = store
    self.log = log
    self.read = read
    self.changed = changed
  }

  func start() async { await loop.start(failed: { await self.record($0.error) }) { try await self.round() } }

  func stop() async { await loop.stop() }

  /// Reads the opinions now: one may have changed.
  func wake() async { await loop.wake() }

  private func round() async throws -> WorkLoop.Rest {
    if try await readAll() { changed() }
    problem = nil
    return .untilWoken
  }

  private func record(_ error: LunaraError) {
    if problem != error { log.warning(error) }
    problem = error
  }

  /// Reads all opinions if there are others than those that are stored. Returns true if there were.
  private func readAll() async throws -> Bool {
    while true {
      try Task.checkCancellation()
      var page = try await read(Library.ReadOpinions(since: revision))
      if page.isSame { return false }
      let first = page.revision
      var opinions = OwnedAlbumStore.Opinions(likes: page.likes, dislikes: page.dislikes)
      while let next = page.next, page.revision == first {
        page = try await read(Library.ReadOpinions(after: next))
        opinions.likes += page.likes
        opinions.dislikes += page.dislikes
      }
      // Pages of two revisions do not fit together.
      guard page.revision == first else { continue }
      try await store.store(opinions: opinions, at: .now())
      revision = first
      return true
    }
  }
}
