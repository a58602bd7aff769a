import Messages
package import Model
package import Records
package import ServiceKit
package import Storage
package import Sync

/// Makes the runs with the providers that are linked, one after another: every six hours, at a person's request, and
/// half a minute after a change of a playlist here. While no provider is linked nothing of it runs.
package actor ProviderRunner {
  private let database: Database
  private let services: [String: any ProviderService]
  private let folder: ProvidersFolder?
  private let hostID: String
  private let roots: [LocalPath]
  private let log: Log
  /// Called when something in the library has changed.
  private let changed: @Sendable () async -> Void
  private let now: @Sendable () -> Timestamp
  private let loop: WorkLoop
  private var isStarted = false
  /// The provider with which a run is made now.
  private(set) var current: String?
  /// The providers that were asked for or to which a change is to be sent since their run began.
  private var early: [String: Early] = [:]

  private enum Early {
    case atOnce, afterChange
  }

  package init(
    database: Database, services: [any ProviderService], folder: ProvidersFolder? = nil, hostID: String,
    folders: MusicFolders, log: Log,
    changed: @escaping @Sendable () async -> Void = {}, now: @escaping @Sendable () -> Timestamp = { .now() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.database = database
    self.folder = folder
    self.hostID = hostID
    self.log = log
    self.changed = changed
    self.now = now
    self.services = Dictionary(services.map { ($0.kind.kind, $0) }) { first, _ in first }
    roots = folders.paths
    loop = WorkLoop(sleep: sleep)
  }

  /// Starts if a provider is linked. An older home has no folder of providers.
  package func start() async {
    do {
      // A sign-in that was given up, or a kill, may have left the folder.
      guard try await !database.read(ProviderStore.records).isEmpty else {
        folder?.remove()
        return
      }
      try folder?.make()
      await begin()
    } catch {
      log.error(error)
    }
  }

  private func begin() async {
    guard !isStarted else { return await loop.wake() }
    isStarted = true
    await loop.start(failed: { [log] in log.error($0.error) }) { try await self.round() }
  }

  package func stop() async { await loop.stop() }

  /// Requests a run with a provider as soon as it allows one.
  func request(_ name: String) async throws {
    if current == name { early[name] = .atOnce }
    let now = now()
    try await database.write { try ProviderStore.change(name, $0) { $0.pacing.request(at: now) } }
    await begin()
  }

  /// Notes that a playlist was changed here.
  package func playlistsChanged() async {
    guard isStarted else { return }
    let now = now()
    do {
      for record in try await database.read(ProviderStore.records) where record.state.pushes {
        if current == record.name, early[record.name] == nil { early[record.name] = .afterChange }
        guard record.state.pacing.wait(at: now) > ProviderPacing.changeDelay else { continue }
        try await database.write { try ProviderStore.change(record.name, $0) { $0.pacing.changedHere(at: now) } }
      }
      await loop.wake()
    } catch {
      log.error(error)
    }
  }

  private func round() async throws -> WorkLoop.Rest {
    for record in try await records() where record.state.pacing.isDue(at: now()) {
      guard !Task.isCancelled else { return .untilWoken }
      await run(record)
    }
    let waits = try await records().filter { !$0.state.pacing.needsSignIn }.map { $0.state.pacing.wait(at: now()) }
    guard let wait = waits.min() else { return .untilWoken }
    return .atMost(.milliseconds(max(1000, wait.rawValue)))
  }

  /// Returns the providers with which something is kept in step; one of a kind that a newer version knew is not.
  private func records() async throws -> [ProviderRecord] {
    try await database.read(ProviderStore.records).filter { !$0.state.isOff && services[$0.kind] != nil }
  }

  /// Makes a run with a provider now, whatever its pacing says.
  func run(_ record: ProviderRecord) async {
    guard let service = services[record.kind] else { return }
    let name = record.name
    current = name
    early[name] = nil
    await changed()
    var run: ProviderRun?
    var problem: LunaraError?
    var connection: ProviderConnection?
    var record = record
    record.state.pacing.begin(at: now())
    do {
      let made = try await service.connect(record.link)
      connection = made
      var steps = ProviderRun(
        name: name, title: service.kind.title, provider: made.provider, database: database, hostID: hostID,
        roots: roots, now: now)
      defer { run = steps }
      try await steps.run()
    } catch {
      problem = LunaraError(error)
    }
    current = nil
    // A run that the end of the service broke off is made again by the next start.
    guard !Task.isCancelled else { return }
    var pacing = await connection?.pacing() ?? record.state.pacing
    if problem?.code == "library.signedOut" { pacing.refused() }
    await finish(name, run, problem, &pacing)
    await changed()
  }

  private func finish(
    _ name: String, _ run: ProviderRun?, _ problem: LunaraError?, _ pacing: inout ProviderPacing
  ) async {
    let report =
      run.map { Library.ProviderReport($0.report, problem: problem) }
      ?? Library.ProviderReport(startedAt: now(), problem: problem)
    let isLost = [ProviderProcess.notRunning.code, "library.providerAway"].contains(problem?.code)
    pacing.finish(isWaiting: run?.isWaiting ?? isLost, at: now())
    switch early.removeValue(forKey: name) {
    case .atOnce: pacing.request(at: now())
    case .afterChange: pacing.changedHere(at: now())
    case nil: break
    }
    if let problem { log.warning("the run with \(name) ended: \(problem.message)", ["code": problem.code]) }
    do {
      try await database.write(.power) { [pacing] transaction in
        try ProviderStore.change(name, transaction) { state in
          state.pacing = pacing
          state.lastRun = report.startedAt
          state.problem = problem
          state.added = report.added
          state.removed = report.removed
        }
        try ProviderStore.add(report, of: name, transaction)
      }
    } catch let error as LunaraError where error.code == "library.unknownProvider" {
      // It was unlinked meanwhile.
    } catch {
      log.error(error)
    }
  }
}

extension Library.ProviderReport {
  init(_ report: SyncReport, problem: LunaraError?) {
    self.init(startedAt: report.startedAt, problem: problem)
    for part in report.parts {
      added += part.addedHere + part.addedThere + part.madeThere
      removed += part.removedHere + part.removedThere
      let text = part.sentences(about: report.provider).joined(separator: " ")
      guard !text.isEmpty else { continue }
      lines.append(.init(title: part.title, text: text))
    }
  }
}
