import Bus
import Glibc
import Messages
import Model
import Storage
import Synchronization

/// The music in folders of this host.
struct FilesSource: Sendable {
  /// Its name, the first part of its ids.
  static let name = "files"
  static let kind = "files"
  /// The description of this kind of source. The library itself makes its only source.
  static let descriptor = SourceDescriptor(
    Library.SourceKind(
      kind: kind, title: "Folders", hint: "Folders of music on the machine that runs the library.",
      settings: [
        .init(
          key: "address", title: "Folder", meaning: "the folder's whole path on that machine", name: "LUNARA_MUSIC",
          isRequired: true)
      ], capabilities: [.notifications]))
  /// The number of threads that read, each with a tag reader of its own: most of them wait for the disk, and two keep
  /// the processor busy.
  private static let readers = 4

  let database: Database
  let journal: Journal?
  let folders: MusicFolders
  let tagReaders: TagReaders
  /// The watcher to which each refresh gives the folders; nil where nothing watches them.
  var watch: FolderWatch?
  let now: @Sendable () -> Timestamp

  /// Scans the folders in which changes were reported, or all, and updates the catalogue in one transaction. Returns
  /// nil where it was stopped.
  ///
  /// - Throws: `library.noTagReader`, and the errors of `Database.write`.
  func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts? {
    let changes = watch?.takeChanges() ?? .unknown
    do {
      if !changes.isUncertain, !changes.folders.isEmpty, accepting.isDisjoint(with: [.wholeScan, .deletions]) {
        do {
          if let counts = try await refresh(only: changes, progress: progress) { return counts }
        } catch is UncertainScan {
          // The scan of all folders decides.
        }
      }
      if !progress.isStopped, let counts = try await refreshAll(accepting: accepting, progress: progress) {
        return counts
      }
      watch?.loseChanges()
      return nil
    } catch {
      watch?.loseChanges()
      throw error
    }
  }

  /// Scans only these folders. Returns nil where it was stopped, or where all folders have to be scanned.
  ///
  /// - Throws: `UncertainScan` and what `refresh(accepting:progress:)` throws.
  func refresh(only changes: ChangedFolders, progress: RefreshProgress) async throws -> Library.SyncCounts? {
    let (started, clock) = (now(), ContinuousClock.now)
    let roots = folders.all
    let (known, rules) = try await database.read {
      (try Catalogue.knownFiles($0, in: changes), try Catalogue.tagRules($0))
    }
    let visits = await BlockingThreads.value { changes.visits(in: roots) } ?? []
    var scan = try await FolderScan(
      roots: roots, visiting: visits, after: nil, known: known, rules: rules, tagReaders: tagReaders, progress: progress
    ).run(threads: Self.readers)
    guard scan.isComplete, !scan.isUncertain else { return nil }
    let former = watch?.problems ?? []
    scan.problems = former + scan.problems.filter { !former.contains($0) }
    let counts = try await reconcile(scan, known, roots, rules, [], progress, started, clock)
    // Folders that came while this one was scanned are found by the next scan.
    if let watch, counts != nil {
      _ = await BlockingThreads.value { [scan] in watch.follow(scan, of: changes) }
    }
    return counts
  }

  private func refreshAll(
    accepting: AcceptedChanges, progress: RefreshProgress
  ) async throws -> Library.SyncCounts? {
    let (started, clock) = (now(), ContinuousClock.now)
    let folders = folders.all
    let (stored, rules) = try await database.read { (try Catalogue.storedFolders($0), try Catalogue.tagRules($0)) }
    let walk = await FolderWalk(folders, stored, progress: progress).run(threads: Self.readers)
    guard walk.scan.isComplete else { return nil }
    let known = try await database.read { try Catalogue.knownFiles($0, after: walk) }
    var scan = try await FolderScan(
      roots: folders, visiting: walk.changed, after: walk.scan, known: known, rules: rules, tagReaders: tagReaders,
      progress: progress
    ).run(threads: Self.readers)
    guard scan.isComplete else { return nil }
    let linked = scan.linked
    if !linked.isEmpty {
      let others = try await database.read { try Catalogue.unvisited(linked, known, $0) }
      scan.removeSecondNames(known: others)
    }
    if folders.isEmpty { scan.problems.append(ScanProblem.noFolders) }
    if let watch {
      let (found, time) = (scan, clock.duration(to: .now))
      scan.problems += await BlockingThreads.value { watch.follow(found, of: folders, took: time) } ?? []
    }
    return try await reconcile(scan, known, folders, rules, accepting, progress, started, clock)
  }

  /// Updates the catalogue to what a scan found. Returns nil where it was stopped.
  private func reconcile(
    _ scan: ScanResult, _ known: KnownFiles, _ roots: [[UInt8]], _ rules: TagRules, _ accepting: AcceptedChanges,
    _ progress: RefreshProgress, _ started: Timestamp, _ clock: ContinuousClock.Instant
  ) async throws -> Library.SyncCounts? {
    do {
      return try await database.write { transaction in
        try Catalogue.note(source: Self.name, kind: Self.kind, isFromSettings: true, transaction)
        let reconciliation = try FilesReconciliation(
          scan, known: known, roots: roots, rules: rules, acceptsDeletions: accepting.contains(.deletions),
          progress: progress, now: now(), in: transaction)
        let outcome = try reconciliation.run()
        return try Catalogue.finishRun(
          of: Self.name, progress.refresh, started: started, now: now(), seconds: clock.duration(to: .now).inSeconds,
          outcome,
          journal: journal, transaction)
      }
    } catch is CancellationError {
      return nil
    }
  }
}

extension Duration {
  /// The number of seconds, to the millisecond.
  var inSeconds: Double { (self / .milliseconds(1)).rounded(.towardZero) / 1000 }
}

/// The music folders: those of the settings, and those that a person added while Lunara runs. The list changes, so it
/// is read anew for each use.
final class MusicFolders: Sendable {
  /// The folders of the settings, as `normalised` returns them.
  let fromSettings: [[UInt8]]
  private let ofPerson = Mutex<[[UInt8]]>([])

  init(_ fromSettings: [[UInt8]]) { self.fromSettings = fromSettings }

  /// The folders that a person added, in that order.
  var added: [[UInt8]] {
    get { ofPerson.withLock { $0 } }
    set { ofPerson.withLock { $0 = newValue } }
  }

  /// All folders that are scanned; none is within another.
  var all: [[UInt8]] { Self.outermost(fromSettings + added) }

  /// Every folder that was chosen, also one within another.
  var chosen: [[UInt8]] { fromSettings + added.filter { !fromSettings.contains($0) } }

  /// Normalises paths: absolute, without `.`, doubled or final slashes, and without those within others. Symbolic links
  /// are not followed, so that a folder whose target is gone keeps its name.
  static func normalised(_ paths: [LocalPath], workingDirectory: [UInt8]) -> [[UInt8]] {
    outermost(
      paths.filter { !$0.bytes.isEmpty }.map { path in
        plain(path.bytes.first == slash ? path.bytes : FilePath.join(workingDirectory, path.bytes))
      })
  }

  /// Returns an absolute path without `.`, doubled or final slashes.
  static func plain(_ path: [UInt8]) -> [UInt8] {
    let parts = path.split(separator: slash).filter { Array($0) != [UInt8(ascii: ".")] }
    return parts.isEmpty ? [slash] : parts.flatMap { [slash] + $0 }
  }

  /// Returns the path of a folder as a person gives it: an absolute path, or a `file:` URL for a name that is not
  /// UTF-8; nil for anything else.
  static func named(_ text: String) -> [UInt8]? {
    let path = LocalPath(url: text) ?? LocalPath(text)
    guard path.bytes.first == slash, !path.bytes.contains(0) else { return nil }
    return plain(path.bytes)
  }

  private static let slash = UInt8(ascii: "/")

  /// Each of these paths once, without those that lie within another.
  private static func outermost(_ paths: [[UInt8]]) -> [[UInt8]] {
    var kept: [[UInt8]] = []
    for path in paths {
      let others = paths.filter { $0 != path }
      if !kept.contains(path), !others.contains(where: { FilePath.isWithin(path, $0) }) { kept.append(path) }
    }
    return kept
  }

  /// The folder this process was started in; the root where the kernel does not say.
  static func workingDirectory() -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return [slash] }
    return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }
}
