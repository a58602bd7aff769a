import Messages
import Model
import MusicTags
import Records
import Storage
import Text

/// Writes a server's tracks, and the values of albums that come from their tracks.
extension ServerReconciliation {
  /// Returns the artist that is shown for a track; never "Various Artists".
  static func trackArtist(_ own: String?, _ albumArtist: String) -> String {
    if let own, !own.trimmed.isEmpty, !VariousArtists.isMeant(by: own) { return own }
    return albumArtist == VariousArtists.name ? VariousArtists.unknown : albumArtist
  }

  /// Returns the credits of a track: its own artist, where that is not the album's.
  private static func details(of track: ServerTrack, on albumArtist: String) -> TaggedDetails {
    guard let own = track.artist, ArtistRows.key(of: own) != ArtistRows.key(of: albumArtist) else {
      return TaggedDetails()
    }
    let artists = TaggedArtist.artists(ArtistTags(shown: [own].filter { !$0.trimmed.isEmpty }), .default)
    return TaggedDetails(credits: artists.map { TaggedCredit(artist: $0, role: .artist) })
  }

  func writeTracks(_ changes: StagedChanges) throws {
    // The old ids are cleared first, as two tracks may have swapped ids and each id is unique.
    for row in changes.displaced {
      try transaction.execute("UPDATE tracks SET native = NULL WHERE id = ?", row)
    }
    for (native, row) in changes.changed {
      try transaction.execute("UPDATE tracks SET native = NULL WHERE id = ? AND native <> ?", row, native)
    }
    for (native, row) in changes.changed where try write(native, row: row) { outcome.changed += 1 }
    for native in changes.new where try write(native, row: nil) { outcome.new += 1 }
    outcome.isChanged = outcome.isChanged || outcome.changed + outcome.new > 0
  }

  private func write(_ native: String, row: Int64?) throws -> Bool {
    try checkStop()
    guard let (track, digest) = try record(ServerTrack.self, .track, native) else { return false }
    guard let album = try album(track.album) else {
      orphans += 1
      return false
    }
    var duration = track.duration
    if let row {
      let before = try transaction.row("SELECT album, duration FROM tracks WHERE id = ?", row) {
        (album: try $0.value(0) as Int64, duration: try $0.value(1) as Milliseconds)
      }
      if let before, before.album != album.number { touchedAlbums.insert(before.album) }
      // A room may have learned a length that the server does not know.
      if let before, duration <= .zero { duration = before.duration }
    }
    let title = track.title.trimmed.isEmpty ? "Track \(track.number.map(String.init) ?? native)" : track.title
    var audio = track.audio
    // Some servers state 16 bits for lossy audio, which has no such number.
    if !track.isLossless { audio.bitDepth = nil }
    let source = SourceTrack(
      album: album.number, title: title, titleSort: SortKey.of(track.titleSort ?? title),
      artist: Self.trackArtist(track.artist, album.artist), disc: track.disc, number: track.number, year: track.year,
      genres: track.genres, moods: track.moods, duration: duration, recording: track.recordingID,
      ids: track.ids, format: track.format, isLossless: track.isLossless, audio: audio, levels: track.levels,
      identity: Self.identity(of: track, album.artist, album.title),
      details: Self.details(of: track, on: album.artist), addedAt: track.addedAt ?? now,
      server: .init(
        native: native, guid: track.guid, file: track.file, part: track.part, section: track.section, digest: digest,
        rating: track.rating, plays: track.counts?.plays, listeners: track.counts?.listeners,
        heardAt: track.lastPlayedAt ?? Timestamp(microseconds: 0)))
    try writer.write(source, as: row ?? writer.numbers.next(.track), isNew: row == nil)
    touchedAlbums.insert(album.number)
    return true
  }

  /// Updates albums after their tracks were written: deletes albums without tracks, and adds the genres and moods of
  /// tracks to the others.
  func finishAlbums() throws {
    if reading.isComplete || !touchedAlbums.isEmpty {
      let empty = try transaction.rows(
        "SELECT id FROM albums a WHERE source = ? AND NOT EXISTS (SELECT 1 FROM tracks WHERE album = a.id)", source
      ) { try $0.value(0) as Int64 }
      for album in empty {
        try writer.delete(album: album)
        touchedAlbums.remove(album)
      }
    }
    for album in touchedAlbums.sorted() {
      let key = try transaction.row("SELECT merge_key FROM albums WHERE id = ?", album) { try $0.value(0) as String }
      guard let key else { continue }
      writer.touch(key)
      // Servers give the release id only for the album.
      try transaction.execute(
        """
        UPDATE tracks SET release = (SELECT release FROM albums WHERE id = ?1)
        WHERE album = ?1 AND release IS NOT (SELECT release FROM albums WHERE id = ?1)
        """, album)
      var (genres, moods): ([String], [String]) = ([], [])
      _ = try transaction.rows(
        """
        SELECT DISTINCT genres, moods FROM tracks WHERE album = ? AND (genres <> '' OR moods <> '')
        ORDER BY disc, ifnull(number, 1000000)
        """, album
      ) { row in
        genres += TextList.unpacked(try row.value(0))
        moods += TextList.unpacked(try row.value(1))
      }
      try AlbumTags.write(genres, .genre, of: album, isOfTracks: true, transaction)
      try AlbumTags.write(moods, .mood, of: album, isOfTracks: true, transaction)
    }
  }
}
