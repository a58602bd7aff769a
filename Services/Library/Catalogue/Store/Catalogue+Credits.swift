import Messages
import Model
import MusicTags
import Records
import Storage

/// The people and works of tracks as they are shown.
extension Catalogue {
  /// The id of an artist `r`.
  private static let artistID = "r.source || ':r' || r.id"

  /// The artists of a track `t`, as `artists(_:)` reads them: those that the track credits, else those of its
  /// album where they are several.
  static let artistsColumn = """
    ifnull((SELECT group_concat(one, char(30)) FROM (SELECT \(artistID) || char(31) || c.name AS one FROM credits c
      JOIN artists r ON r.id = c.artist WHERE c.track = t.id AND c.role = 0 ORDER BY c.place)),
    (SELECT nullif(group_concat(one, char(30)), '') FROM (SELECT \(artistID) || char(31) || x.name AS one
      FROM album_artists x JOIN artists r ON r.id = x.artist WHERE x.album = t.album
        AND EXISTS (SELECT 1 FROM album_artists WHERE album = t.album AND place = 1) ORDER BY x.place)))
    """

  /// The composers of a track `t` as one text.
  static let composerColumn = """
    (SELECT group_concat(name, ', ') FROM (SELECT name FROM credits WHERE track = t.id AND role = 2 ORDER BY place))
    """

  /// The work of a track `t`, as `work(_:)` reads it.
  static let workColumn = """
    (SELECT w.title || char(31) || ifnull(k.movement, '') || char(31) || ifnull(k.number, '') || char(31)
      || ifnull(k.total, '') || char(31) || ifnull(r.name, '') || char(31) || ifnull(\(artistID), '')
    FROM track_works k JOIN works w ON w.id = k.work LEFT JOIN artists r ON r.id = w.composer WHERE k.track = t.id)
    """

  private static func parts(_ text: String, _ separator: UInt8) -> [String] {
    text.utf8.split(separator: separator, omittingEmptySubsequences: false).map { String(Substring($0)) }
  }

  /// Returns the artists of a column; nil if it has none.
  static func artists(_ column: String) -> [ArtistName]? {
    let names = parts(column, 0x1E).compactMap { one -> ArtistName? in
      let fields = parts(one, 0x1F)
      return fields.count == 2 ? ArtistName(name: fields[1], id: ArtistID(fields[0])) : nil
    }
    return names.isEmpty ? nil : names
  }

  static func work(_ column: String) -> Work? {
    let fields = parts(column, 0x1F)
    guard fields.count == 6 else { return nil }
    return Work(
      title: fields[0], composer: fields[4].isEmpty ? nil : ArtistName(name: fields[4], id: ArtistID(fields[5])),
      movement: fields[1].isEmpty ? nil : fields[1], number: Int(fields[2]), total: Int(fields[3]))
  }

  /// Adds what the tags of a track say beside its row.
  static func withTags(
    _ detail: Library.TrackDetail, of number: Int64, _ transaction: ReadTransaction
  ) throws -> Library.TrackDetail {
    var detail = detail
    detail.guessed = try guesses(of: number, transaction)
    detail.credits = try credits(of: number, transaction)
    let packed: String? = try transaction.value("SELECT tags FROM files WHERE track = ?", number)
    guard let tags = packed.map(FileTags.init(packed:)) else { return detail }
    let facts = tags.facts(try tagRules(transaction))
    detail.facts = facts.isEmpty ? nil : facts
    let isInFile = tags.audio.hasLyrics || tags.audio.hasTimedLyrics
    detail.hasLyrics = try isInFile || hasLyricsBesideIt(number, transaction)
    return detail
  }

  /// Returns true if an LRC file lay beside the file of a track when its folder was listed.
  private static func hasLyricsBesideIt(_ track: Int64, _ transaction: ReadTransaction) throws -> Bool {
    let found = try transaction.row(
      """
      SELECT f.name, d.lyrics FROM files f JOIN folders d ON d.id = f.folder WHERE f.track = ? AND d.lyrics != x''
      """, track
    ) { (name: try $0.value(0) as [UInt8], lyrics: try $0.value(1) as [UInt8]) }
    guard let found else { return false }
    let stem = LyricsFile.stem(found.name)
    return found.lyrics.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(stem) }
  }

  private static let mostCreditsOfAlbum = 100

  /// Returns everybody who is credited on the tracks of an album otherwise than as an artist, by role; of each role
  /// those with the most tracks first.
  static func credits(ofAlbum album: Int64, _ transaction: ReadTransaction) throws -> [Library.AlbumCredit] {
    try transaction.rows(
      """
      SELECT c.role, min(c.name), \(artistID), c.instrument, count(DISTINCT c.track) FROM tracks t
      CROSS JOIN credits c ON c.track = t.id JOIN artists r ON r.id = c.artist
      WHERE t.shelf = ? AND c.role NOT IN (?, ?) GROUP BY c.role, c.artist, c.instrument
      ORDER BY c.role, count(DISTINCT c.track) DESC, min(t.disc * 1000 + ifnull(t.number, 0)), min(c.place), c.artist LIMIT ?
      """, album, CreditRole.artist.number, CreditRole.albumArtist.number, mostCreditsOfAlbum
    ) { row in
      let credit = Credit(
        role: CreditRole(number: try row.value(0)) ?? .unknown, name: try row.value(1), artist: try row.value(2),
        instrument: try row.value(3))
      return Library.AlbumCredit(credit: credit, tracks: try row.value(4))
    }
  }

  /// Returns everybody who is credited for a track, artists first. Artists whom only the album names are artists of the
  /// track.
  private static func credits(of track: Int64, _ transaction: ReadTransaction) throws -> [Credit] {
    let credits = try transaction.rows(
      """
      SELECT c.role, c.name, \(artistID), c.instrument FROM credits c JOIN artists r ON r.id = c.artist
      WHERE c.track = ? ORDER BY c.role, c.place
      """, track
    ) { row in
      Credit(
        role: CreditRole(number: try row.value(0)) ?? .unknown, name: try row.value(1), artist: try row.value(2),
        instrument: try row.value(3))
    }
    if credits.contains(where: { $0.role == .artist }) { return credits }
    let implied = try transaction.rows(
      """
      SELECT x.name, \(artistID) FROM tracks t JOIN album_artists x ON x.album = t.album JOIN artists r ON r.id = x.artist
      WHERE t.id = ? ORDER BY x.place
      """, track
    ) { Credit(role: .artist, name: try $0.value(0), artist: try $0.value(1)) }
    return implied.filter { !VariousArtists.isMeant(by: $0.name) } + credits
  }
}
