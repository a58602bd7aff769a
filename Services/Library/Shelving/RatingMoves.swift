import Model
import Storage

/// Has ratings that are kept here follow what they were given to where a tag is corrected: they are kept by names, to
/// outlive the rows, and a row may get other names.
///
/// All moves of a refresh are made at its end and at once, so that titles that change places change ratings as well.
struct RatingMoves {
  /// What is rated, by the names it had and those it has now.
  private struct Move {
    var kind: SearchIndex.Kind
    var before: Int64
    var after: Int64
    /// Whether other rows go by the old names still.
    var isLeft: Bool
  }

  private let transaction: Transaction
  private let isOfFolders: Bool
  /// Whether there are ratings of our own at all: mostly there are none, and nothing has to be noted.
  private let isNeeded: Bool
  /// What rows were known by before, by their numbers; artists by those of their albums.
  private var tracks: [Int64: Int64] = [:]
  private var albums: [Int64: String] = [:]
  private var artists: [Int64: Int64] = [:]
  /// Where the tracks of albums went, by the number of the album they left.
  private var heirs: [Int64: Int64] = [:]

  init(source: String, _ transaction: Transaction) throws {
    self.transaction = transaction
    isOfFolders = source == FilesSource.name
    isNeeded = try transaction.row("SELECT 1 FROM ratings LIMIT 1") { try $0.value(0) as Int } != nil
  }

  /// Notes that a track's row may get another identity than this one.
  mutating func leave(track number: Int64, _ identity: Int64) {
    if isNeeded, tracks[number] == nil { tracks[number] = identity }
  }

  /// Notes that an album's row may get another key than this one, or another artist.
  mutating func leave(album number: Int64, _ key: String, artist: Int64) {
    guard isNeeded else { return }
    if albums[number] == nil { albums[number] = key }
    if artists[number] == nil { artists[number] = artist }
  }

  /// Notes that a track has left an album for another: where it was the last one, what the album was rated goes along.
  mutating func follow(album number: Int64, to heir: Int64) throws {
    guard isNeeded else { return }
    heirs[number] = heir
    guard albums[number] == nil else { return }
    let row = try transaction.row("SELECT merge_key, artist_id FROM albums WHERE id = ?", number) { row in
      (key: try row.value(0) as String, artist: try row.value(1) as Int64)
    }
    if let row { leave(album: number, row.key, artist: row.artist) }
  }

  /// Moves them, before what is shown is put together.
  mutating func finish() throws {
    guard isNeeded else { return }
    // A server's row does not take what others are rated by: it has ratings of its own.
    let moves = try (trackMoves() + albumMoves() + artistMoves()).filter { !$0.isLeft || isOfFolders }
    let ratings = try moves.map { move in
      try transaction.row(
        "SELECT rating, rated_at FROM ratings WHERE kind = ? AND identity = ?", move.kind.rawValue, move.before
      ) { (rating: try $0.value(0) as Rating, at: try $0.value(1) as Timestamp) }
    }
    for move in moves where !move.isLeft {
      try transaction.execute(
        "DELETE FROM ratings WHERE kind = ? AND identity = ?", move.kind.rawValue, move.before)
    }
    for (move, rating) in zip(moves, ratings) {
      guard let rating else { continue }
      // What others of the new names were rated stays.
      try transaction.execute(
        "INSERT OR IGNORE INTO ratings (kind, identity, rating, rated_at) VALUES (?, ?, ?, ?)", move.kind.rawValue,
        move.after, rating.rating, rating.at)
    }
    (tracks, albums, artists, heirs) = ([:], [:], [:], [:])
  }

  private func numbers(_ sql: String, _ value: any SQLBindable) throws -> [Int64] {
    try transaction.rows(sql, value) { try $0.value(0) as Int64 }
  }

  private func trackMoves() throws -> [Move] {
    try tracks.sorted { $0.key < $1.key }.compactMap { number, before in
      guard let after = try numbers("SELECT identity FROM tracks WHERE id = ?", number).first, after != before else {
        return nil
      }
      let users = try numbers("SELECT id FROM tracks WHERE identity = ?", before)
      return Move(
        kind: .track, before: before, after: after, isLeft: users.contains { (tracks[$0] ?? before) == before })
    }
  }

  /// The row that an album is now: its own, or that of the album which the last of its tracks went to.
  private func row(of album: Int64) throws -> Int64 {
    guard let heir = heirs[album], try numbers("SELECT id FROM albums WHERE id = ?", album).isEmpty else {
      return album
    }
    return heir
  }

  private func albumMoves() throws -> [Move] {
    try albums.sorted { $0.key < $1.key }.compactMap { number, before in
      let after = try transaction.row("SELECT merge_key FROM albums WHERE id = ?", try row(of: number)) { row in
        try row.value(0) as String
      }
      guard let after, after != before else { return nil }
      let users = try numbers("SELECT id FROM albums WHERE merge_key = ?", before)
      return Move(
        kind: .album, before: contentHash(of: before.utf8), after: contentHash(of: after.utf8),
        isLeft: users.contains { (albums[$0] ?? before) == before })
    }
  }

  /// An artist whose last album has another artist now is that one: whoever has albums left stays who it was.
  private func artistMoves() throws -> [Move] {
    try artists.sorted { $0.key < $1.key }.compactMap { album, before in
      guard let after = try numbers("SELECT artist_id FROM albums WHERE id = ?", row(of: album)).first,
        after != before,
        try numbers("SELECT id FROM albums WHERE artist_id = ? LIMIT 1", before).isEmpty
      else { return nil }
      let keys = try [before, after].compactMap { number in
        try transaction.row("SELECT key FROM artists WHERE id = ?", number) { try $0.value(0) as String }
      }
      guard keys.count == 2 else { return nil }
      return Move(
        kind: .artist, before: contentHash(of: keys[0].utf8), after: contentHash(of: keys[1].utf8), isLeft: false)
    }
  }
}
