import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Synchronization

/// Fetches what comes next to the disk, one after the other, so that a room whose network is cut plays on.
///
/// It writes on a thread of its own, which may wait for a slow disk; who looks for a file waits for nobody.
actor Prefetcher {
  /// How much is fetched.
  struct Limits: Hashable, Sendable {
    /// How many items ahead.
    var items = 5
    /// How many MiB of disk; 0 for none.
    var space: Int64 = 1024
  }

  private let thread = IOThread()
  private let folder: CacheFolder
  private let limits: Limits
  private let locate: @Sendable (QueueItem) async throws -> Library.Locator
  private let log: Log
  private let pause: Duration
  private let index: Mutex<CacheIndex>
  private var wanted: [QueueItem] = []
  /// What could not be fetched, and when that was; tried again after a while.
  private var failed: [String: ContinuousClock.Instant] = [:]
  /// What needs no fetching: it lies on this host.
  private var local: Set<String> = []
  private var worker: Task<Void, Never>?
  /// What the worker is at: it fetches a track, or waits until it may try one again.
  private var step: (track: String?, task: Task<Void, Never>)?
  private var client: HTTPClient?
  /// Told of a track that is there from now on.
  private var fetched: @Sendable (TrackID) -> Void = { _ in }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - locate: where an item lies, as the router says; never in this cache.
  ///   - pause: how long until something that failed is tried again.
  /// - Throws: `playback.cacheUnusable`, `bus.noThread`.
  init(
    in folder: String, limits: Limits, log: Log, pause: Duration = .seconds(15),
    locate: @escaping @Sendable (QueueItem) async throws -> Library.Locator
  ) throws {
    self.folder = try CacheFolder(folder)
    self.limits = limits
    self.locate = locate
    self.log = log
    self.pause = pause
    index = Mutex(CacheIndex(limit: limits.space << 20, entries: try self.folder.entries()))
    if let failure = thread.failure { throw failure }
    // There may be less room than at the last start.
    Task { await makeRoom(0, keeping: []) }
  }

  isolated deinit { thread.stop() }

  /// How many items ahead are wanted at most.
  nonisolated var count: Int { limits.space > 0 ? limits.items : 0 }

  /// What plays and what comes next, nearest first.
  func want(_ items: [QueueItem]) {
    guard count > 0, items.map(\.entry) != wanted.map(\.entry) else { return }
    wanted = items
    let tracks = Set(items.map { CacheName.track(of: $0) })
    failed = failed.filter { tracks.contains($0.key) }
    local.formIntersection(tracks)
    // What is no longer wanted must not keep the network from what is.
    if let step, step.track.map({ !tracks.contains($0) }) ?? true { step.task.cancel() }
    guard worker == nil else { return }
    worker = Task { await work() }
  }

  /// Named by the room: what is told of each track that was fetched.
  func onFetched(_ body: @escaping @Sendable (TrackID) -> Void) { fetched = body }

  /// Ends all fetching; returns when it has ended.
  func stop() async {
    wanted = []
    worker?.cancel()
    await worker?.value
  }

  /// The file of an item at an address; nil where there is none.
  nonisolated func file(of item: QueueItem, at url: String) -> LocalPath? {
    index.withLock { $0.file(CacheName(item, at: url), on: .now()) }.flatMap { use($0) }
  }

  /// The newest file of an item; nil where there is none.
  nonisolated func file(of item: QueueItem) -> LocalPath? {
    index.withLock { $0.file(of: CacheName.track(of: item)) }.flatMap { use($0) }
  }

  /// Whether there is a file of an item.
  nonisolated func has(_ item: QueueItem) -> Bool {
    index.withLock { $0.file(of: CacheName.track(of: item)) } != nil
  }

  /// Whether a file is one of the cache's.
  nonisolated func isOwn(_ path: LocalPath) -> Bool { folder.name(at: path) != nil }

  /// Gives up a file that cannot be played; nothing where it is none of the cache's.
  nonisolated func drop(_ path: LocalPath) {
    guard let name = folder.name(at: path) else { return }
    index.withLock { $0.remove(name) }
    Task { await remove(name) }
  }

  private nonisolated func use(_ entry: CacheIndex.Entry) -> LocalPath? {
    let path = folder.path(of: entry.name)
    // Somebody may have tidied up.
    guard folder.holds(entry) else {
      drop(path)
      return nil
    }
    index.withLock { $0.use(entry.name, on: .now()) }
    Task { await noteUse(of: entry.name) }
    return path
  }

  private func noteUse(of name: CacheName) { folder.use(name, on: .now()) }

  private func remove(_ name: CacheName) { folder.remove(name) }

  private func work() async {
    while !Task.isCancelled {
      let now = ContinuousClock.now
      let item = wanted.first { isMissing($0, at: now) }
      let task: Task<Void, Never>
      if let item {
        task = Task { await fetch(item) }
      } else if let next = failed.values.min().map({ $0 + pause }), next > now {
        task = Task { do { try await Task.sleep(for: next - now) } catch {} }
      } else {
        break
      }
      step = (item.map { CacheName.track(of: $0) }, task)
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      step = nil
    }
    // Connections and their thread go with it; a room at rest is small.
    client = nil
    worker = nil
  }

  private func isMissing(_ item: QueueItem, at now: ContinuousClock.Instant) -> Bool {
    let track = CacheName.track(of: item)
    guard !local.contains(track),
      index.withLock({ $0.file(of: track) }).map({ Timestamp.now() - $0.fetchedAt < CacheIndex.lifetime }) != true
    else { return false }
    return failed[track].map { $0 + pause <= now } ?? true
  }

  private func fetch(_ item: QueueItem) async {
    let track = CacheName.track(of: item)
    do {
      guard case .url(let url, let headers, _) = try await locate(item) else {
        local.insert(track)
        return
      }
      let name = CacheName(item, at: url)
      let file = try folder.begin(name)
      let client = self.client ?? HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)")
      self.client = client
      let kept = Set(wanted.map { CacheName.track(of: $0) })
      try await CacheFetch(client: client, url: url, headers: headers).run(into: file) { makeRoom($0, keeping: kept) }
      try file.finish()
      let now = Timestamp.now()
      let entry = CacheIndex.Entry(name: name, size: file.size, fetchedAt: now, usedAt: now)
      for old in index.withLock({ $0.add(entry) }) { folder.remove(old) }
      failed[track] = nil
      fetched(item.track.id)
    } catch  where !Task.isCancelled {
      failed[track] = .now
      log.debug("not fetched in advance", ["error": LunaraError(error).description])
    } catch {
    }
  }

  /// Removes what has to go for so many bytes; false where they do not fit.
  @discardableResult
  private func makeRoom(_ bytes: Int64, keeping kept: Set<String>) -> Bool {
    let victims = index.withLock { index in
      let victims = index.victims(for: bytes, keeping: kept)
      for name in victims ?? [] { index.remove(name) }
      return victims
    }
    for name in victims ?? [] { folder.remove(name) }
    return victims != nil
  }
}
