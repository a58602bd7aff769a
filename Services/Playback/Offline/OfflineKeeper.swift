import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Storage
import System

/// An album as its source lists it.
struct OfflineListing: Sendable {
  var id: AlbumID
  /// Its tracks, at least one.
  var tracks: [Library.PlayableTrack]
}

/// The functions and times that the keeping of albums depends on.
struct OfflineContext: Sendable {
  /// Returns a page of the tracks of an item in the library.
  var list: @Sendable (PlayableID, _ after: String?) async throws -> Library.PlayablePage
  /// Returns the router's locator of an item.
  var locate: @Sendable (QueueItem) async throws -> Library.Locator
  /// Returns the present connection of this machine.
  var connection: @Sendable () async -> NetworkConnection = { NetworkConnection() }
  var publish: @Sendable (Playback.OfflineState) async -> Void = { _ in }
  /// Returns the bytes that are free on the disk of a folder.
  var free: @Sendable (String) -> Int64 = { OfflineFolder.free(at: $0) }
  var log: Log
  /// The first pause before an album whose source did not answer is tried again; it doubles up to `failureDelay`.
  var retryDelay = Duration.seconds(15)
  /// The pause before an album is tried again whose fetch failed for another reason.
  var failureDelay = Duration.seconds(300)
  /// The pause before the connection is looked at again.
  var connectionDelay = Duration.seconds(60)
  /// The time after which an album is compared with its source again.
  var checkInterval = Milliseconds(24 * 3_600_000)
  /// The shortest time between two published states while a file is fetched.
  var publishInterval = Duration.seconds(2)

  var retries: RetryPolicy { RetryPolicy(first: retryDelay, longest: max(retryDelay, failureDelay)) }

  /// Returns the pause before an album is tried again that has failed a number of times, the last one included.
  ///
  /// - Parameter isAway: true if its source did not answer.
  func pause(afterFailures count: Int, isAway: Bool) -> Duration {
    isAway ? retries.pause(after: count) : failureDelay
  }
}

/// Keeps whole albums on the disk: fetches their files one after the other, compares them with their source, and
/// removes albums to make room. The actor writes on its own thread, which may wait for a slow disk; looking up a file
/// never waits for it.
actor OfflineKeeper {
  /// The reason why an album could not be fetched, and the time before which it is not tried again.
  struct Failure {
    var error: LunaraError
    var until: ContinuousClock.Instant
    /// The number of failures since the album was added or a file of it was fetched.
    var count = 1
  }

  let folder: OfflineFolder
  let database: Database
  let context: OfflineContext
  private let thread = IOThread()
  var failures: [Int64: Failure] = [:]
  /// The album that is being fetched or compared.
  var loading: Int64?
  /// The file that is being fetched.
  var part: OfflineStore.Part?
  var pause: String?
  /// The present job.
  var step: Task<Void, Never>?
  /// The albums that are being removed.
  var leaving: Set<Int64> = []
  var client: HTTPClient?
  let loop: WorkLoop
  private var published: (state: Playback.OfflineState, at: ContinuousClock.Instant)?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Opens the folder, and creates it if it is missing; `start` starts the work. Blocks while the database is opened.
  /// Throws `playback.offlineUnusable`, `bus.noThread`, and the errors of `Database`.
  init(in path: String, _ context: OfflineContext) throws {
    folder = try OfflineFolder(path)
    self.context = context
    loop = WorkLoop(context.retries)
    let log = context.log
    database = try Journal.database(
      at: folder.database, migrations: Journal.migrations + OfflineStore.migrations, readers: 2,
      saving: OfflineStore.savedTables, finish: OfflineStore.repairs, report: { log.error($0) })
    if let failure = thread.failure { throw failure }
  }

  isolated deinit { thread.stop() }

  /// Removes what kills have left, comes within the limit, and starts to fetch.
  func start() async throws {
    try await recover()
    try await makeRoom(0)
    await publish()
    await loop.start(failed: { [context] in context.log.error($0.error) }) { try await self.round() }
  }

  /// Ends the work and closes the database.
  func close() async {
    await loop.stop()
    await database.close()
  }

  // MARK: - Recovery

  /// Compares the tables with the files: a file whose row was not written any more is adopted, one that is missing or
  /// was changed is fetched again, and one without a row is removed.
  private func recover() async throws {
    let (files, parts) = try await database.read { (try OfflineStore.files(in: $0), try OfflineStore.parts(in: $0)) }
    for file in files {
      guard let status = folder.status(of: file.name), status.size == file.size else {
        try await forget(file)
        continue
      }
      guard status.modified != file.modified else { continue }
      guard try folder.digest(of: file.name) == file.digest else {
        try await forget(file)
        continue
      }
      var file = file
      file.modified = status.modified
      try await database.write { [file] in try OfflineStore.store(file, in: $0) }
    }
    // A file gets its final name only once it is complete and checked.
    for part in parts {
      guard let status = folder.status(of: part.name), let digest = try folder.digest(of: part.name) else { continue }
      try await adopt(part, status.size, digest, status.modified)
    }
    let names = try await database.read { reader in
      Set(try OfflineStore.files(in: reader).map(\.name) + OfflineStore.parts(in: reader).map(\.name))
    }
    try folder.removeStrays(besides: names)
  }

  private func forget(_ file: OfflineStore.File) async throws {
    try await database.write { try OfflineStore.forget(file: file.name, in: $0) }
    folder.remove(file.name)
  }

  /// Stores that a part is a complete file, and removes the file that it replaces.
  func adopt(_ part: OfflineStore.Part, _ size: Int64, _ digest: [UInt8], _ modified: Int64) async throws {
    let file = OfflineStore.File(
      key: part.key, name: part.name, size: size, digest: digest, modified: modified, version: part.source.version,
      place: part.source.place)
    if let old = try await database.write(.power, { try OfflineStore.finish(file, in: $0) }) { folder.remove(old) }
  }

  // MARK: - Reading

  /// Returns the copy of an item whose whole album is kept; nil if there is none. `marks` says that it is to be played.
  nonisolated func copy(of item: QueueItem, marks: Bool) async -> Library.Locator? {
    let copy: OfflineStore.Copy?
    do { copy = try await database.read { try OfflineStore.copy(of: item.track.id, in: $0) } } catch {
      context.log.error(error)
      return nil
    }
    guard let copy else { return nil }
    // The file may have been deleted or cut by a person or another program.
    guard folder.status(of: copy.name)?.size == copy.size else {
      await drop(copy.name)
      return nil
    }
    let now = Timestamp.now()
    if marks, copy.playedAt.map({ now - $0 > Milliseconds(60_000) || now < $0 }) ?? true {
      // The sound does not wait until it is written.
      Task { [database, context] in
        do { try await database.write { try OfflineStore.markPlayed(copy.row, at: now, in: $0) } } catch {
          context.log.error(error)
        }
      }
    }
    return .file(LocalPath(folder.path(of: copy.name)), segment: copy.track.segment)
  }

  /// Deletes a file that cannot be played; it is fetched again.
  func drop(_ name: String) async {
    do {
      // A copy with the bytes that came would be no better if it were fetched again.
      let file = try await database.read { try OfflineStore.files(in: $0).first { $0.name == name } }
      if let file, try folder.digest(of: name) == file.digest { return }
      try await database.write { try OfflineStore.forget(file: name, in: $0) }
      folder.remove(name)
      await loop.wake()
      await publish()
    } catch {
      context.log.error(error)
    }
  }

  /// The space that is used, and its limit.
  func space() async throws -> OfflineSpace {
    let free = context.free(folder.path)
    return try await database.read { reader in
      OfflineSpace(
        used: try OfflineStore.used(in: reader), free: free, chosen: try OfflineStore.chosenLimit(in: reader))
    }
  }

  func state() async throws -> Playback.OfflineState {
    let space = try await space()
    let row = loading
    let (counts, album, connection) = try await database.read { reader in
      (
        try OfflineStore.counts(in: reader), try row.flatMap { try OfflineStore.id(of: $0, in: reader) },
        try OfflineStore.chosenConnection(in: reader)
      )
    }
    return Playback.OfflineState(
      albums: counts.albums, whole: counts.whole, bytes: space.used, limit: space.limit,
      isLimitChosen: space.chosen == nil ? nil : true, free: space.free, loading: album, pause: pause,
      connection: connection)
  }

  /// Publishes the state if it has changed; `isProgress` for a change that may be left out if another one was published
  /// a moment ago.
  func publish(isProgress: Bool = false) async {
    if isProgress, let published, published.at + context.publishInterval > .now { return }
    do {
      let state = try await state()
      guard state != published?.state else { return }
      published = (state, .now)
      await context.publish(state)
    } catch {
      context.log.error(error)
    }
  }
}
