import Messages
package import Model
import MusicTags
package import Records
package import Storage
import Text

package struct ServerSections: Sendable {
  package var on: [String] = []
  var off: [String] = []

  package init(on: [String] = [], off: [String] = []) {
    self.on = on
    self.off = off
  }
}

/// Updates the catalogue with the staged records of a server, within one transaction.
///
/// Records are compared by a digest of their bytes, and only new and changed ones are decoded, one at a time. New rows
/// get their numbers in the order of the server's ids, shorter ones first, so that two readings of one server give the
/// same numbers.
package final class ServerReconciliation {
  package struct Reading {
    package var scope: ReadScope
    /// True if the ids of all items are staged too.
    package var hasKeys = false
    /// True if no item can have been missed; otherwise nothing is deleted.
    package var isWhole = true
    /// The sections that were read, and those that a person did not want then.
    package var sections: ServerSections
    /// The mark of the source after the reading; nil if the next refresh is to read everything.
    package var mark: RefreshMark?
    /// The method of the check before the reading (`ServerChangeCheck.method`), which people see.
    package var method: String
    /// The server's number of tracks in its sections before the reading; nil if it is unknown.
    var tracksThere: Int?
    /// True if lists that the server refused before were not requested again.
    package var areListsUnread = false
    /// True if all ids were compared or everything was read, even if some may be missing.
    package var isComparison = false

    package init(
      scope: ReadScope, hasKeys: Bool = false, isWhole: Bool = true, sections: ServerSections, mark: RefreshMark? = nil,
      method: String, tracksThere: Int? = nil, areListsUnread: Bool = false, isComparison: Bool = false
    ) {
      self.scope = scope
      self.hasKeys = hasKeys
      self.isWhole = isWhole
      self.sections = sections
      self.mark = mark
      self.method = method
      self.tracksThere = tracksThere
      self.areListsUnread = areListsUnread
      self.isComparison = isComparison
    }

    /// True if items that are not staged were removed at the server.
    package var isComplete: Bool { isWhole && hasAll }
    /// True if items that are not staged may have been removed at the server, or have another id there.
    var hasAll: Bool { scope != .delta || hasKeys }
  }

  let source: String
  let reading: Reading
  let acceptsDeletions: Bool
  /// The progress of the refresh; a request to stop it ends the reconciliation with `CancellationError`.
  let progress: RefreshProgress
  let now: Timestamp
  let transaction: Transaction
  let writer: CatalogueWriter
  var outcome = RefreshOutcome()
  /// Albums whose tracks or names were changed.
  var touchedAlbums: Set<Int64> = []
  /// A cache of albums by the server's ids.
  var knownAlbums: [String: AlbumNames] = [:]
  /// Sections that are wanted and were not read: they were switched on while others were read.
  var unread: [String] = []
  /// True if a section was switched on or off during the reading.
  var isOutdated = false
  /// True if a list is missing for the first time, so that the next refresh is to read the lists again.
  var areListsMissing = false
  /// The number of tracks whose album is neither staged nor stored.
  var orphans = 0

  package init(
    _ reading: Reading, of source: String, acceptsDeletions: Bool, progress: RefreshProgress, now: Timestamp,
    followers: [any CatalogueFollower], in transaction: Transaction
  ) throws {
    self.reading = reading
    self.source = source
    self.acceptsDeletions = acceptsDeletions
    self.progress = progress
    self.now = now
    self.transaction = transaction
    writer = try CatalogueWriter(source: source, now: now, followers: followers, transaction)
  }

  package func run() throws -> RefreshOutcome {
    try transaction.expectManyRows()
    try skipUnwanted()
    try StagingTable.applyNotedRatings(of: source, transaction)
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
    if acceptsDeletions, !reading.isComplete { outcome.problems.append(SourceError.incompleteListing(source)) }
    outcome.changes = writer.changes
    outcome.isComplete = reading.isComplete
    outcome.areListsUnread = reading.areListsUnread
    outcome.deleted = deleted.count
    outcome.unchanged = known - outcome.changed - outcome.deleted - outcome.held
    outcome.isChanged = outcome.isChanged || !outcome.changes.isEmpty || outcome.deleted > 0
    if outcome.isChanged || outcome.areListsChanged { try placeItems() }
    try keepMark()
    return outcome
  }

  func checkStop() throws { if progress.isStopped { throw CancellationError() } }

  private func keepMark() throws {
    var mark = reading.mark
    if reading.isComplete { mark?.completeAt = now }
    if reading.isComparison {
      let here: Int? = try transaction.value("SELECT count(*) FROM tracks WHERE source = ?", source)
      mark?.comparedAt = now
      mark?.difference = reading.tracksThere.flatMap { there in here.map { there - $0 } }
    }
    let known = try transaction.row("SELECT mark FROM sources WHERE name = ?", source) { try $0.value(0) as String? }
    if let before = try known?.map({ try MessageCoding.decode(RefreshMark.self, from: $0.utf8) }), var next = mark {
      next.completeAt = next.completeAt ?? before.completeAt
      next.comparedAt = next.comparedAt ?? before.comparedAt
      if !reading.isComparison { next.difference = before.difference }
      mark = next
    }
    if areListsMissing { mark?.forgetLists() }
    // Without a mark the next refresh reads everything, and finds the albums of such tracks.
    if orphans > 0 || isOutdated { mark = nil }
    let text = try mark.map { String(decoding: try MessageCoding.encode($0), as: UTF8.self) }
    try transaction.execute("UPDATE sources SET mark = ?, method = ? WHERE name = ?", text, reading.method, source)
    try transaction.execute("DELETE FROM staged WHERE source = ?", source)
  }
}

/// Writes a server's albums.
extension ServerReconciliation {
  struct AlbumNames {
    var number: Int64
    var title: String
    var artist: String
  }

  func album(_ native: String) throws -> AlbumNames? {
    if let known = knownAlbums[native] { return known }
    let found = try transaction.row("SELECT id, title, artist FROM albums WHERE source = ? AND key = ?", source, native)
    {
      AlbumNames(number: try $0.value(0), title: try $0.value(1), artist: try $0.value(2))
    }
    if let found { knownAlbums[native] = found }
    return found
  }

  /// Writes new and changed albums. `trackLinks` are the rows of tracks that were found again, by their new ids;
  /// `displaced` are the rows of tracks whose ids now belong to others.
  func writeAlbums(_ changes: StagedChanges, trackLinks: [String: Int64], displaced: [Int64]) throws {
    knownAlbums = [:]
    let own = Dictionary(changes.changed.map { ($0.native, $0.row) }) { $1 }
    var rows = own
    let followed = trackLinks.isEmpty ? [] : try followTracks(changes, trackLinks, &rows)
    let displaced = Set(displaced)
    let reused = try changes.changed.map(\.native).filter { native in
      guard let row = rows[native] else { return true }
      guard row == own[native], !followed.contains(native) else { return false }
      return try !isSame(native, row, displaced: displaced)
    }
    for native in reused { rows[native] = nil }
    try linkAlone(changes.new + reused, &rows)
    // The old ids are replaced by temporary ones first, as two albums may have swapped ids and each id is unique.
    for (native, row) in rows {
      try transaction.execute(
        "UPDATE albums SET key = '~' || id WHERE source = ? AND id = ? AND key <> ?", source, row, native)
    }
    let natives = changes.natives
    for native in natives {
      try transaction.execute(
        "UPDATE albums SET key = '~' || id WHERE source = ? AND key = ? AND id IS NOT ?", source, native, rows[native])
    }
    for native in natives {
      try checkStop()
      guard let (album, digest) = try record(ServerAlbum.self, .album, native) else { continue }
      try write(album, digest, row: rows[native])
    }
  }

  func mergeKey(of album: ServerAlbum) -> String {
    // Albums without a title are never merged with others.
    guard !album.title.trimmed.isEmpty else { return "untitled|\(source)|\(album.native)" }
    return CatalogueWriter.mergeKey(artist: artist(of: album), title: album.title, year: album.year)
  }

  private func artist(of album: ServerAlbum) -> String {
    if VariousArtists.isMeant(by: album.artist) { return VariousArtists.name }
    return album.artist.trimmed.isEmpty ? VariousArtists.unknown : album.artist
  }

  private func write(_ album: ServerAlbum, _ digest: Int64, row: Int64?) throws {
    let key = mergeKey(of: album)
    let number = row ?? writer.numbers.next(.album)
    var album = album
    album.artist = artist(of: album)
    if album.title.trimmed.isEmpty { album.title = VariousArtists.unknownAlbum }
    album.titleSort = SortKey.of(album.titleSort ?? album.title)
    album.artistSort = SortKey.of(album.artistSort ?? album.artist)
    album.addedAt = try arrival(album, row)
    if let row, let former = try writer.leave(row, for: album, key: key), former.isRenamed {
      if former.artist != album.artist {
        try transaction.execute(
          "UPDATE tracks SET artist = ? WHERE album = ? AND artist = ?", Self.trackArtist(nil, album.artist), row,
          Self.trackArtist(nil, former.artist))
      }
      try renameIdentities(of: row, artist: album.artist, title: album.title)
    }
    try writer.write(album, key: key, as: number, digest: digest)
    touchedAlbums.insert(number)
    outcome.isChanged = true
  }

  private func arrival(_ album: ServerAlbum, _ row: Int64?) throws -> Timestamp {
    if let added = album.addedAt { return added }
    return try transaction.value("SELECT arrived_at FROM albums WHERE id = ?", row) ?? now
  }

  /// Updates the identities of an album's tracks, which include the names of the album.
  private func renameIdentities(of album: Int64, artist: String, title: String) throws {
    let tracks = try transaction.rows("SELECT id, disc, number, title, identity FROM tracks WHERE album = ?", album) {
      row in
      (
        id: try row.value(0) as Int64, before: try row.value(4) as Int64,
        identity: TrackIdentity(
          artist: artist, album: title, disc: try row.value(1), number: try row.value(2), title: try row.value(3))
      )
    }
    for track in tracks {
      writer.ratings.remember(track: track.id, track.before)
      try transaction.execute("UPDATE tracks SET identity = ? WHERE id = ?", track.identity.hash64, track.id)
    }
  }
}
