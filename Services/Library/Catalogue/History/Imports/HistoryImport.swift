import Digests
package import Messages
package import Model
package import Storage

/// Adds listens of other programs and services to the history.
///
/// A listen that is known already, from here or from another import, changes nothing, so that an import that was
/// interrupted is simply run again. No fact is written: neither scrobbles nor the plays of servers come of it.
package struct HistoryImport {
  /// The most listens of a request.
  static let limit = 500

  static let migration = Migration(
    "catalogue-listen-imports-34",
    // `imported_by` is the number of the import that added a listen; NULL for a listen of a room. A track of listens
    // that is only described has its title and artist in the forms by which it is looked for: the key by which titles
    // are sorted, and the key of `artist_names`.
    "ALTER TABLE listens ADD COLUMN imported_by INTEGER",
    "CREATE INDEX listens_of_import ON listens (imported_by, track) WHERE imported_by IS NOT NULL",
    "ALTER TABLE listen_tracks ADD COLUMN title_key TEXT", "ALTER TABLE listen_tracks ADD COLUMN artist_key TEXT",
    "CREATE INDEX listen_tracks_described ON listen_tracks (title_key) WHERE title_key IS NOT NULL",
    "CREATE INDEX listen_tracks_by_artist ON listen_tracks (artist_key, album) WHERE artist_key IS NOT NULL",
    "CREATE TABLE listen_imports (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, imported_at INTEGER NOT NULL)",
    // The times when tracks were last played before an import made them later, so that they can be given back.
    "CREATE TABLE heard_before_imports (track INTEGER PRIMARY KEY, heard_at INTEGER NOT NULL)")

  let transaction: Transaction
  private let tracks: DescribedListenTracks
  private let doubles: ListenDoubles

  private init(_ transaction: Transaction) {
    self.transaction = transaction
    tracks = DescribedListenTracks(transaction)
    doubles = ListenDoubles(transaction)
  }

  /// Adds the listens of one part of an import. Throws `library.badListen`, and nothing is added.
  package static func add(
    _ request: Library.ImportListens, at now: Timestamp, _ transaction: Transaction
  ) throws -> Scrobble.Imported {
    guard request.listens.count <= limit else { throw bad("more than \(limit) came at once") }
    guard (1...100).contains(request.name.utf8.count) else { throw bad("the import has no name, or a long one") }
    for listen in request.listens { try check(listen, at: now) }
    return try HistoryImport(transaction).add(request.listens, of: request.name, at: now)
  }

  private func add(
    _ listens: [Scrobble.ImportedListen], of name: String, at now: Timestamp
  ) throws -> Scrobble.Imported {
    let described = listens.map(\.track)
    let rows = try tracks.rows(of: described)
    var answer = Scrobble.Imported(added: 0, known: 0)
    var number: Int64?
    var heard: [Int64: Timestamp] = [:]
    for (listen, track) in zip(listens, described) {
      guard let row = rows[track.id], try !isKnown(listen, track, row) else {
        answer.known += 1
        continue
      }
      let own = try number ?? self.number(of: name, at: now)
      number = own
      let duration = listen.length ?? row.duration ?? .zero
      try transaction.execute(
        """
        INSERT INTO listens (listen, track, room, started_at, day, heard, outcome, counted_at, imported_by)
        VALUES (?1, ?2, ?3, ?4, \(History.day("?4")), ?5, ?6, ?4, ?7)
        """, try listen.id, row.id, RoomName.elsewhere, listen.startedAt, duration, ListenOutcome.counted, own)
      answer.added += 1
      if let shown = row.shown { heard[shown] = max(heard[shown] ?? listen.startedAt, listen.startedAt) }
    }
    for (track, time) in heard { try HeardTimes.raise(of: track, to: time, transaction) }
    return answer
  }

  private func isKnown(
    _ listen: Scrobble.ImportedListen, _ track: Track, _ row: DescribedListenTracks.Row
  ) throws -> Bool {
    let known: Int? = try transaction.value("SELECT 1 FROM listens WHERE listen = ?", try listen.id)
    return try known != nil
      || doubles.find(at: listen.startedAt, .init(row: row.id, shown: row.shown, track: track)) != nil
  }

  /// Returns the number of the import of a name, which has a row from its first listen on.
  private func number(of name: String, at now: Timestamp) throws -> Int64 {
    if let known: Int64 = try transaction.value("SELECT id FROM listen_imports WHERE name = ?", name) { return known }
    try transaction.execute("INSERT INTO listen_imports (name, imported_at) VALUES (?, ?)", name, now)
    return transaction.lastInsertedRowID
  }

  private static func check(_ listen: Scrobble.ImportedListen, at now: Timestamp) throws {
    let problems = [
      (listen.title.isEmpty, "no title"), (listen.artist.isEmpty, "no artist"),
      (listen.startedAt <= Timestamp(seconds: 0), "no time"),
      (now - listen.startedAt <= Milliseconds(-86_400_000), "a time in the future"),
    ]
    guard let (_, problem) = problems.first(where: \.0) else { return }
    throw bad("\(listen.title.isEmpty ? "one" : "“\(listen.title.prefix(80))”") has \(problem)")
  }

  private static func bad(_ problem: String) -> LunaraError {
    LunaraError("library.badListen", "Listens cannot be imported: \(problem). Correct the file, or leave that out.")
  }
}

extension Scrobble.ImportedListen {
  /// The id of the listen: its own, or one that follows from its time, artist and title.
  fileprivate var id: ListenID {
    get throws {
      try listen ?? ListenID(rawValue: "import-\(MD5.hex("\(startedAt.seconds)\u{0}\(artist)\u{0}\(title)"))")
    }
  }

  /// The length; nil if no track can have it.
  fileprivate var length: Milliseconds? {
    duration.flatMap { (Milliseconds(1)...Milliseconds(86_400_000)).contains($0) ? $0 : nil }
  }

  /// The track as it is described. Its album artist is the artist where none is named.
  fileprivate var track: Track {
    var track = DescribedTrack(
      title: title, artist: artist, album: album, duration: length, recordingID: recordingID
    ).track
    if let albumArtist, !albumArtist.isEmpty { track.albumArtist = albumArtist }
    track.number = number
    track.releaseID = releaseID
    return track
  }
}
