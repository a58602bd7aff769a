import Messages
import Model
import Storage

struct ServerSections: Sendable {
  var on: [String] = []
  var off: [String] = []
}

/// Brings the catalogue in line with what a server's reading has staged, within one transaction: the old catalogue or
/// the new one, never a mixture.
///
/// Records are compared by a digest of their bytes, and only those that are new or different are taken apart, one at a
/// time. New rows get their numbers in the order of the server's ids, shorter ones first, so that two readings of one
/// server number alike.
final class ServerReconciliation {
  struct Reading {
    var scope: ReadScope
    /// True if the ids of all that is there are staged too.
    var hasKeys = false
    /// True if nothing can have been missed: what may be incomplete takes nothing away.
    var isWhole = true
    /// The sections that were read, and those that a person did not want then.
    var sections: ServerSections
    /// The mark of the source after it; nil where the next refresh is to read everything.
    var mark: SyncMark?
    /// The way in which it was found out what to read, for people.
    var method: String

    /// True if what is not staged is gone.
    var isComplete: Bool { isWhole && hasAll }
    /// True if what is not staged may be gone, or there under another id.
    var hasAll: Bool { scope != .delta || hasKeys }
  }

  let source: String
  let reading: Reading
  let acceptsDeletions: Bool
  /// The progress, in which a request to stop is found; that ends this with `CancellationError`.
  let progress: RefreshProgress
  let now: Timestamp
  let transaction: Transaction
  let writer: CatalogueWriter
  var outcome = SyncOutcome()
  /// Albums whose tracks or words are not what they were.
  var touchedAlbums: Set<Int64> = []
  /// Albums by the server's ids, as far as tracks asked for them.
  var knownAlbums: [String: AlbumNames] = [:]
  /// Sections that are wanted and were not read: they were switched on while others were read.
  var unread: [String] = []
  /// True if other sections are wanted now than were read.
  var isOutdated = false
  /// Tracks whose album nobody has told of.
  var orphans = 0

  init(
    _ reading: Reading, of source: String, acceptsDeletions: Bool, progress: RefreshProgress, now: Timestamp,
    in transaction: Transaction
  ) throws {
    (self.reading, self.source, self.acceptsDeletions) = (reading, source, acceptsDeletions)
    (self.progress, self.now, self.transaction) = (progress, now, transaction)
    writer = try CatalogueWriter(source: source, now: now, transaction)
  }

  func run() throws -> SyncOutcome {
    try transaction.expectManyRows()
    try skipUnwanted()
    let known: Int =
      try transaction.row("SELECT count(*) FROM tracks WHERE source = ?", source) { try $0.value(0) } ?? 0
    try writeArtists()
    var tracks = try StagedChanges(of: .track, self)
    let albums = try StagedChanges(of: .album, self)
    let (switchedOff, lost) = try findLost(beside: tracks.displaced)
    let links = try relink(tracks.new, among: lost)
    let linked = Set(links.values)
    let displaced = Set(tracks.displaced)
    let vanished = lost.filter { !linked.contains($0) && (reading.isWhole || displaced.contains($0)) }
    let deleted = try holdBackIfTooMany(vanished, known: known) + switchedOff
    tracks.link(links)
    try writeAlbums(albums, trackLinks: links, displaced: tracks.displaced)
    try writeTracks(tracks)
    try delete(deleted)
    try finishAlbums()
    try writeLists()
    try writer.finish()
    outcome.changes = writer.changes
    outcome.isComplete = reading.isComplete
    outcome.deleted = deleted.count
    outcome.unchanged = known - outcome.changed - outcome.deleted - outcome.held
    outcome.isChanged = outcome.isChanged || !outcome.changes.isEmpty || outcome.deleted > 0
    if outcome.isChanged { try placeItems() }
    try keepMark()
    return outcome
  }

  func checkStop() throws { if progress.isStopped { throw CancellationError() } }

  private func keepMark() throws {
    var mark = reading.mark
    if reading.isComplete { mark?.completeAt = now }
    let known = try transaction.row("SELECT mark FROM sources WHERE name = ?", source) { try $0.value(0) as String? }
    if let before = try known?.map({ try MessageCoding.decode(SyncMark.self, from: $0.utf8) }), var next = mark {
      next.completeAt = next.completeAt ?? before.completeAt
      next.comparedAt = next.comparedAt ?? before.comparedAt
      next.difference = next.difference ?? before.difference
      mark = next
    }
    // Tracks whose albums were not told of are found by reading everything once more.
    if orphans > 0 || isOutdated { mark = nil }
    let text = try mark.map { String(decoding: try MessageCoding.encode($0), as: UTF8.self) }
    try transaction.execute("UPDATE sources SET mark = ?, method = ? WHERE name = ?", text, reading.method, source)
    try transaction.execute("DELETE FROM staged WHERE source = ?", source)
  }

  /// Leaves out what was read of sections that a person has switched off since; the next refresh reads everything.
  private func skipUnwanted() throws {
    let sections = try transaction.rows("SELECT key, is_on FROM sections WHERE source = ?", source) { row in
      (key: try row.value(0) as String, isOn: try row.value(1) as Bool)
    }
    unread = sections.filter { $0.isOn && reading.sections.off.contains($0.key) }.map(\.key)
    let unwanted = sections.filter { !$0.isOn && reading.sections.on.contains($0.key) }.map(\.key)
    isOutdated = !unwanted.isEmpty || !unread.isEmpty
    for section in unwanted {
      try transaction.execute(
        """
        DELETE FROM staged WHERE source = ? AND kind <= 4 AND json_extract(CAST(body AS TEXT), '$.section') = ?
        """, source, section)
    }
  }

  /// Tracks that are gone: those of sections that a person switched off, and those that the server no longer has.
  private func findLost(beside displaced: [Int64]) throws -> (switchedOff: [Int64], lost: [Int64]) {
    let off = try transaction.rows(
      """
      SELECT id FROM tracks WHERE source = ?1
        AND (section IN (SELECT key FROM sections WHERE source = ?1 AND is_on = 0)
          OR (section IS NULL AND EXISTS (SELECT 1 FROM sections WHERE source = ?1)
            AND NOT EXISTS (SELECT 1 FROM sections WHERE source = ?1 AND is_on)))
      """, source
    ) { try $0.value(0) as Int64 }
    guard reading.hasAll else { return (off, Set(displaced).subtracting(off).sorted()) }
    let isStaged =
      reading.scope == .everything
      ? "SELECT 1 FROM staged s WHERE s.source = t.source AND s.kind = 3 AND s.native = t.native"
      : "SELECT 1 FROM staged s WHERE s.source = t.source AND s.kind = 6 AND s.native = '3:' || t.native"
    let missing = try transaction.rows(
      "SELECT id, section FROM tracks t WHERE source = ? AND NOT EXISTS (\(isStaged)) ORDER BY id", source
    ) { row in (row: try row.value(0) as Int64, section: try row.value(1) as String?) }
    .filter { track in !(track.section.map(unread.contains) ?? false) }.map(\.row)
    let lost = Set(missing).union(displaced).subtracting(off)
    return (off, lost.sorted())
  }

  /// Holds back what goes where it is suspiciously much: all of it, or more than a quarter with five whole albums.
  private func holdBackIfTooMany(_ vanished: [Int64], known: Int) throws -> [Int64] {
    if acceptsDeletions { return vanished }
    let problem = try DeletionGuard.problem(losing: vanished.count, of: known, isAll: vanished.count == known) {
      try DeletionGuard.wholeAlbums(among: vanished, transaction)
    }
    guard let problem else { return vanished }
    outcome.held = vanished.count
    outcome.problems.append(problem)
    return []
  }

  private func delete(_ tracks: [Int64]) throws {
    for track in tracks {
      try checkStop()
      let album = try transaction.row("SELECT album FROM tracks WHERE id = ?", track) { try $0.value(0) as Int64 }
      if let album { touchedAlbums.insert(album) }
      try writer.delete(track: track)
    }
  }
}
