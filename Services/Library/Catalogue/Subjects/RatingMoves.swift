import Model
import Records
import Storage

/// Moves the ratings of the library itself, the counts of plays that were imported, and the entries of playlists, when
/// names change, as when a tag is corrected: they are stored by names, so that they outlive the rows.
///
/// All moves of a refresh are made together at its end, so that two tracks that swap titles swap ratings as well, which
/// is why ratings have no subjects: those stay with the rows.
struct RatingMoves {
  /// One rated item, by the names it had and those it has now.
  private struct Move {
    var kind: CatalogueID.Kind
    var before: Int64
    var after: Int64
    /// True where other rows still have the old names.
    var isLeft: Bool
  }

  private let transaction: Transaction
  private let isOfFolders: Bool
  /// True where the library has ratings, imported counts, playlists of its own, or subjects; mostly it has none, and
  /// nothing has to be remembered.
  private let isNeeded: Bool
  /// The former identity of each track, key of each album, and artist of each album, by the number of the track or
  /// album.
  private var tracks: [Int64: Int64] = [:]
  private var albums: [Int64: String] = [:]
  private var artists: [Int64: Int64] = [:]
  /// The albums that tracks were moved to, by the number of the album that they left.
  private(set) var successors: [Int64: Int64] = [:]

  init(source: String, _ transaction: Transaction) throws {
    self.transaction = transaction
    isOfFolders = source == MusicFolders.source
    isNeeded =
      try transaction.value(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM ratings) OR EXISTS (SELECT 1 FROM imported_plays)
          OR EXISTS (SELECT 1 FROM playlist_entries WHERE identity IS NOT NULL) OR EXISTS (SELECT 1 FROM subjects)
        """) as Int? != nil
  }

  /// Remembers the identity of a track whose row may get another one.
  mutating func remember(track number: Int64, _ identity: Int64) {
    if isNeeded, tracks[number] == nil { tracks[number] = identity }
  }

  /// Remembers the key and artist of an album whose row may get others.
  mutating func remember(album number: Int64, _ key: String, artist: Int64) {
    guard isNeeded else { return }
    if albums[number] == nil { albums[number] = key }
    if artists[number] == nil { artists[number] = artist }
  }

  /// Remembers the key of an album that was deleted and comes back.
  mutating func remember(album number: Int64, _ key: String) {
    if isNeeded, albums[number] == nil { albums[number] = key }
  }

  /// Remembers that a track was moved from one album to another: if it was the last track, the album's rating moves
  /// too.
  mutating func follow(album number: Int64, to successor: Int64) throws {
    guard isNeeded else { return }
    successors[number] = successor
    guard albums[number] == nil else { return }
    let row = try transaction.row("SELECT merge_key, artist_id FROM albums WHERE id = ?", number) { row in
      (key: try row.value(0) as String, artist: try row.value(1) as Int64)
    }
    if let row { remember(album: number, row.key, artist: row.artist) }
  }

  /// Moves the ratings; called before albums are merged.
  mutating func finish() throws {
    guard isNeeded else { return }
    // The rows of a server never take over the ratings of other rows: a server has ratings of its own.
    let moves = try (trackMoves() + albumMoves() + artistMoves()).filter { !$0.isLeft || isOfFolders }
    let ratings = try moves.map { move in
      try transaction.row(
        "SELECT rating, rated_at FROM ratings WHERE kind = ? AND identity = ?", move.kind, move.before
      ) { (rating: try $0.value(0) as Rating, at: try $0.value(1) as Timestamp) }
    }
    for move in moves where !move.isLeft {
      try transaction.execute(
        "DELETE FROM ratings WHERE kind = ? AND identity = ?", move.kind, move.before)
    }
    for (move, rating) in zip(moves, ratings) {
      guard let rating else { continue }
      // If there is a rating under the new names already, it stays.
      try transaction.execute(
        "INSERT OR IGNORE INTO ratings (kind, identity, rating, rated_at) VALUES (?, ?, ?, ?)", move.kind,
        move.after, rating.rating, rating.at)
    }
    try movePlays(moves.filter { $0.kind == .track })
    try moveEntries(moves.filter { $0.kind == .track && !$0.isLeft })
    tracks = [:]
    albums = [:]
    artists = [:]
    successors = [:]
  }

  /// Moves the imported counts of plays of tracks. Where there is one under the new names already, the higher one
  /// stays.
  private func movePlays(_ moves: [Move]) throws {
    let counts = try moves.map { move in
      try transaction.row("SELECT plays, imported_at FROM imported_plays WHERE identity = ?", move.before) {
        (plays: try $0.value(0) as Int64, at: try $0.value(1) as Timestamp)
      }
    }
    for move in moves where !move.isLeft {
      try transaction.execute("DELETE FROM imported_plays WHERE identity = ?", move.before)
    }
    for (move, count) in zip(moves, counts) {
      guard let count else { continue }
      try transaction.execute(
        """
        INSERT INTO imported_plays (identity, plays, imported_at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET plays = excluded.plays, imported_at = excluded.imported_at
          WHERE excluded.plays > imported_plays.plays
        """, move.after, count.plays, count.at)
    }
  }

  /// Moves the entries of playlists. An entry has the number of its track as well, which comes first; so where other
  /// rows still have the former names, it can keep them.
  private func moveEntries(_ moves: [Move]) throws {
    let entries: [[Int64]] = try moves.map {
      try transaction.values("SELECT id FROM playlist_entries WHERE identity = ?", $0.before)
    }
    for (move, entries) in zip(moves, entries) {
      for entry in entries {
        try transaction.execute("UPDATE playlist_entries SET identity = ? WHERE id = ?", move.after, entry)
      }
    }
  }

  /// Returns the moves of rows whose names changed. `former` has the names before, `now` returns those of a row now,
  /// and the query `users` finds all rows that have some names.
  private func moves<Names: Equatable & SQLReadable & SQLBindable>(
    _ kind: CatalogueID.Kind, _ former: [Int64: Names], now: (Int64) throws -> Names?, users: String,
    identity: (Names) -> Int64
  ) throws -> [Move] {
    try former.sorted { $0.key < $1.key }.compactMap { number, before in
      guard let after = try now(number), after != before else { return nil }
      let users: [Int64] = try transaction.values(users, before)
      return Move(
        kind: kind, before: identity(before), after: identity(after),
        isLeft: users.contains { (former[$0] ?? before) == before })
    }
  }

  private func trackMoves() throws -> [Move] {
    try moves(
      .track, tracks, now: { try transaction.value("SELECT identity FROM tracks WHERE id = ?", $0) },
      users: "SELECT id FROM tracks WHERE identity = ?", identity: { $0 })
  }

  private func albumMoves() throws -> [Move] {
    try moves(
      .album, albums, now: { try transaction.value("SELECT merge_key FROM albums WHERE id = ?", try row(of: $0)) },
      users: "SELECT id FROM albums WHERE merge_key = ?", identity: { contentHash(of: $0.utf8) })
  }

  /// Returns the row of an album: its own, or that of the album which the last of its tracks was moved to.
  private func row(of album: Int64) throws -> Int64 {
    try transaction.value("SELECT id FROM albums WHERE id = ?", album) ?? successors[album] ?? album
  }

  /// Returns the moves of artists whose last album now has another artist.
  private func artistMoves() throws -> [Move] {
    try artists.sorted { $0.key < $1.key }.compactMap { album, before in
      let keys: [String] = try transaction.values(
        """
        SELECT r.key FROM albums a JOIN artists r ON r.id IN (?1, a.artist_id) WHERE a.id = ?2 AND a.artist_id <> ?1
          AND NOT EXISTS (SELECT 1 FROM albums WHERE artist_id = ?1) ORDER BY r.id <> ?1
        """, before, try row(of: album))
      guard keys.count == 2 else { return nil }
      return Move(
        kind: .artist, before: contentHash(of: keys[0].utf8), after: contentHash(of: keys[1].utf8), isLeft: false)
    }
  }
}
