import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Synchronization

/// Fetches the next items to the disk, one after the other, so that a room without a network plays on. The actor writes
/// on its own thread, which may wait for a slow disk; looking up a file never waits for it.
actor Prefetcher {
  struct Limits: Hashable, Sendable {
    var items = 5
    /// The largest size of the cache, in MiB; 0 for no cache.
    var space: Int64 = 1024
  }

  private let thread = IOThread()
  private let folder: CacheFolder
  private let limits: Limits
  private let locate: @Sendable (QueueItem) async throws -> Library.Locator
  private let log: Log
  private let retryDelay: Duration
  private let index: Mutex<CacheIndex>
  private var wanted: [QueueItem] = []
  /// The times when items could not be fetched; these are tried again after `retryDelay`.
  private let failed = Mutex<[String: ContinuousClock.Instant]>([:])
  /// The items that need no fetching, as their files are on this host or cannot be kept.
  private var local: Set<String> = []
  private var worker: Task<Void, Never>?
  /// The present step of the worker: fetching a track, or with a nil track waiting for the next attempt.
  private var step: (track: String?, task: Task<Void, Never>)?
  private var client: HTTPClient?
  private var settled: @Sendable (_ track: TrackID, _ isFetched: Bool) -> Void = { _, _ in }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Creates a prefetcher. `locate` returns the router's locator of an item, never a file of this cache. An item that
  /// could not be fetched is tried again after `retryDelay`. Throws `playback.cacheUnusable`, `bus.noThread`.
  init(
    in folder: String, limits: Limits, log: Log, retryDelay: Duration = .seconds(15),
    locate: @escaping @Sendable (QueueItem) async throws -> Library.Locator
  ) throws {
    self.folder = try CacheFolder(folder)
    self.limits = limits
    self.locate = locate
    self.log = log
    self.retryDelay = retryDelay
    index = Mutex(CacheIndex(limit: limits.space << 20, entries: try self.folder.entries()))
    if let failure = thread.failure { throw failure }
    // The limit may be lower than in the last run.
    Task { await makeRoom(0, keeping: []) }
  }

  isolated deinit { thread.stop() }

  nonisolated var count: Int { limits.space > 0 ? limits.items : 0 }

  /// Sets the items to fetch, the next one first.
  func setWanted(_ items: [QueueItem]) {
    guard count > 0, items.map(\.entry) != wanted.map(\.entry) else { return }
    wanted = items
    let tracks = Set(items.map { CacheName.track(of: $0) })
    failed.withLock { failed in failed = failed.filter { tracks.contains($0.key) } }
    local.formIntersection(tracks)
    // The fetching of an item that is no longer wanted must not delay others.
    if let step, step.track.map({ !tracks.contains($0) }) ?? true { step.task.cancel() }
    guard worker == nil else { return }
    worker = Task { await work() }
  }

  /// Calls `body` whenever a track was fetched, or could not be.
  func onSettled(_ body: @escaping @Sendable (_ track: TrackID, _ isFetched: Bool) -> Void) { settled = body }

  /// Returns true if the audio of an item is fetched from a location when the item is wanted: its last fetch has not
  /// failed.
  nonisolated func fetches(_ item: QueueItem, at locator: Library.Locator) -> Bool {
    guard count > 0, case .url(let url, _, _, let segment, let plugin) = locator, plugin?.isPreview != true,
      CacheName(item, at: url, segment: segment) != nil
    else { return false }
    return failed.withLock { $0[CacheName.track(of: item)] } == nil
  }

  func stop() async {
    wanted = []
    worker?.cancel()
    await worker?.value
  }

  /// Returns the file of an item that was fetched from a location; nil if there is none.
  nonisolated func file(of item: QueueItem, at locator: Library.Locator) -> LocalPath? {
    guard case .url(let url, _, _, let segment, _) = locator, let name = CacheName(item, at: url, segment: segment)
    else {
      return nil
    }
    return index.withLock { $0.file(name, on: .now()) }.flatMap { use($0) }
  }

  /// Returns the newest file of an item from any address, and the part of it that is the track; nil if there is none.
  nonisolated func copy(of item: QueueItem) -> Library.Locator? {
    guard let entry = index.withLock({ $0.file(of: item) }), let path = use(entry) else { return nil }
    return .file(path, segment: entry.name.track == CacheName.segments(item) ? item.segment : nil)
  }

  nonisolated func has(_ item: QueueItem) -> Bool { index.withLock { $0.file(of: item) } != nil }

  nonisolated func isOwn(_ path: LocalPath) -> Bool { folder.name(at: path) != nil }

  /// Deletes a file that cannot be played, if it is in the cache.
  nonisolated func drop(_ path: LocalPath) {
    guard let name = folder.name(at: path) else { return }
    index.withLock { $0.remove(name) }
    Task { await remove(name) }
  }

  private nonisolated func use(_ entry: CacheIndex.Entry) -> LocalPath? {
    let path = folder.path(of: entry.name)
    // The file may have been deleted by a person or another program.
    guard folder.holds(entry) else {
      drop(path)
      return nil
    }
    index.withLock { $0.use(entry.name, on: .now()) }
    Task { await recordUse(of: entry.name) }
    return path
  }

  private func recordUse(of name: CacheName) { folder.use(name, on: .now()) }

  private func remove(_ name: CacheName) { folder.remove(name) }

  private func work() async {
    while !Task.isCancelled {
      let now = ContinuousClock.now
      let item = wanted.first { isMissing($0, at: now) }
      let task: Task<Void, Never>
      if let item {
        task = Task { await fetch(item) }
      } else if let next = failed.withLock({ $0.values.min() }).map({ $0 + retryDelay }), next > now {
        // The sleep throws only when it is cancelled, which ends the wait early, as intended.
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
    // Releasing the client ends its connections and thread, which saves memory while nothing is fetched.
    client = nil
    worker = nil
  }

  private func isMissing(_ item: QueueItem, at now: ContinuousClock.Instant) -> Bool {
    let track = CacheName.track(of: item)
    guard !local.contains(track),
      index.withLock({ $0.file(of: item) }).map({ Timestamp.now() - $0.fetchedAt < CacheIndex.lifetime }) != true
    else { return false }
    return failed.withLock { $0[track] }.map { $0 + retryDelay <= now } ?? true
  }

  private func fetch(_ item: QueueItem) async {
    let track = CacheName.track(of: item)
    do {
      guard case .url(let url, let headers, _, let segment, let plugin) = try await locate(item),
        plugin?.isPreview != true, let name = CacheName(item, at: url, segment: segment)
      else {
        local.insert(track)
        settle(track, isFetched: false, failedAt: nil)
        return
      }
      let file = try CacheFolder.Partial(name, in: folder.path)
      let client = self.client ?? HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)")
      self.client = client
      let kept = Set(wanted.flatMap { CacheName.tracks(of: $0) })
      try await CacheFetch(
        client: client, url: url, headers: headers, refusesPrivateAddresses: plugin?.isPublic ?? false
      ).run(into: file) { makeRoom($0, keeping: kept) }
      try file.finish()
      let now = Timestamp.now()
      let entry = CacheIndex.Entry(name: name, size: file.size, fetchedAt: now, usedAt: now)
      for old in index.withLock({ $0.add(entry) }) { folder.remove(old) }
      settle(track, isFetched: true, failedAt: nil)
    } catch  where !Task.isCancelled {
      settle(track, isFetched: false, failedAt: .now)
      log.debug("not fetched in advance", ["error": LunaraError(error).description])
    } catch {
    }
  }

  /// Records how a fetch has ended, and reports it for all items of the file.
  private func settle(_ track: String, isFetched: Bool, failedAt: ContinuousClock.Instant?) {
    failed.withLock { $0[track] = failedAt }
    for item in wanted where CacheName.track(of: item) == track { settled(item.track.id, isFetched) }
  }

  /// Deletes files to make room for `bytes`. Returns false if they do not fit.
  @discardableResult
  private func makeRoom(_ bytes: Int64, keeping kept: Set<String>) -> Bool {
    let evictions = index.withLock { index in
      let evictions = index.evictions(for: bytes, keeping: kept)
      for name in evictions ?? [] { index.remove(name) }
      return evictions
    }
    for name in evictions ?? [] { folder.remove(name) }
    return evictions != nil
  }
}

extension Prefetcher.Limits {
  /// Reads the settings `LUNARA_PREFETCH` and `LUNARA_CACHE`; nil if one of them is 0. Throws `settings.badNumber`.
  init?(_ settings: Settings) throws {
    self.init()
    items = Int(min(100, try Self.number("LUNARA_PREFETCH", in: settings) ?? Int64(items)))
    space = min(1 << 30, try Self.number("LUNARA_CACHE", in: settings) ?? space)
    if items == 0 || space == 0 { return nil }
  }

  private static func number(_ name: String, in settings: Settings) throws -> Int64? {
    guard let text = settings[name] else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw LunaraError("settings.badNumber", "\(name) is \(text). Write a whole number; 0 turns it off.")
    }
    return number
  }
}

/// Fetches one address into a file; after a broken connection it continues at the point of the break.
struct CacheFetch {
  let client: HTTPClient
  let url: String
  let headers: [String: String]
  /// True for an address that a stranger chose.
  var refusesPrivateAddresses = false
  /// The time without data after which a connection is given up.
  var idle = Duration.seconds(20)

  /// The number of connections after which fetching is given up.
  private static let attempts = 4

  /// Fetches the whole file. `fits` is called with the final size in bytes as soon as that is known, or else with the
  /// size so far; if it returns false, fetching ends. Throws `playback.cacheFailed`, `playback.cacheUnusable`, and the
  /// errors of `HTTPClient`.
  nonisolated(nonsending) func run(into file: CacheFolder.Partial, fits: (Int64) -> Bool) async throws {
    var last: LunaraError?
    var version: String?
    for _ in 0..<Self.attempts {
      try Task.checkCancellation()
      do {
        if try await attempt(file, &version, fits) { return }
      } catch let error as LunaraError where error.code.hasPrefix("http.") {
        last = error
        // Without a version it is not certain that the rest would be of the same file.
        if version == nil { file.restart() }
      }
    }
    throw last ?? Self.failed("The connection broke off again and again.")
  }

  /// Fetches over one connection. Returns true if the file is complete.
  private nonisolated(nonsending) func attempt(
    _ file: CacheFolder.Partial, _ version: inout String?, _ fits: (Int64) -> Bool
  ) async throws -> Bool {
    var request = HTTPRequest(
      .reads, url: url, headers: headers.map { ($0.key, $0.value) }, refusesPrivateAddresses: refusesPrivateAddresses)
    if file.size > 0, let version {
      request.headers += [("Range", "bytes=\(file.size)-"), ("If-Range", version)]
    }
    let stream = try await client.stream(request, idle: idle)
    defer { stream.cancel() }
    if stream.status == 416 || stream.status == 200, file.size > 0 { file.restart() }
    if stream.status == 416 { return false }
    guard stream.status == 200 || stream.status == 206 else {
      throw Self.failed("The server answered \(stream.status).")
    }
    if let refusal = Self.refusal(of: stream) { throw Self.failed(refusal) }
    let etag = stream.header("ETag")
    version = etag.map { $0.hasPrefix("W/") ? nil : $0 } ?? stream.header("Last-Modified")
    // A server may state any length, and the sum must still be a number.
    let most = Int64.max - file.size
    let length = stream.header("Content-Length").flatMap { Int64($0) }.map { min($0, most) + file.size }
    let isChunked = stream.header("Transfer-Encoding")?.lowercased().contains("chunked") == true
    guard length != nil || isChunked else { throw Self.failed("The server does not state the size of the file.") }
    guard fits(length ?? file.size) else { throw Self.failed("The file is too large for the cache.") }
    while let piece = try await stream.next() {
      try file.write(piece)
      if length == nil, !fits(file.size) { throw Self.failed("The file is too large for the cache.") }
      try Task.checkCancellation()
    }
    guard let length else { return file.size > 0 }
    guard length > 0, file.size <= length else { throw Self.failed("The server sent \(file.size) bytes of \(length).") }
    // A file that ended too early is continued by the next attempt.
    return file.size == length
  }

  /// Returns the cause for which an answer is refused; nil if it may be audio. Some servers report errors as text, with
  /// the status 200.
  static func refusal(of stream: HTTPStream) -> String? {
    let type = stream.header("Content-Type")?.lowercased() ?? ""
    guard type.hasPrefix("text/") || type.contains("json") || type.contains("xml") else { return nil }
    return "The server sent \(type), which is no audio."
  }

  private static func failed(_ cause: String) -> LunaraError {
    LunaraError("playback.cacheFailed", "The next item could not be fetched in advance.", cause: cause)
  }
}
