import Bus
import Messages
import Model
import Storage

/// The music in folders of this host.
struct FilesSource: Sendable {
  /// Its name, the first part of its ids.
  static let name = "files"
  /// Its kind.
  static let kind = "files"
  /// As many wait for the disk at once; the processor is busy with two.
  private static let readers = 4

  let database: Database
  let journal: Journal?
  let folders: MusicFolders
  /// Who is told which folders there are, to watch them; nil where nobody does.
  var watch: FolderWatch?
  let now: @Sendable () -> Timestamp

  /// Looks through the folders and brings the catalogue in line with them: one transaction, or nothing at all. nil
  /// where it was stopped.
  ///
  /// - Throws: the errors of `Database.write`.
  func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts? {
    let (started, clock) = (now(), ContinuousClock.now)
    let folders = folders.all
    let known = try await database.read(Catalogue.knownFiles)
    var scan = await FolderScan(roots: folders, known: known, progress: progress).run(threads: Self.readers)
    guard scan.isComplete else { return nil }
    if folders.isEmpty { scan.problems.append(ScanProblem.noFolders) }
    if let watch {
      let (found, time) = (scan, clock.duration(to: .now))
      scan.problems += await BlockingThreads.value { watch.follow(found, took: time) } ?? []
    }
    let (found, journal, now) = (scan, journal, now)
    do {
      return try await database.write { transaction in
        try Catalogue.note(source: Self.name, kind: Self.kind, isFromSettings: true, transaction)
        let reconciliation = try FilesReconciliation(
          found, known: known, roots: folders, acceptsDeletions: accepting.contains(.deletions), progress: progress,
          now: now(),
          in: transaction)
        let outcome = try reconciliation.run()
        return try Catalogue.finishRun(
          of: Self.name, started: started, now: now(), seconds: clock.duration(to: .now).inSeconds, outcome,
          problemsOfFiles: true, journal: journal, transaction)
      }
    } catch is CancellationError {
      return nil
    }
  }
}

extension Duration {
  /// As a number of seconds, to the millisecond.
  var inSeconds: Double {
    let parts = components
    return Double(parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000) / 1000
  }
}
