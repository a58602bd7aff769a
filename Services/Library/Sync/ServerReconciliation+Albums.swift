import Messages
import Model
import Storage
import Text

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

  /// Writes what is new and different. `trackLinks` are tracks that were found again under other ids.
  /// `displaced` are tracks whose ids name others now.
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
    // First out of each other's way: ids may have changed places.
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

  /// Keeps the albums of tracks that were found again, and returns the server's ids of those albums.
  private func followTracks(
    _ changes: StagedChanges, _ links: [String: Int64], _ rows: inout [String: Int64]
  ) throws -> Set<String> {
    var votes: [String: [Int64: Int]] = [:]
    for (native, row) in links {
      guard let track = try record(ServerTrack.self, .track, native)?.record else { continue }
      let album = try transaction.row("SELECT album FROM tracks WHERE id = ?", row) { try $0.value(0) as Int64 }
      guard let album, try !isStillThere(album) else { continue }
      votes[track.album, default: [:]][album, default: 0] += 1
    }
    var taken: Set<Int64> = []
    for native in votes.keys.sorted(by: StagedChanges.isBefore) {
      // An unchanged album stays what it is, even if tracks of another album joined it.
      if let own = rows[native], try isStillThere(own) { continue }
      let best = votes[native]?.filter { !taken.contains($0.key) }.max { ($0.value, $1.key) < ($1.value, $0.key) }
      rows[native] = best?.key
      if let best { taken.insert(best.key) }
    }
    // A row that was given to another album is no longer that of its old id.
    for (native, row) in rows where taken.contains(row) && votes[native]?[row] == nil { rows[native] = nil }
    return Set(votes.keys.filter { rows[$0] != nil })
  }

  /// Returns true if the server has an album as before, at the id it had.
  private func isStillThere(_ row: Int64) throws -> Bool {
    let known = try transaction.row("SELECT key, merge_key, guid FROM albums WHERE id = ?", row) { row in
      (native: try row.value(0) as String, key: try row.value(1) as String, guid: try row.value(2) as String?)
    }
    guard let known else { return false }
    guard let album = try record(ServerAlbum.self, .album, known.native)?.record else { return reading.scope == .delta }
    return mergeKey(of: album) == known.key || (Self.isGlobal(album.guid) && album.guid == known.guid)
  }

  /// Returns true if a record under a known id is that of the row, and not another album that was given the id: it has
  /// the name, the guid or a track of it.
  private func isSame(_ native: String, _ row: Int64, displaced: Set<Int64>) throws -> Bool {
    if try isStillThere(row) { return true }
    let tracks = try transaction.rows("SELECT id, native FROM tracks WHERE album = ?", row) { row in
      (row: try row.value(0) as Int64, native: try row.value(1) as String?)
    }
    return try tracks.contains { track in
      guard let id = track.native, !displaced.contains(track.row) else { return false }
      // A delta says nothing of tracks that stayed what they were.
      guard let staged = try record(ServerTrack.self, .track, id)?.record else { return reading.scope == .delta }
      return staged.album == native
    }
  }

  /// Albums that are new, and have the guid or the name of one that the server no longer has.
  private func linkAlone(_ new: [String], _ rows: inout [String: Int64]) throws {
    guard !new.isEmpty, reading.scope == .everything else { return }
    var taken = Set(rows.values)
    let lost = try transaction.rows(
      """
      SELECT id, guid, merge_key FROM albums a WHERE source = ? AND NOT EXISTS
        (SELECT 1 FROM staged s WHERE s.source = a.source AND s.kind = 2 AND s.native = a.key) ORDER BY id
      """, source
    ) { row in (row: try row.value(0) as Int64, guid: try row.value(1) as String?, key: try row.value(2) as String) }
    .filter { !taken.contains($0.row) }
    guard !lost.isEmpty else { return }
    let guids = Dictionary(lost.compactMap { row in row.guid.map { ($0, row.row) } }) { first, _ in first }
    let keys = Dictionary(lost.map { ($0.key, $0.row) }) { first, _ in first }
    for native in new where rows[native] == nil {
      guard let album = try record(ServerAlbum.self, .album, native)?.record else { continue }
      let guid = Self.isGlobal(album.guid) ? album.guid : nil
      guard let row = guid.flatMap({ guids[$0] }) ?? keys[mergeKey(of: album)], taken.insert(row).inserted else {
        continue
      }
      rows[native] = row
    }
  }

  private func mergeKey(of album: ServerAlbum) -> String {
    // A record without a title is no album of that name.
    guard !album.title.trimmed.isEmpty else { return "untitled|\(source)|\(album.native)" }
    return CatalogueWriter.mergeKey(artist: artist(of: album), title: album.title, year: album.year)
  }

  private func artist(of album: ServerAlbum) -> String {
    if VariousArtists.isMeant(by: album.artist) { return VariousArtists.name }
    return album.artist.trimmed.isEmpty ? VariousArtists.unknown : album.artist
  }

  private func write(_ album: ServerAlbum, _ digest: Int64, row: Int64?) throws {
    let key = mergeKey(of: album)
    let number = row ?? writer.numbers.nextAlbum()
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

  /// The names of an album are part of what its tracks are known by.
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
