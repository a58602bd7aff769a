import Messages
import Model
import Storage
import Text

/// An album as a server shows it.
struct ServerAlbum: Codable, Hashable, Sendable {
  var native: String
  var title: String
  var titleSort: String?
  /// The album artist.
  var artist: String
  var artistSort: String?
  /// The server's own id of the album artist.
  var artistNative: String?
  var year: Int?
  var genres: [String] = []
  var moods: [String] = []
  var styles: [String] = []
  var guid: String?
  /// Its MusicBrainz release id.
  var releaseID: String?
  var art: String?
  var rating: Rating?
  /// The time at which the server added it; nil where it does not say.
  var addedAt: Timestamp?
  /// The time of the last play that the server counted; nil where there is none.
  var lastPlayedAt: Timestamp?
  var section: String?
}

/// An album as one source describes it, and the row it is written to.
///
/// A new column of albums is added in this file (from each kind of source to the row, and from the row to `Album`), in
/// `Schema.swift`, in `Album`, and where it is read: in `FileTags.swift` and in the `…Records.swift` of each server.
struct SourceAlbum {
  /// The source's own name of the album, unique within the source: a server's id, or for files the merge key.
  var key: String
  /// The key that albums of all sources share which are shown as one; see `CatalogueWriter.mergeKey`.
  var mergeKey: String
  var title: String
  var titleSort: String
  var artist: String
  var artistSort: String
  var year: Int?
  /// The native part of the cover's id.
  var art: String?
  /// The time at which the source took the album in.
  var addedAt: Timestamp
  var server: OfServer?

  /// The columns that only servers set.
  struct OfServer {
    var guid: String?
    var release: String?
    var section: String?
    var digest: Int64
    var rating: Rating?
    var heardAt: Timestamp
  }

  /// Describes an album that was gathered from files.
  init(_ album: AlbumGrouping.Album, art: ArtReference? = nil, addedAt: Timestamp) {
    (key, mergeKey) = (album.key, album.key)
    (title, titleSort) = (album.title, album.titleSort)
    (artist, artistSort) = (album.artist, album.artistSort)
    (year, self.art, self.addedAt) = (album.year, art?.native, addedAt)
  }

  /// Describes an album of a server, under the title and artist that it is shown with. `digest` is that of the record.
  init(
    _ album: ServerAlbum, title: String, artist: String, mergeKey: String, addedAt: Timestamp, digest: Int64
  ) {
    (key, self.mergeKey) = (album.native, mergeKey)
    (self.title, titleSort) = (title, SortKey.of(album.titleSort ?? title))
    (self.artist, artistSort) = (artist, SortKey.of(album.artistSort ?? artist))
    (year, art, self.addedAt) = (album.year, album.art, addedAt)
    server = OfServer(
      guid: album.guid, release: album.releaseID, section: album.section, digest: digest, rating: album.rating,
      heardAt: album.lastPlayedAt ?? Timestamp(microseconds: 0))
  }
}

extension CatalogueWriter {
  /// Writes an album's row, a new one or the one of this number. Of an album of files that has a row, picture and time of
  /// arrival stay.
  func write(_ album: SourceAlbum, as number: Int64) throws {
    typealias Column = (name: String, value: SQLValue)
    var columns: [Column] = [
      ("key", .text(album.key)), ("merge_key", .text(album.mergeKey)), ("title", .text(album.title)),
      ("title_sort", .text(album.titleSort)), ("artist", .text(album.artist)), ("artist_sort", .text(album.artistSort)),
      ("artist_id", .integer(try artist(album.artist, sort: album.artistSort))), ("year", SQLValue(album.year)),
    ]
    let arrival: [Column] = [("arrived_at", SQLValue(album.addedAt)), ("own_art", SQLValue(album.art))]
    if let server = album.server {
      let serverColumns: [Column] = [
        ("guid", SQLValue(server.guid)), ("release", SQLValue(server.release)), ("section", SQLValue(server.section)),
        ("digest", .integer(server.digest)), ("own_rating", SQLValue(server.rating)),
        ("heard_at", SQLValue(server.heardAt)),
      ]
      columns += arrival + serverColumns
    }
    let updated = columns.map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
    if album.server == nil { columns += arrival }
    let initial: [Column] = [
      ("id", .integer(number)), ("source", .text(source)), ("added_at", SQLValue(album.addedAt)),
    ]
    columns += initial
    try transaction.execute(
      """
      INSERT INTO albums (genres, tracks, duration, \(columns.map(\.name).joined(separator: ", ")))
      VALUES ('', 0, 0\(String(repeating: ", ?", count: columns.count))) ON CONFLICT (id) DO UPDATE SET \(updated)
      """, values: columns.map(\.value))
  }
}

/// An album as it is shown.
extension Catalogue {
  /// The columns of an album `a` that is shown, as `AlbumRow` reads them.
  static let albumColumns = """
    a.source, a.id, a.title, a.artist, a.artist_id, a.year, a.genres, a.tracks, a.duration, a.added_at, a.played_at,
    a.art, a.artist_sort, a.title_sort, a.year_order, a.rating, (SELECT source FROM artists WHERE id = a.artist_id),
    \(ArtIndex.paletteColumn)
    """

  /// An album with the values it is sorted by.
  struct AlbumRow {
    var album: Album
    var number: Int64
    var artistSort: String
    var titleSort: String
    var yearOrder: Int64
    var addedAt: Int64
    var playedAt: Int64

    /// Reads `albumColumns`.
    init(_ row: borrowing Row) throws {
      let source: String = try row.value(0)
      number = try row.value(1)
      addedAt = try row.value(9)
      playedAt = try row.value(10)
      artistSort = try row.value(12)
      titleSort = try row.value(13)
      yearOrder = try row.value(14)
      album = Album(
        id: CatalogueID.album(source: source, number), title: try row.value(2), artist: try row.value(3),
        artistID: CatalogueID.artist(source: try row.value(16), try row.value(4)), year: try row.value(5),
        genres: TextList.unpacked(try row.value(6)), trackCount: try row.value(7), duration: try row.value(8),
        addedAt: Timestamp(microseconds: addedAt),
        lastPlayedAt: playedAt > 0 ? Timestamp(microseconds: playedAt) : nil, art: try row.value(11),
        rating: try row.value(15), palette: ArtIndex.palette(try row.value(17)))
    }
  }
}

extension Album: SizedItem {
  var size: Int {
    genres.reduce(460) { $0 + PageBudget.size($1) + 1 } + PageBudget.size(title) + PageBudget.size(artist)
  }
}
