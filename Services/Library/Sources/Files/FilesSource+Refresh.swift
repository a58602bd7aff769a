import Catalogue
import Messages
import Model
import MusicTags
import Records
import Storage
import System

/// The refresh of the music folders.
extension FilesSource {
  /// The number of threads that read, each with a tag reader of its own: most of them wait for the disk, and two keep
  /// the processor busy.
  private static let readers = 4

  /// The time after its cancellation at which a refresh no longer waits for its threads.
  private static let leave = Duration.seconds(1)

  /// Scans the folders in which changes were reported, or all, and updates the catalogue in one transaction; a first
  /// scan writes portions as it goes. A scan in which a folder stops answering is given up, and another one leaves that
  /// folder out. Returns nil if it was stopped.
  ///
  /// - Throws: `library.noTagReader`, and the errors of `Database.write`.
  func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts? {
    while true {
      let roots = folders.all
      let places = watch?.places(in: roots) ?? roots
      let requests = silent.requests(
        in: places, distant: watch?.distant(places) ?? [], remote: watch?.remote(places) ?? [],
        numbers: watch?.numbers)
      let counts: Library.SyncCounts?
      do {
        defer { requests.close() }
        counts = try await withTaskCancellationHandler {
          try await refresh(accepting: accepting, progress: progress, by: requests)
        } onCancel: {
          Task {
            try await Task.sleep(for: Self.leave)
            requests.abandon()
          }
        }
      }
      // A folder may stop answering at the end of a scan, whose result does not say so then.
      guard requests.isAbandoned, !progress.isStopped, !Task.isCancelled else { return counts }
      watch?.loseChanges()
      progress.beginAnew()
    }
  }

  private func refresh(
    accepting: AcceptedChanges, progress: RefreshProgress, by requests: FolderRequests
  ) async throws -> Library.SyncCounts? {
    let changes = watch?.takeChanges() ?? .unknown
    do {
      if !changes.isUncertain, !changes.folders.isEmpty, accepting.isDisjoint(with: [.wholeScan, .deletions]) {
        do {
          if let counts = try await refresh(only: changes, progress: progress, by: requests) { return counts }
        } catch is UncertainScan {
          // The scan of all folders decides.
        }
      }
      if !progress.isStopped, !requests.isAbandoned,
        let counts = try await refreshAll(accepting: accepting, progress: progress, by: requests)
      {
        return counts
      }
      watch?.loseChanges()
      return nil
    } catch {
      watch?.loseChanges()
      throw error
    }
  }

  /// Scans only these folders. Returns nil if it was stopped, or where all folders have to be scanned.
  ///
  /// - Throws: `UncertainScan` and what `refresh(accepting:progress:)` throws.
  func refresh(
    only changes: ChangedFolders, progress: RefreshProgress, by requests: FolderRequests? = nil
  ) async throws -> Library.SyncCounts? {
    let clock = ContinuousClock.now
    let roots = folders.all
    let requests = requests ?? .patient(in: roots)
    // A folder that does not answer looks empty here; a scan of all folders keeps what it held.
    if changes.paths.contains(where: { requests.touchesSilent($0.path) }) { return nil }
    let (known, rules) = try await database.read {
      (try Catalogue.knownFiles($0, in: changes), try Catalogue.tagRules($0))
    }
    let run = Run(
      roots: roots, boundary: FolderBoundary(folders), timed: watch?.unreportedDevices ?? [], rules: rules,
      accepting: [], progress: progress, requests: requests, started: now(), clock: clock)
    let visits = await BlockingThreads.value(until: requests.abandonment) {
      changes.visits(in: roots, within: run.boundary, by: requests)
    }
    guard let visits else { return nil }
    var scan = try await visit(visits, for: .report, known, run)
    guard scan.isComplete, !scan.isUncertain else { return nil }
    let former = watch?.problems ?? []
    scan.problems = former + scan.problems.filter { !former.contains($0) }
    let counts = try await write(scan, known, run, after: RefreshOutcome())
    // Folders that came while this one was scanned are found by the next scan.
    if let watch, counts != nil {
      _ = await BlockingThreads.value(until: requests.abandonment) { [scan] in
        watch.follow(scan, of: changes, by: requests)
      }
    }
    return counts
  }

  /// The values that the steps of one refresh share.
  struct Run: Sendable {
    var roots: [[UInt8]]
    var boundary: FolderBoundary
    /// The devices on which the kernel may not report changes.
    var timed: Set<Int64>
    var rules: TagRules
    var accepting: AcceptedChanges
    var progress: RefreshProgress
    var requests: FolderRequests
    var started: Timestamp
    var clock: ContinuousClock.Instant
  }

  private func refreshAll(
    accepting: AcceptedChanges, progress: RefreshProgress, by requests: FolderRequests
  ) async throws -> Library.SyncCounts? {
    let clock = ContinuousClock.now
    let (stored, rules) = try await database.read { (try Catalogue.storedFolders($0), try Catalogue.tagRules($0)) }
    let run = Run(
      roots: folders.all, boundary: FolderBoundary(folders), timed: watch?.unreportedDevices ?? [], rules: rules,
      accepting: accepting, progress: progress, requests: requests, started: now(), clock: clock)
    var written = RefreshOutcome()
    var walk: FolderWalk.Result
    let known: KnownFiles
    if stored.rows.isEmpty {
      try await database.write { try DeferredIndexes.drop($0) }
      do { (walk, written) = try await fill(run) } catch {
        do { try await DeferredIndexes.make(in: database) } catch {
          // The next refresh makes them. The first error is the one to tell.
        }
        throw error
      }
      try await DeferredIndexes.make(in: database)
      let changed = walk.changed.map(\.path)
      known = try await database.read { try Catalogue.knownFiles($0, in: ChangedFolders(changed)) }
    } else {
      try await DeferredIndexes.make(in: database)
      walk = await FolderWalk(
        run.roots, within: run.boundary, stored, timed: run.timed, by: requests, progress: progress
      ).run(threads: Self.readers)
      if walk.scan.isComplete {
        (walk.changed, written) = try await visitMany(
          walk.changed, isAnyMissing: !walk.missing.isEmpty, run)
      }
      known = try await database.read { [walk] in
        try Catalogue.knownFiles($0, changed: walk.changed.map(\.path), missing: walk.missing)
      }
    }
    guard walk.scan.isComplete, !progress.isStopped else { return nil }
    try await SearchFilling.run(in: database, progress)
    var scan = try await visit(walk.changed, for: .walk(walk.scan), known, run)
    guard scan.isComplete else { return nil }
    let linked = scan.linked
    if !linked.isEmpty {
      let others = try await database.read { try Catalogue.unvisited(linked, known, $0) }
      scan.removeSecondNames(known: others)
    }
    if run.roots.isEmpty { scan.problems.append(ScanProblem.noFolders) }
    if let watch {
      let (found, time) = (scan, clock.duration(to: .now))
      scan.problems +=
        await BlockingThreads.value(until: requests.abandonment) {
          watch.follow(found, of: run.roots, by: requests, took: time)
        } ?? []
    }
    return try await write(scan, known, run, after: written)
  }

  func visit(
    _ visits: [ScanQueue.Folder], for cause: FolderScan.Cause, _ known: KnownFiles, _ run: Run
  ) async throws -> ScanResult {
    try await FolderScan(
      roots: run.roots, within: run.boundary, visiting: visits, for: cause, timed: run.timed, by: run.requests,
      known: known,
      rules: run.rules, tagReaders: tagReaders, progress: run.progress
    ).run(threads: Self.readers)
  }

  /// Updates the catalogue to what a scan found, and ends the refresh. Returns nil if it was stopped.
  ///
  /// - Parameter written: what the refresh has written before.
  private func write(
    _ scan: ScanResult, _ known: KnownFiles, _ run: Run, after written: RefreshOutcome
  ) async throws -> Library.SyncCounts? {
    do {
      let (counts, outcome) = try await database.write(priority: .background) { transaction in
        try Catalogue.register(source: Self.name, kind: Self.kind, isFromSettings: true, transaction)
        let reconciliation = try FilesReconciliation(
          scan, known: known, roots: run.roots, rules: run.rules,
          acceptsDeletions: run.accepting.contains(.deletions), progress: run.progress, now: now(),
          followers: publisher.followers,
          in: transaction)
        var outcome = try reconciliation.run()
        outcome.add(written)
        try LeftOutRows.write(scan, transaction)
        try LinkRows.write(scan, roots: run.roots, transaction)
        let counts = try Catalogue.finishRun(
          of: Self.name, run.progress.refresh, started: run.started, now: now(),
          seconds: run.clock.duration(to: .now).inSeconds, outcome, publisher, transaction)
        return (counts, outcome)
      }
      if !scan.isPartial { watch?.update(outcome) }
      return counts
    } catch is CancellationError {
      return nil
    }
  }
}

/// The first scan of music folders.
extension FilesSource {
  /// The number of files from which the first portion is read: something is listed soon.
  private static let firstPortion = 100
  /// The numbers of files in other portions.
  private static let portions = 100...2000
  /// Of all time, the share at most that is spent on counting and publishing what was written so far.
  private static let publishingShare = 20

  /// Fills an empty catalogue. Folders are listed, read and written at the same time, in portions that are shown as
  /// soon as they are written. Returns the walk, with the folders that are left for its end, and what was written.
  private func fill(_ run: Run) async throws -> (walk: FolderWalk.Result, written: RefreshOutcome) {
    let portions = FolderPortions()
    async let walked = FolderWalk(
      run.roots, within: run.boundary, .init(), into: portions, timed: run.timed, by: run.requests,
      progress: run.progress
    ).run(threads: 2)
    var written = RefreshOutcome()
    var writing: Task<RefreshOutcome, any Error>?
    var size = PortionSize(Self.firstPortion, then: Self.portions)
    var count = 0
    var unfinished: [ScanQueue.Folder] = []
    do {
      while let portion = await BlockingThreads.value({ [size] in portions.next(files: size.count) }) ?? nil {
        var scan = try await visit(portion.folders, for: .portion, KnownFiles(), run)
        guard scan.isComplete else { break }
        unfinished += scan.takeUnfinished(of: portion.folders)
        if let before = try await writing?.value {
          written = before
          size.adapt(to: written.lastPortion, for: count)
        }
        count = scan.folders.reduce(0) { $0 + $1.files.count }
        if try await database.read(DeferredIndexes.areDue) { try await DeferredIndexes.make(in: database) }
        // The end of the refresh shows what came last.
        writing = Task { [written, scan] in
          try await write(portion: scan, run, after: written, isShown: !portion.isLast) { transaction in
            try Catalogue.knownFiles(transaction, in: ChangedFolders(scan.folders.map(\.path)))
          }
        }
      }
      if let last = try await writing?.value { written = last }
      portions.end()
    } catch {
      portions.end()
      guard error is CancellationError || run.progress.isStopped || run.requests.isAbandoned else {
        run.progress.stop()
        _ = await walked
        throw error
      }
    }
    var walk = await walked
    walk.changed += unfinished
    return (walk, written)
  }

  /// Writes a portion. Returns what was written so far, of which `changes` are those that were not published yet.
  ///
  /// - Parameter known: returns what is stored about the portion's folders.
  func write(
    portion scan: ScanResult, _ run: Run, after written: RefreshOutcome, isShown: Bool,
    known: @escaping @Sendable (Transaction) throws -> KnownFiles
  ) async throws -> RefreshOutcome {
    try await database.write(priority: .background) { transaction in
      let clock = ContinuousClock.now
      try Catalogue.register(source: Self.name, kind: Self.kind, isFromSettings: true, transaction)
      let reconciliation = try FilesReconciliation(
        scan, known: try known(transaction), roots: run.roots, rules: run.rules, acceptsDeletions: false,
        progress: run.progress, now: now(), followers: publisher.followers,
        in: transaction)
      var outcome = try reconciliation.run(indexing: false)
      outcome.problems = []
      outcome.add(written)
      let time = run.clock.duration(to: .now)
      if isShown, written.published * Self.publishingShare < time {
        let begin = ContinuousClock.now
        try Catalogue.countAndPublish(outcome.changes, publisher, transaction)
        outcome.changes = CatalogueWriter.Changes()
        outcome.published += begin.duration(to: .now)
      }
      outcome.lastPortion = clock.duration(to: .now)
      return outcome
    }
  }
}
