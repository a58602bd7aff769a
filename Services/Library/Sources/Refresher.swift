package import Bus
import Catalogue
package import Messages
package import Model
package import Records
package import ServiceKit
package import Storage
import System

/// Refreshes every source at the start, on request, when it reports changes, and every six hours, and publishes the
/// progress. Several sources may be refreshed at once, each by one refresh at a time.
package actor Refresher {
  package struct Times: Sendable {
    var interval = Duration.seconds(6 * 3600)
    /// The age of the last refresh from which a start makes a new one.
    var freshness = Milliseconds(12 * 3_600_000)
    /// The interval at which the progress is published.
    var pace = Duration.milliseconds(500)
    /// The pause after a reported change before the next one is awaited.
    var settling = Duration.seconds(2)
    /// The pause after a source failed to report changes; doubled each time, up to `longestPatience`.
    var patience = Duration.seconds(5)
    var longestPatience = Duration.seconds(900)
  }

  private struct Entry {
    var source: any MusicSource
    var plan = RefreshPlan()
    var progress: RefreshProgress?
    var meter = RateMeter()
    var failure: LunaraError?
    var work: Task<Void, Never>?
    var following: Task<Void, Never>?
  }

  private let database: Database
  private let journal: Journal?
  private let log: Log
  private let times: Times
  private let now: @Sendable () -> Timestamp
  private let publish: @Sendable (Library.CatalogueState) async -> Void
  /// Called after a refresh, with true if tracks are new or changed.
  private let afterRefresh: @Sendable (_ hasNewTracks: Bool) async throws -> Void

  private var entries: [String: Entry] = [:]
  /// The last addition or removal of each source, after which the next one begins.
  private var changes: [String: Task<Void, Never>] = [:]
  /// The number of the newest refresh. Numbers begin at the time of the start, so that none is used again by the next
  /// process.
  private var lastNumber: Int64
  private var timer: Task<Void, Never>?
  private var publishing: Task<Void, Never>?
  private var isStopped = false
  /// The warnings of the last refresh of each source, by code and message, which names the file.
  private var logged: [String: Set<[String]>] = [:]
  private let started = ContinuousClock.now

  package init(
    database: Database, journal: Journal? = nil, log: Log, times: Times = Times(),
    now: @escaping @Sendable () -> Timestamp = { .now() },
    afterRefresh: @escaping @Sendable (_ hasNewTracks: Bool) async throws -> Void = { _ in },
    publish: @escaping @Sendable (Library.CatalogueState) async -> Void
  ) {
    self.database = database
    self.journal = journal
    self.log = log
    self.times = times
    self.now = now
    self.publish = publish
    self.afterRefresh = afterRefresh
    lastNumber = now().microseconds
  }

  /// Publishes the stored state, begins the first refreshes of these sources, and refreshes all every six hours.
  package func start(_ sources: [any MusicSource]) async {
    for source in sources { entries[source.name] = Entry(source: source) }
    for source in sources { await begin(with: source) }
    await publishState()
    timer = Task {
      while !Task.isCancelled {
        do { try await Task.sleep(for: times.interval) } catch { return }
        request()
      }
    }
  }

  private func begin(with source: any MusicSource) async {
    do {
      try await database.write {
        try Catalogue.register(source: source.name, kind: source.kind, isFromSettings: true, $0, keeping: true)
      }
      let last = try await database.read(Catalogue.state).sources.first { $0.name == source.name }?.lastRefreshed
      if source.isCheap || last.map({ now() - $0 >= times.freshness }) ?? true { request(source.name) }
    } catch {
      log.error(error)
    }
    follow(source)
  }

  /// Adds a source, or replaces the one of its name, and refreshes it.
  func add(_ source: any MusicSource) async {
    await change(source.name) { refresher in
      await refresher.takeOut(source.name)
      await refresher.putIn(source)
    }
  }

  /// Stops the refresh of a source and removes the source.
  func remove(_ name: String) async { await change(name) { await $0.takeOut(name) } }

  /// Adds or removes a source, after all changes of it that were asked for before: two refreshes of one source would
  /// write the same staged rows.
  private func change(_ name: String, _ body: @escaping @Sendable (Refresher) async -> Void) async {
    let before = changes[name]
    let task = Task {
      await before?.value
      await body(self)
    }
    changes[name] = task
    await task.value
    if changes[name] == task { changes[name] = nil }
  }

  private func putIn(_ source: any MusicSource) {
    guard !isStopped else { return }
    entries[source.name] = Entry(source: source)
    request(source.name)
    follow(source)
  }

  private func takeOut(_ name: String) async {
    guard let entry = entries.removeValue(forKey: name) else { return }
    entry.following?.cancel()
    entry.progress?.stop()
    // Cancelling also ends a wait for a server that does not answer.
    entry.work?.cancel()
    await entry.work?.value
  }

  package func source(_ name: String) -> (any MusicSource)? { entries[name]?.source }

  func has(_ name: String) -> Bool { entries[name] != nil }

  /// Asks for a refresh of one source, or of all, and returns the refreshes that answer that. Another server is only
  /// accepted for a source that is named.
  @discardableResult
  package func request(_ name: String? = nil, accepting: AcceptedChanges = .wholeScan) -> [Library.SyncStarted.Refresh]
  {
    guard !isStopped else { return [] }
    let accepting = name == nil ? accepting.subtracting(.otherServer) : accepting
    return (name.map { [$0] } ?? entries.keys.sorted()).compactMap { key in
      lastNumber += 1
      guard let (number, begins) = entries[key]?.plan.request(accepting, number: lastNumber) else { return nil }
      if begins { begin(key, RefreshPlan.Refresh(number: number, accepts: accepting)) }
      return .init(source: key, refresh: number)
    }
  }

  /// Refreshes one source and returns when that has ended, even with an error. If a refresh runs already, it may miss
  /// the changes that are meant, so the one after it is awaited too.
  package func refreshed(_ name: String) async {
    let runs = entries[name]?.plan.isRunning ?? false
    request(name)
    await entries[name]?.work?.value
    if runs { await entries[name]?.work?.value }
  }

  package func stop() async {
    isStopped = true
    timer?.cancel()
    for entry in entries.values {
      entry.following?.cancel()
      entry.progress?.stop()
      entry.work?.cancel()
    }
    for entry in entries.values { await entry.work?.value }
    publishing?.cancel()
    await publishing?.value
  }

  // MARK: - One source

  /// Refreshes a source whenever it reports a change. If that fails, tries again after a pause, and refreshes the
  /// source then, as changes in the meantime were not reported.
  private func follow(_ source: any MusicSource) {
    let times = times
    entries[source.name]?.following = Task { [weak self] in
      var patience = times.patience
      while !Task.isCancelled {
        do {
          try await source.awaitChange()
          patience = times.patience
          await self?.request(source.name)
          try await Task.sleep(for: times.settling)
        } catch {
          guard !Task.isCancelled else { return }
          // The refresh that follows reports the health of the source.
          if patience == times.patience {
            self?.log.info("\(source.name) does not report changes: \(LunaraError(error))")
          }
          do { try await Task.sleep(for: patience) } catch { return }
          patience = min(patience * 2, times.longestPatience)
          await self?.request(source.name)
        }
      }
    }
  }

  private func begin(_ name: String, _ refresh: RefreshPlan.Refresh) {
    guard let source = entries[name]?.source else { return }
    let progress = RefreshProgress(refresh: refresh.number)
    entries[name]?.progress = progress
    entries[name]?.meter = RateMeter()
    entries[name]?.work = Task {
      do {
        if let counts = try await source.refresh(accepting: refresh.accepts, progress: progress) {
          entries[name]?.failure = nil
          log.info(
            "refreshed \(name)",
            [
              "new": "\(counts.new)", "changed": "\(counts.changed)", "unchanged": "\(counts.unchanged)",
              "deleted": "\(counts.deleted)", "seconds": "\(counts.seconds)",
            ])
          try await afterRefresh(counts.new + counts.changed > 0)
        }
      } catch {
        entries[name]?.failure = LunaraError(error)
        log.error(error)
        await publishFailure(of: refresh, name, LunaraError(error))
      }
      await ended(name)
    }
    publishWhileRunning()
  }

  private func publishFailure(of refresh: RefreshPlan.Refresh, _ name: String, _ error: LunaraError) async {
    guard let journal else { return }
    let failure = Library.SyncFailed(source: name, error: error, refresh: refresh.number)
    do { try await database.write { try journal.append(failure, in: $0) } } catch { log.error(error) }
  }

  private func ended(_ name: String) async {
    entries[name]?.progress = nil
    if let next = entries[name]?.plan.finish(), !isStopped {
      begin(name, next)
    } else {
      entries[name]?.work = nil
    }
    guard !isStopped else { return }
    await publishState()
    await warn(name)
  }

  // MARK: - The published state

  private func publishWhileRunning() {
    guard publishing == nil else { return }
    publishing = Task {
      while !Task.isCancelled, entries.values.contains(where: { $0.progress != nil }) {
        do { try await Task.sleep(for: times.pace) } catch { break }
        await publishState()
      }
      publishing = nil
    }
  }

  /// Publishes the catalogue's state, with the progress and the health of the sources.
  package func publishState() async {
    do { await publish(try await state()) } catch { log.error(error) }
  }

  private func state() async throws -> Library.CatalogueState {
    var state = try await database.read(Catalogue.state)
    let time = started.duration(to: .now)
    for index in state.sources.indices { describe(&state.sources[index], at: time) }
    return state
  }

  private func describe(_ status: inout Library.SourceStatus, at time: Duration) {
    guard let entry = entries[status.name] else {
      status.health = "unreachable"
      return
    }
    status.health = entry.source.health(status, entry.failure)
    if let failure = entry.failure {
      status.problems = [failure] + status.problems.prefix(Catalogue.shownProblems - 1)
      status.problemCount += 1
    }
    guard let progress = entry.progress else { return }
    status.health = "scanning"
    entries[status.name]?.meter.add(progress.done, at: time)
    status.progress = Library.Progress(
      done: progress.done, total: progress.isTotalKnown ? progress.total : nil,
      rate: entries[status.name]?.meter.rate)
  }

  package func statuses() async throws -> [Library.SourceStatus] { try await state().sources }

  /// Returns the sources that are healthy and were read completely before, even if a refresh is running: a track that
  /// is not in their rows was removed.
  package func answering() async throws -> Set<String> {
    let sources = try await database.read(Catalogue.state).sources.filter { status in
      guard let entry = entries[status.name], entry.failure == nil, status.lastRefreshed != nil else { return false }
      return ["ready", "empty"].contains(entry.source.health(status, nil))
    }
    return Set(sources.map(\.name))
  }

  /// Writes the problems of a source's last refresh to the log as well: its first ones, and how many there are. The
  /// same is logged once, and not after each refresh.
  private func warn(_ name: String) async {
    do {
      let known = try await database.read(Catalogue.state).sources.first { $0.name == name }
      guard let status = known else { return }
      let before = logged[name] ?? []
      var now: Set<[String]> = []
      for problem in status.problems where problem.code != "library.fileUntagged" {
        let isNew = now.insert([problem.code, problem.message]).inserted
        if isNew, !before.contains([problem.code, problem.message]) { log.warning(problem) }
      }
      let more = status.problemCount - status.problems.count
      if more > 0 {
        now.insert(["\(more)"])
        if !before.contains(["\(more)"]) {
          log.warning("\(more) more problems in \(status.name); `lunara problems` lists them")
        }
      }
      logged[name] = now
    } catch {
      log.error(error)
    }
  }
}
