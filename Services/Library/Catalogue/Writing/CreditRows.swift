import Model
import MusicTags
import Records
import Storage

/// The rows of people in their roles, and of works. Rows that do not change are not written.
extension CatalogueWriter {
  private struct AlbumArtistRow: Equatable {
    var artist: Int64
    var name: String
  }

  private struct CreditRow: Equatable {
    var role: Int
    var artist: Int64
    var name: String
    var instrument: String?
  }

  /// Writes the artists of an album, in their order.
  func write(_ artists: [TaggedArtist], ofAlbum album: Int64, isNew: Bool) throws {
    let rows = try artists.map { AlbumArtistRow(artist: try number(of: $0), name: $0.name) }
    if !isNew {
      let before = try transaction.rows(
        "SELECT artist, name FROM album_artists WHERE album = ? ORDER BY place", album
      ) { AlbumArtistRow(artist: try $0.value(0), name: try $0.value(1)) }
      guard rows != before else { return }
      for row in before { self.artists.touch(row.artist) }
      try transaction.execute("DELETE FROM album_artists WHERE album = ?", album)
      // The same text may stand for other artists than before.
      try transaction.execute("UPDATE albums SET artist_id = ? WHERE id = ?", rows.first?.artist, album)
      try reindex(album: album, withTracks: false)
    }
    for (place, row) in rows.enumerated() {
      try transaction.execute(
        "INSERT INTO album_artists (album, place, artist, name) VALUES (?, ?, ?, ?)",
        values: [.integer(album), SQLValue(place), .integer(row.artist), .text(row.name)])
    }
  }

  /// Writes the credits and the work of a track. A new track without any of them costs no statement.
  func write(_ details: TaggedDetails, of track: Int64, isNew: Bool) throws {
    let rows = try details.credits.prefix(TaggedCredit.most).map { credit in
      CreditRow(
        role: credit.role.number ?? 0, artist: try number(of: credit.artist), name: credit.artist.name,
        instrument: credit.instrument)
    }.sorted { $0.role < $1.role }
    let areCreditsNew = try write(rows, of: track, isNew: isNew)
    let composer = details.credits.first { $0.role == .composer }
    let isWorkNew = try works.write(
      details.work, by: composer.map { ($0.artist.name, try number(of: $0.artist)) }, of: track, isNew: isNew)
    if !isNew, areCreditsNew || isWorkNew { reindex(track: track) }
  }

  private func write(_ rows: [CreditRow], of track: Int64, isNew: Bool) throws -> Bool {
    var composers: [String] = []
    if !isNew {
      let before = try transaction.rows(
        "SELECT role, artist, name, instrument FROM credits WHERE track = ? ORDER BY role, place", track
      ) {
        CreditRow(role: try $0.value(0), artist: try $0.value(1), name: try $0.value(2), instrument: try $0.value(3))
      }
      guard rows != before else { return false }
      for row in before { artists.touch(row.artist) }
      composers = before.filter { $0.role == Self.composer }.map(\.name)
      try transaction.execute("DELETE FROM credits WHERE track = ?", track)
    }
    // An album is found by the composers of its tracks.
    if rows.filter({ $0.role == Self.composer }).map(\.name) != composers { try reindexAlbum(of: track) }
    for (place, row) in rows.enumerated() {
      try transaction.execute(
        "INSERT INTO credits (track, role, place, artist, name, instrument) VALUES (?, ?, ?, ?, ?, ?)",
        values: [
          .integer(track), SQLValue(row.role), SQLValue(place), .integer(row.artist), .text(row.name),
          SQLValue(row.instrument),
        ])
    }
    return true
  }

  private static let composer = CreditRole.composer.number ?? 0

  private func reindexAlbum(of track: Int64) throws {
    let album: Int64? = try transaction.value("SELECT album FROM tracks WHERE id = ?", track)
    if let album { try reindex(album: album, withTracks: false) }
  }

  /// Deletes the rows of a track that is deleted, and marks the artists and the work that it names, and its album where
  /// that was found by its composer.
  func deleteDetails(of track: Int64) throws {
    let credited: [Int64] = try transaction.values("SELECT DISTINCT artist FROM credits WHERE track = ?", track)
    for artist in credited { artists.touch(artist) }
    if !credited.isEmpty {
      let isComposed: Bool? = try transaction.value(
        "SELECT 1 FROM credits WHERE track = ? AND role = ? LIMIT 1", track, Self.composer)
      if isComposed == true { try reindexAlbum(of: track) }
      try transaction.execute("DELETE FROM credits WHERE track = ?", track)
    }
    try works.delete(of: track)
  }

  /// Deletes the artist rows of a deleted album.
  func deleteArtists(ofAlbum album: Int64) throws {
    for artist: Int64 in try transaction.values("SELECT artist FROM album_artists WHERE album = ?", album) {
      artists.touch(artist)
    }
    try transaction.execute("DELETE FROM album_artists WHERE album = ?", album)
  }
}
