import Catalogue
import Messages
import Model
import Records
import Storage

/// Sessions: the listenings of albums, made from the counted listens.
enum NoteSessions {
  /// The longest pause between the starts of two tracks of one session, beyond the time that the first takes.
  private static let longestPause = Milliseconds(6 * 3_600_000)
  /// The most listens of a session.
  static let mostListens = 200

  private struct Listen {
    var id: ListenID
    var track: Int64?
    var start: Timestamp
    var heard: Milliseconds
    var isOfAlbum: Bool
  }

  static func missing(_ id: PlayableID) -> LunaraError {
    LunaraError(
      "library.noSession",
      "No listen of \(id) has counted yet, so there is no session to write about. A note on the album itself needs none."
    )
  }

  /// Returns the album that a session's note is about. Throws `library.noSession` for an artist.
  static func album(of item: CatalogueID, _ id: PlayableID, _ transaction: ReadTransaction) throws -> CatalogueID {
    if item.kind == .album { return item }
    guard item.kind == .track,
      let album: Int64 = try transaction.value("SELECT shelf FROM tracks WHERE id = ?", item.number)
    else { throw missing(id) }
    return CatalogueID(.album, album)
  }

  /// Returns the last session of an album: the counted listens of its tracks in one room that follow each other without
  /// other music between, each track once; nil if none has counted.
  static func last(
    of album: Int64, in room: RoomName?, before now: Timestamp, _ transaction: ReadTransaction
  ) throws -> Library.NoteSession? {
    guard let id: AlbumID = try transaction.value("SELECT source || ':a' || id FROM albums WHERE id = ?", album),
      let tracks = try PlayScope(Library.PlayFilter(album: id), transaction).tracks
    else { return nil }
    let last = try transaction.row(
      """
      SELECT l.room, l.started_at FROM listens l WHERE l.outcome = \(ListenOutcome.counted.rawValue)
        AND l.track IN (\(tracks)) AND (?2 IS NULL OR l.room = ?2) AND l.started_at <= ?3
      ORDER BY l.started_at DESC, l.id DESC LIMIT 1
      """, album, room, now
    ) { (room: try $0.value(0) as RoomName, start: try $0.value(1) as Timestamp) }
    guard let last else { return nil }
    let listens = try transaction.rows(
      """
      SELECT l.listen, h.number, l.started_at, l.heard, l.track IN (\(tracks)) FROM listens l
      JOIN listen_tracks h ON h.id = l.track
      WHERE l.outcome = \(ListenOutcome.counted.rawValue) AND l.room = ?2 AND l.started_at <= ?3
      ORDER BY l.started_at DESC, l.id DESC LIMIT \(mostListens)
      """, album, last.room, last.start
    ) { row in
      Listen(
        id: try row.value(0), track: try row.value(1), start: try row.value(2), heard: try row.value(3),
        isOfAlbum: try row.value(4))
    }
    return session(of: listens, in: last.room)
  }

  /// Returns the session that ends with the first of these listens, of which each is before the one before it.
  private static func session(of listens: [Listen], in room: RoomName) -> Library.NoteSession? {
    var session: [Listen] = []
    var tracks: Set<Int64> = []
    for listen in listens {
      guard listen.isOfAlbum else { break }
      if let track = listen.track, !tracks.insert(track).inserted { break }
      if let later = session.last, later.start - listen.start > listen.heard + longestPause { break }
      session.append(listen)
    }
    guard let first = session.last, let last = session.first else { return nil }
    return Library.NoteSession(
      room: room, from: first.start, to: Timestamp(microseconds: last.start.microseconds + last.heard.rawValue * 1000),
      listens: session.reversed().map(\.id))
  }
}
