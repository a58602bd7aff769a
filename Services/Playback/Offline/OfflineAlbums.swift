import Messages
import Model
import ServiceKit
import Synchronization
import System

/// The albums that a room keeps. A room that keeps none has no folder, no table and no worker: they begin with the
/// first album, and end with the last one.
actor OfflineAlbums {
  private nonisolated let path: String
  private let context: OfflineContext
  private var keeper: OfflineKeeper? {
    didSet { inUse.store(keeper != nil, ordering: .relaxed) }
  }
  private nonisolated let inUse = Atomic(false)
  /// The last change, which the next one waits for.
  private var last: Task<Void, Never>?
  private var isStopped = false
  /// The names of files that cannot be played. They are passed over at once, before their rows are removed, and as long
  /// as the process runs where a file has the right digest and stays. A file that is fetched again has a new name.
  private nonisolated let dropped = Mutex<Set<String>>([])

  /// The most items that one request may name.
  static let requestLimit = 500

  /// - Parameter path: the folder of the copies.
  init(in path: String, _ context: OfflineContext) {
    self.path = path
    self.context = context
  }

  /// Opens the folder if there is one. The room plays on without it if it cannot be used.
  func start() async {
    guard Files.exists(path) else { return }
    do { _ = try await serially { try await $0.opened() } } catch { context.log.error(error) }
  }

  func stop() async {
    isStopped = true
    await last?.value
    await keeper?.close()
    keeper = nil
  }

  /// True if an album is kept, or is to be kept.
  nonisolated var isInUse: Bool { inUse.load(ordering: .relaxed) }

  /// Returns true for a path in the folder.
  nonisolated func isOwn(_ path: LocalPath) -> Bool { path.bytes.starts(with: Array("\(self.path)/".utf8)) }

  /// Returns the copy of an item whose whole album is kept; nil if there is none. `marks` says that it is to be played.
  func copy(of item: QueueItem, marks: Bool) async -> Library.Locator? {
    guard let copy = await keeper?.copy(of: item, marks: marks), case .file(let path, _) = copy,
      !dropped.withLock({ $0.contains(Files.name(of: path.description)) })
    else { return nil }
    return copy
  }

  /// Deletes a file that cannot be played, if it is a copy; it is fetched again.
  nonisolated func drop(_ path: LocalPath) {
    guard isOwn(path) else { return }
    let name = Files.name(of: path.description)
    // The room looks for another file at once, before the row is removed.
    dropped.withLock { _ = $0.insert(name) }
    Task { await keeper?.drop(name) }
  }

  // MARK: - Requests

  /// Throws the errors of the library, `playback.loadTooLarge`, `playback.offlineUnusable`, `storage.…`.
  func add(_ request: Playback.AddOffline) async throws -> Playback.OfflineChange {
    guard request.ids.count <= Self.requestLimit else {
      throw LunaraError(
        "playback.loadTooLarge", "At most \(Self.requestLimit) items can be added at once. Add the others after them.")
    }
    // The library is read before the change begins, so that nothing waits for it.
    let (listings, there) = try await listings(of: request.ids)
    guard !listings.isEmpty || !there.isEmpty else { return Playback.OfflineChange(changed: 0, unchanged: 0) }
    let added = try await serially {
      try await $0.opened().add(listings, renewing: there, isPinned: request.isPinned)
    }
    return Playback.OfflineChange(changed: added, unchanged: listings.count - added + there.count)
  }

  /// Returns the albums of items that are not kept yet, with all their tracks, and the ids of those that are.
  private func listings(of ids: [PlayableID]) async throws -> (new: [OfflineListing], there: [AlbumID]) {
    var new: [OfflineListing] = []
    var seen: Set<AlbumID> = []
    var there: [AlbumID] = []
    for id in ids {
      let own = AlbumID(source: id.source, native: id.native)
      if try await keeper?.known(of: [own]).isEmpty == false {
        if seen.insert(own).inserted { there.append(own) }
        continue
      }
      let tracks = try await context.tracks(of: id)
      var albums: [AlbumID] = []
      for track in tracks where seen.insert(track.track.albumID).inserted { albums.append(track.track.albumID) }
      let known = Set(try await keeper?.known(of: albums) ?? [])
      for album in albums {
        guard !known.contains(album) else {
          there.append(album)
          continue
        }
        let whole = try await album == own ? tracks : context.tracks(of: album.playable)
        if !whole.isEmpty { new.append(OfflineListing(id: album, tracks: whole)) }
      }
    }
    return (new, there)
  }

  /// Throws `playback.offlineUnusable`, `storage.…`.
  func remove(_ request: Playback.RemoveOffline) async throws -> Playback.OfflineChange {
    let removed = try await serially { albums -> Int in
      guard let keeper = albums.keeper else { return 0 }
      let removed = try await keeper.remove(request.ids)
      try await albums.closeIfEmpty()
      return removed
    }
    let named = request.ids.map { Set($0).count } ?? removed
    return Playback.OfflineChange(changed: removed, unchanged: named - removed)
  }

  /// Throws `playback.badSetting`, `playback.offlineUnusable`, `storage.…`.
  func set(_ request: Playback.SetOffline) async throws -> Playback.OfflineState {
    if let limit = request.limit, !OfflineSpace.choices.contains(limit) {
      throw LunaraError("playback.badSetting", "The limit must be a number of bytes from 0 to 2 to the power of 50.")
    }
    return try await serially { albums in
      guard albums.keeper != nil || request.limit != nil else { return albums.noState }
      let state = try await albums.opened().setLimit(request.limit)
      try await albums.closeIfEmpty()
      return state
    }
  }

  /// Throws `playback.badSetting`, `playback.offlineUnusable`, `storage.…`.
  func set(_ request: Playback.SetOfflineConnection) async throws -> Playback.OfflineState {
    guard request.connection != .unknown else {
      throw LunaraError("playback.badSetting", "The connections must be unmetered, wifi or any.")
    }
    let chosen = request.connection == .unmetered ? nil : request.connection
    return try await serially { albums in
      guard albums.keeper != nil || chosen != nil else { return albums.noState }
      let state = try await albums.opened().setConnection(chosen)
      try await albums.closeIfEmpty()
      return state
    }
  }

  /// Throws `playback.badSetting`, `storage.…`.
  func page(_ request: Playback.ListOffline) async throws -> Playback.OfflinePage {
    try await keeper?.page(after: request.after) ?? Playback.OfflinePage(albums: [], state: noState)
  }

  /// Returns the tracks of whole albums by ids or titles, or single tracks by their ids. Throws `playback.notKept`.
  func tracks(named names: [String]) async throws -> [Library.PlayableTrack] {
    guard let keeper else {
      throw LunaraError(
        "playback.notKept", "No album is kept here. `lunara offline add ID` keeps one for the time without a network.")
    }
    return try await keeper.tracks(named: names)
  }

  /// The state without an album.
  private var noState: Playback.OfflineState {
    let space = OfflineSpace(used: 0, free: context.free(Files.folder(of: path)))
    return Playback.OfflineState(albums: 0, whole: 0, bytes: 0, limit: space.limit, free: space.free)
  }

  // MARK: - Opening

  private func opened() async throws -> OfflineKeeper {
    if let keeper { return keeper }
    guard !isStopped else {
      throw LunaraError("playback.stopping", "The room is being stopped. Try again in a moment.")
    }
    let keeper = try OfflineKeeper(in: path, context)
    do { try await keeper.start() } catch {
      await keeper.close()
      throw error
    }
    self.keeper = keeper
    return keeper
  }

  /// Ends the work and removes the folder if no album is left.
  private func closeIfEmpty() async throws {
    guard let keeper, try await keeper.isEmpty() else { return }
    self.keeper = nil
    await keeper.close()
    try keeper.folder.removeAll()
    await context.publish(noState)
  }

  /// Runs a change after all earlier ones.
  private func serially<T: Sendable>(
    _ body: @escaping @Sendable (isolated OfflineAlbums) async throws -> T
  ) async throws -> T {
    let before = last
    let task = Task {
      await before?.value
      return try await body(self)
    }
    last = Task { _ = await task.result }
    return try await task.value
  }
}
