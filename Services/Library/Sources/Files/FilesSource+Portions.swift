import Catalogue
import Model
import Records
import Storage
import Synchronization
import System

/// Scans for which many folders are visited: after an upgrade that reads more of each file, after a program tagged the
/// whole collection, or where a large folder was added.
extension FilesSource {
  /// The number of folders up to which all are written in one transaction.
  private static let fewFolders = 400
  /// The number of folders in the first portion.
  private static let firstPortion = 50
  /// The numbers of folders in other portions.
  private static let portions = 10...200

  /// Reads and writes many changed folders in portions, so that the memory does not grow with the library. A portion
  /// neither deletes nor moves anything: it holds folders in which no file came or went, and new ones if nothing is
  /// missing elsewhere that may have moved there. Few folders are left as they are.
  ///
  /// - Parameters:
  ///   - changed: the folders to visit.
  ///   - isAnyMissing: true if a stored folder was not found.
  /// - Returns: the folders that are left to visit, and what was written.
  func visitMany(
    _ changed: [ScanQueue.Folder], isAnyMissing: Bool, _ run: Run
  ) async throws -> (left: [ScanQueue.Folder], written: RefreshOutcome) {
    guard changed.count > Self.fewFolders else { return (changed, RefreshOutcome()) }
    do {
      return try await visit(many: changed, isAnyMissing: isAnyMissing, run)
    } catch is CancellationError where run.progress.isStopped {
      return (changed, RefreshOutcome())
    }
  }

  private func visit(
    many changed: [ScanQueue.Folder], isAnyMissing: Bool, _ run: Run
  ) async throws -> (left: [ScanQueue.Folder], written: RefreshOutcome) {
    var (left, written) = try await visit(changed, after: RefreshOutcome(), run) { known, folder in
      known.hasSameFiles(as: folder)
    }
    guard !isAnyMissing, left.count > Self.fewFolders, !run.progress.isStopped else { return (left, written) }
    let known = try await database.read { [left] in try Catalogue.knownFiles($0, in: ChangedFolders(left.map(\.path))) }
    guard left.allSatisfy({ known.folder($0.path)?.isVisited != true }) else { return (left, written) }
    (left, written) = try await visit(left, after: written, run) { _, folder in
      folder.listing.map { listing in !listing.audio.contains(where: \.isLink) } ?? false
    }
    return (left, written)
  }

  /// Visits those of the folders that fit, in portions. Returns the others, and what was written by now.
  private func visit(
    _ folders: [ScanQueue.Folder], after before: RefreshOutcome, _ run: Run,
    if fits: @Sendable (KnownFiles, ScanQueue.Folder) -> Bool
  ) async throws -> (left: [ScanQueue.Folder], written: RefreshOutcome) {
    var (left, written): ([ScanQueue.Folder], RefreshOutcome) = ([], before)
    var writing: Task<RefreshOutcome, any Error>?
    var size = PortionSize(Self.firstPortion, then: Self.portions)
    var (start, count) = (0, 0)
    while start < folders.count {
      let portion = Array(folders[start..<min(start + size.count, folders.count)])
      start += portion.count
      let paths = ChangedFolders(portion.map(\.path))
      let known = try await database.read { try Catalogue.knownFiles($0, in: paths) }
      let listed =
        await BlockingThreads.value(until: run.requests.abandonment) {
          let listed = Mutex(portion)
          BlockingThreads.concurrently(portion.count, width: run.requests.width(of: portion[0].path)) { number in
            let folder = portion[number].listed(within: run.boundary, by: run.requests)
            listed.withLock { $0[number] = folder }
          }
          return listed.withLock(\.self)
        } ?? portion
      let isFit = listed.map { fits(known, $0) }
      left += zip(portion, isFit).compactMap { $1 ? nil : $0 }
      let visits = zip(listed, isFit).compactMap { $1 ? $0 : nil }
      guard !visits.isEmpty else { continue }
      var scan = try await visit(visits, for: .portion, known, run)
      if let writing {
        written = try await writing.value
        size.adapt(to: written.lastPortion, for: count)
      }
      count = visits.count
      guard scan.isComplete else { return (left, written) }
      let unfinished = scan.takeUnfinished(of: visits)
      left += unfinished
      let finished = Set(visits.map { PathKey($0.path) }).subtracting(unfinished.map { PathKey($0.path) })
      writing = Task { [written, scan] in
        try await write(portion: scan, run, after: written, isShown: true) { transaction in
          try Catalogue.knownFiles(transaction, in: ChangedFolders(finished.map(\.bytes)))
        }
      }
    }
    if let writing { written = try await writing.value }
    return (left, written)
  }
}

extension ScanResult {
  /// Takes out the folders of a portion in which something could not be read. The end of the scan visits them again,
  /// and says why.
  mutating func takeUnfinished(of visits: [ScanQueue.Folder]) -> [ScanQueue.Folder] {
    guard !unreadable.isEmpty else { return [] }
    let places = Set((unreadable + unreadable.compactMap(FilePath.parent)).map(PathKey.init))
    folders.removeAll { places.contains(PathKey($0.path)) }
    return visits.filter { places.contains(PathKey($0.path)) }.map { visit in
      var visit = visit
      visit.listing = nil
      return visit
    }
  }
}

extension ScanQueue.Folder {
  /// The folder with its listing, which is read where there is none; without one where it cannot be read.
  fileprivate func listed(within boundary: FolderBoundary, by requests: FolderRequests) -> Self {
    var folder = self
    guard listing == nil, !requests.isAbandoned else { return folder }
    do throws(Errno) {
      folder.listing = try requests.visit(path) { visit throws(Errno) in
        try FolderListing(
          path, rules: rules, within: boundary, width: requests.width(of: path), stamp: requests.stamp,
          answered: visit.answered
        ) { _, _ in true }
      }
    } catch {
      // The visit at the end says why.
    }
    return folder
  }
}

extension KnownFiles {
  /// Returns true if a folder is stored with the same names of files, and none of these is a link.
  fileprivate func hasSameFiles(as visited: ScanQueue.Folder) -> Bool {
    guard let listing = visited.listing, let stored = folder(visited.path), stored.isVisited else { return false }
    let audio = Set(listing.audio.map { PathKey($0.name) })
    let known = Set(stored.files.keys)
    let isFound = known.subtracting(audio).isSubset(of: listing.sheets.map { PathKey($0.name) })
    return isFound && audio.isSubset(of: known) && !listing.audio.contains(where: \.isLink)
  }
}
