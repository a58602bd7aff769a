import Bus
import Messages
import Model
import ServiceKit

/// Puts albums of walls on the library's wish list, and keeps in step with that list. Wishes of former versions, which
/// the library did not have, are handed over once; they are kept until it has them.
actor WishFollower {
  /// The library's wish list; tests use a fake.
  struct Access: Sendable {
    /// Returns a page of the list, within a time.
    var list: @Sendable (Library.ListWishes, _ patience: Duration) async throws -> Library.Page<Library.Wish>
    var add: @Sendable (Library.AddWish) async throws -> Library.Wish
    var remove: @Sendable (Library.RemoveWish) async throws -> Void
  }

  private let store: WishStore
  private let library: Access
  private let log: Log
  private let now: @Sendable () -> Timestamp
  private let loop = WorkLoop()
  /// The number of changes that this service made to the list, so that a reading from before is not stored after them.
  private var changes = 0
  /// The number of changes that are being made to the list.
  private var changing = 0
  /// True once the log says that the list is longer than what is read.
  private var isLengthTold = false
  /// The generation and the revision of the lists that the library published last.
  private var published: [Int64?] = []

  /// The most pages of the list that are read, of 200 wishes each. The library has no bound, so this one is only for a
  /// list that does not end.
  static let mostPages = 500
  /// The longest text of a wish in the library, in bytes.
  private static let longest = 500
  /// The pause after which a reading looks again if the changes to the list have ended.
  private static let pause = Duration.milliseconds(10)

  init(store: WishStore, library: Access, log: Log, now: @escaping @Sendable () -> Timestamp) {
    self.store = store
    self.library = library
    self.log = log
    self.now = now
  }

  func start() async {
    await loop.start(failed: { [log] in if $0.count == 1 { log.warning($0.error) } }) {
      try await self.handOver()
      try await self.refresh()
      return .untilWoken
    }
  }

  func stop() async { await loop.stop() }

  /// Stores the library's current state. A new generation or a new revision of the lists may change the wishes.
  func update(_ state: Library.CatalogueState) async {
    guard [state.generation, state.lists] != published else { return }
    published = [state.generation, state.lists]
    await loop.wake()
  }

  /// Gives the library the wishes that it does not have. One that is refused keeps none of the others back.
  private func handOver() async throws {
    var refusal: (any Error)?
    for album in try await store.waiting() {
      try Task.checkCancellation()
      do { try await add(album) } catch let error as LunaraError where error.code == "library.wishIsHere" {
        // It has come meanwhile.
        try await store.forget(album.releaseGroup)
      } catch let error as LunaraError where error.code == "library.badWish" {
        refusal = error
      }
    }
    if let refusal { throw refusal }
  }

  private func add(_ album: WishStore.Album) async throws {
    changing += 1
    defer { changing -= 1 }
    let wish = try await library.add(
      .init(artist: Self.cut(album.artist), album: Self.cut(album.title), releaseGroup: album.releaseGroup))
    changes += 1
    try await store.keep(wish, of: album, at: now())
  }

  /// Puts an album on the library's wish list, or takes it off.
  ///
  /// - Throws: `discovery.unknownRelease`, `library.wishIsHere`, and the errors of the request where the library is
  ///   away: then nothing is stored.
  func set(_ request: Discovery.SetWish) async throws {
    if request.isWished {
      try await add(try await store.album(request.releaseGroup))
      return
    }
    let releaseGroup = SourceText.id(request.releaseGroup) ?? request.releaseGroup
    try await refresh()
    changing += 1
    defer { changing -= 1 }
    for wish in try await store.wishes(for: releaseGroup) {
      do { try await library.remove(.init(id: wish)) } catch let error as LunaraError
        where error.code == "library.unknownID"
      {
        // A person or a provider took it off meanwhile.
      }
      changes += 1
      try await store.remove(wish)
    }
    try await store.forget(releaseGroup)
  }

  /// Reads the library's list. While this service changes the list, a reading waits; one that a change overtook is made
  /// again.
  ///
  /// - Parameter patience: the time for all pages of the list, and for the readings that are made again.
  /// - Throws: `bus.timeout` after that time, and the errors of the request.
  func refresh(within patience: Duration = .seconds(30)) async throws {
    let end = ContinuousClock.now + patience
    while true {
      while changing > 0 {
        _ = try Self.rest(until: end)
        try await Task.sleep(for: Self.pause)
      }
      let before = changes
      var wishes: [Library.Wish] = []
      var cursor: String?
      var pages = 0
      repeat {
        let page = try await library.list(.init(after: cursor, limit: 200), try Self.rest(until: end))
        wishes += page.items
        cursor = page.next
        pages += 1
      } while cursor != nil && pages < Self.mostPages
      if cursor != nil { tellLength(of: wishes) }
      guard changing == 0, changes == before else { continue }
      try await store.replace(wishes)
      // A change that was made meanwhile may have been stored before, and be undone now.
      if changes == before { return }
    }
  }

  private func tellLength(of wishes: [Library.Wish]) {
    guard !isLengthTold else { return }
    isLengthTold = true
    log.warning(
      "The wish list is longer than what is read of it. Walls show older wishes as not wished for.",
      ["read": "\(wishes.count)"])
  }

  /// Returns the time that is left until a deadline.
  private static func rest(until end: ContinuousClock.Instant) throws(LunaraError) -> Duration {
    let rest = ContinuousClock.now.duration(to: end)
    guard rest > .zero else {
      throw LunaraError("bus.timeout", "\(NodeID.library) did not answer in time. Is it busy? `lunara status` shows.")
    }
    return rest
  }

  /// Reads the library's list where the library answers at once; else the list stays as it was, and is read later.
  func refreshIfPossible() async {
    guard await loop.failures == 0 else { return }
    do { try await refresh(within: .milliseconds(400)) } catch { await loop.wake() }
  }

  /// Cuts a text to the longest that the library stores.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > longest else { return text }
    var cut = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars {
      bytes += UTF8.width(scalar)
      guard bytes <= longest else { break }
      cut.append(scalar)
    }
    return String(cut)
  }
}

extension WishFollower.Access {
  /// Asks the library of a household.
  init(node: Node) {
    self.init(
      list: { try await node.request($0, to: .library, within: $1) },
      add: { try await node.request($0, to: .library, within: .seconds(8)) },
      remove: { _ = try await node.request($0, to: .library, within: .seconds(8)) })
  }
}
