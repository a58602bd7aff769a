import HTTP
import Messages
import Model
import ServiceKit
import Storage
import System

/// The work of the keeper: one album after the other, and one file after the other.
extension OfflineKeeper {
  enum Job {
    /// Fetch the missing files of an album.
    case fetch(Int64)
    /// Compare an album with its source.
    case check(Int64)
  }

  /// Does the next job, and returns the rest that follows.
  func round() async throws -> WorkLoop.Rest {
    let (job, wait) = try await next()
    pause = job == nil ? nil : try await connectionPause()
    guard let job, pause == nil else {
      await publish()
      // Releasing the client ends its connections and thread, which saves memory while nothing is fetched.
      client = nil
      return .atMost(pause == nil ? wait : context.connectionDelay)
    }
    // The job can be cancelled alone, and the loop then continues.
    let step = Task { await run(job) }
    self.step = step
    await withTaskCancellationHandler {
      await step.value
    } onCancel: {
      step.cancel()
    }
    self.step = nil
    return .none
  }

  /// Returns the reason why nothing may be fetched over the present connection, as `OfflineState.pause` has it; nil if
  /// there is none.
  private func connectionPause() async throws -> String? {
    let chosen = try await database.read { try OfflineStore.chosenConnection(in: $0) } ?? .unmetered
    guard chosen != .any else { return nil }
    let connection = await context.connection()
    if connection.isMetered { return "metered" }
    return chosen == .wifi && connection.isMobile ? "mobile" : nil
  }

  /// Returns the next job, and the time until there may be one if there is none now.
  private func next() async throws -> (job: Job?, wait: Duration) {
    let (unfinished, checks) = try await database.read { reader in
      (try OfflineStore.unfinished(in: reader), try OfflineStore.checks(in: reader))
    }
    let (now, date) = (ContinuousClock.now, Timestamp.now())
    let known = Set(unfinished + checks.map(\.row))
    failures = failures.filter { known.contains($0.key) }
    func isDue(_ row: Int64) -> Bool { !leaving.contains(row) && failures[row].map { $0.until <= now } ?? true }
    if let row = unfinished.first(where: { isDue($0) }) { return (.fetch(row), .zero) }
    // A clock that was set back counts as due.
    func age(_ at: Timestamp) -> Milliseconds { at > date ? context.checkInterval : date - at }
    if let check = checks.first(where: { age($0.at) >= context.checkInterval && isDue($0.row) }) {
      return (.check(check.row), .zero)
    }
    var wait = Duration.seconds(3600)
    for failure in failures.values { wait = min(wait, max(.milliseconds(1), now.duration(to: failure.until))) }
    for check in checks where failures[check.row] == nil {
      let left = max(1, (context.checkInterval - age(check.at)).rawValue)
      wait = min(wait, .milliseconds(left))
    }
    return (nil, wait)
  }

  private func run(_ job: Job) async {
    let row =
      switch job {
      case .fetch(let row), .check(let row): row
      }
    loading = row
    await publish()
    do {
      switch job {
      case .fetch: try await fetch(row)
      case .check: try await check(row)
      }
      failures[row] = nil
    } catch  where !Task.isCancelled {
      let error = LunaraError(error)
      let isAway = error.isTemporary || error.isOutage || error.code.hasPrefix("http.")
      let count = (failures[row]?.count ?? 0) + 1
      let pause = context.pause(afterFailures: count, isAway: isAway)
      failures[row] = Failure(error: error, until: .now + pause, count: count)
      context.log.debug("an album was not fetched", ["error": error.description])
    } catch {
    }
    loading = nil
    part = nil
    await publish()
  }

  // MARK: - Fetching

  private func fetch(_ row: Int64) async throws {
    for wanted in try await database.read({ try OfflineStore.missing(of: row, in: $0) }) {
      try Task.checkCancellation()
      // The worker looks again, and then waits.
      if try await connectionPause() != nil { return }
      try await fetch(wanted, of: row, from: try await locate(wanted.track, of: row))
      failures[row] = nil
      await publish()
    }
  }

  /// Returns the location of a track's file. Throws the router's error, and `playback.offlineFailed` if the track is
  /// another part of a file than when the album was listed: then the album is listed again.
  private func locate(_ track: Library.PlayableTrack, of row: Int64) async throws -> Library.Locator {
    let item = QueueItem(
      entry: EntryID(rawValue: "offline"), track: track.track, origin: QueueItem.Origin(node: "playback"))
    let locator = try await context.locate(item)
    guard locator.segment?.file == track.segment?.file else {
      try await list(row)
      throw OfflineFetch.failed("The album has changed, so it is read again.")
    }
    return locator
  }

  /// Fetches one file, beside the one that it may replace.
  private func fetch(_ wanted: OfflineStore.Wanted, of row: Int64, from locator: Library.Locator) async throws {
    let found = try await database.read { try OfflineStore.part(wanted.key, in: $0) }
    let part =
      found
      ?? OfflineStore.Part(
        key: wanted.key, name: OfflineFolder.newName(), source: OfflineSource(place: ""), boot: HostBoot.id)
    self.part = part
    if found == nil { try await database.write { try OfflineStore.store(part, in: $0) } }
    let file = try OfflinePart(folder.partialPath(of: part.name), keeping: resumable(part))
    let steps = OfflineFetchSteps(
      fits: { [self] in try await makeRoom($0, for: row) }, began: { [self] in try await began($0, $1) },
      synced: { [self] in try await synced($0) })
    do {
      let source: OfflineSource
      switch locator {
      case .url(let url, let headers, _, _, _):
        source = try await OfflineFetch(client: usedClient(), url: url, headers: headers)
          .run(into: file, knowing: part.source, steps)
      case .file(let path, _):
        source = try await OfflineCopying(path: path).run(into: file, knowing: part.source, steps)
      }
      var part = part
      part.source = source
      let (digest, modified) = try file.finish(as: folder.path(of: part.name))
      try await adopt(part, file.size, digest, modified)
    } catch let error as LunaraError where error.code == "playback.offlineFull" {
      // The disk is given back what a file takes that does not fit.
      try await database.write { try OfflineStore.forget(part: wanted.key, in: $0) }
      folder.remove(part.name)
      throw error
    }
  }

  /// Returns the client, which exists only while something is fetched.
  private func usedClient() -> HTTPClient {
    let used = client ?? HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)")
    client = used
    return used
  }

  /// Returns the number of bytes of a part that are certain: all of them after a kill, and those that were synced after
  /// a restart of the machine.
  private func resumable(_ part: OfflineStore.Part) -> Int64 {
    let size = folder.partialSize(of: part.name)
    return part.boot != nil && part.boot == HostBoot.id ? size : min(size, part.received)
  }

  private func began(_ source: OfflineSource, _ received: Int64) async throws {
    part?.source = source
    try await synced(received)
  }

  private func synced(_ received: Int64) async throws {
    part?.received = received
    part?.boot = HostBoot.id
    guard let part else { return }
    try await database.write { try OfflineStore.store(part, in: $0) }
    await publish(isProgress: true)
  }

  // MARK: - Comparing

  /// Reads the tracks of an album again. A source that lists none is not believed, as it may be reading its files.
  private func list(_ row: Int64) async throws {
    guard let id = try await database.read({ try OfflineStore.id(of: row, in: $0) }) else { return }
    let tracks = try await context.tracks(of: id.playable)
    guard !tracks.isEmpty else { return }
    let unused = try await database.write { try OfflineStore.set(tracks, of: row, in: $0) }
    for name in unused { folder.remove(name) }
  }

  /// Compares an album with its source: reads its tracks again, and fetches the files that were replaced there. The
  /// copies play until the new files are complete.
  private func check(_ row: Int64) async throws {
    do { try await list(row) } catch let error as LunaraError where error.code == "library.unknownID" {
      // An album that the library no longer has stays until a person removes it.
      return try await markChecked(row)
    }
    for wanted in try await database.read({ try OfflineStore.tracks(of: row, in: $0) }) {
      try Task.checkCancellation()
      guard let file = try await database.read({ try OfflineStore.file(wanted.key, in: $0) }) else { continue }
      let locator = try await locate(wanted.track, of: row)
      let known = OfflineSource(size: file.size, version: file.version, place: file.place)
      let now: OfflineSource
      switch locator {
      case .url(let url, let headers, _, _, _):
        now = try await OfflineFetch(client: usedClient(), url: url, headers: headers).look(knowing: known)
      case .file(let path, _): now = try OfflineCopying(path: path).look()
      }
      if known.isReplaced(by: now) { try await fetch(wanted, of: row, from: locator) }
    }
    try await markChecked(row)
  }

  private func markChecked(_ row: Int64) async throws {
    try await database.write { try OfflineStore.markChecked(row, at: .now(), in: $0) }
  }
}

extension OfflineContext {
  /// Returns all tracks of an item in the library, without those that are only described.
  func tracks(of id: PlayableID) async throws -> [Library.PlayableTrack] {
    var tracks: [Library.PlayableTrack] = []
    var cursor: String?
    repeat {
      let page = try await list(id, cursor)
      tracks += page.tracks.filter { $0.described == nil }
      cursor = page.next == cursor ? nil : page.next
    } while cursor != nil
    return tracks
  }
}
