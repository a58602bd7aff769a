import Messages
import Model
import Storage

/// The records of a server's music in one form for all kinds. Each record is staged as JSON until a refresh brings the
/// catalogue in line with it; texts are as the server spells them, normalised to NFC. `ServerAlbum` and `ServerTrack` stand
/// beside the rows that are written from them, in `AlbumRecord.swift` and `TrackRecord.swift`.

/// An artist as a server shows it.
struct ServerArtist: Codable, Hashable, Sendable {
  /// The server's own id.
  var native: String
  var name: String
  var sort: String?
  /// An id that stays when the server's library is rebuilt (`plex://artist/…`); nil where there is none.
  var guid: String?
  /// Its MusicBrainz id.
  var artistID: String?
  var summary: String?
  var genres: [String] = []
  /// Names its picture for `MusicServer.picture`; changes when the picture does.
  var art: String?
  var rating: Rating?
  var section: String?
}

/// A collection as a server shows it.
struct ServerCollection: Codable, Hashable, Sendable {
  var native: String
  var title: String
  var titleSort: String?
  var summary: String?
  var art: String?
  var section: String?
  /// The server's own ids of what it holds, in its order.
  var items: [String] = []
}

/// A playlist as a server shows it.
struct ServerPlaylist: Codable, Hashable, Sendable {
  var native: String
  var title: String
  var isSmart: Bool = false
  var art: String?
  /// The server's own ids of its tracks, in its order; one may come several times.
  var items: [String] = []
}

/// A library section as a server shows it.
struct ServerSection: Codable, Hashable, Sendable {
  var key: String
  var title: String
  /// True if its music is wanted where nobody has decided: audiobooks are not.
  var isOnByDefault: Bool
}

/// The table in which a reading stores a server's records until one transaction brings the catalogue in line with them.
/// It lies in the library's database, so that a hundred thousand tracks cost disk and not memory; what a reading that
/// was cut short left behind is cleared by the next one.
struct StagingTable: Sendable {
  /// The kinds of records, as the column `kind` has them.
  enum Kind: Int, Sendable, CaseIterable {
    case artist = 1
    case album, track, collection, playlist
    /// An id alone, of a reading that only asks what is there: the kind of item is in the body.
    case key
    /// A note that the lists of a kind, of a section where they belong to one, are staged whole.
    case whole
  }

  private let database: Database
  let source: String

  init(database: Database, source: String) {
    self.database = database
    self.source = source
  }

  /// Throws away what is staged for this source.
  func clear() async throws {
    let source = source
    try await database.write { try $0.execute("DELETE FROM staged WHERE source = ?", source) }
  }

  func add(_ artists: [ServerArtist]) async throws { try await add(artists, .artist) { $0.native } }
  func add(_ albums: [ServerAlbum]) async throws { try await add(albums, .album) { $0.native } }
  func add(_ tracks: [ServerTrack]) async throws { try await add(tracks, .track) { $0.native } }
  func add(_ collections: [ServerCollection]) async throws { try await add(collections, .collection) { $0.native } }
  func add(_ playlists: [ServerPlaylist]) async throws { try await add(playlists, .playlist) { $0.native } }

  /// Notes that these are there, without saying more of them.
  func add(keys natives: [String], of kind: Kind) async throws {
    let rows = natives.map { (native: "\(kind.rawValue):\($0)", body: [UInt8]()) }
    try await insert(rows, .key)
  }

  /// Notes that all collections of a section or all playlists are staged: what is not among them is gone.
  func add(whole kind: Kind, section: String = "") async throws {
    try await insert([(native: "\(kind.rawValue):\(section)", body: [])], .whole)
  }

  private func add<Record: Codable & Sendable>(
    _ records: [Record], _ kind: Kind, _ native: (Record) -> String
  ) async throws {
    // The same item may come twice where items shift between two pages: the later one counts.
    try await insert(try records.map { (native: native($0), body: Array(try MessageCoding.encode($0))) }, kind)
  }

  private func insert(_ rows: [(native: String, body: [UInt8])], _ kind: Kind) async throws {
    guard !rows.isEmpty else { return }
    let source = source
    try await database.write { transaction in
      for row in rows {
        try transaction.execute(
          "INSERT OR REPLACE INTO staged (source, kind, native, body) VALUES (?, ?, ?, ?)", source, kind.rawValue,
          row.native, row.body)
      }
    }
  }
}
