package import Messages
package import Model
package import Storage
import Text

/// A record of a server's music, in one form for all kinds of servers. It is staged as JSON until a refresh writes it
/// to the catalogue. Texts are as the server spells them, normalised to NFC.
package protocol ServerRecord: Codable, Hashable, Sendable {
  /// The server's own id.
  var native: String { get }
  /// The name by which people know it.
  var label: String { get }

  /// Removes values that cannot be right, and returns what these are called, such as `loudness`.
  mutating func removeImplausible() -> [String]
}

extension ServerAlbum: ServerRecord {
  package var label: String { title }
}

extension ServerTrack: ServerRecord {
  package var label: String { title }
}

package struct ServerArtist: ServerRecord {
  package var native: String
  package var name: String
  var sort: String?
  /// An id that stays when the server's library is rebuilt (`plex://artist/…`); nil where there is none.
  package var guid: String?
  package var artistID: String?
  package var summary: String?
  package var genres: [String] = []
  /// Names its picture for `MusicServer.picture`; changes when the picture does.
  package var art: String?
  package var rating: Rating?
  package var section: String?

  package init(
    native: String, name: String, sort: String? = nil, guid: String? = nil, artistID: String? = nil,
    summary: String? = nil, genres: [String] = [], art: String? = nil, rating: Rating? = nil, section: String? = nil
  ) {
    (self.native, self.name, self.sort, self.guid, self.artistID) = (native, name, sort, guid, artistID)
    (self.summary, self.genres, self.art, self.rating, self.section) = (summary, genres, art, rating, section)
  }

  package var label: String { name }
}

/// A collection or a playlist as a server shows it.
package struct ServerList: ServerRecord {
  package var native: String
  package var title: String
  package var titleSort: String?
  package var summary: String?
  package var isSmart = false
  package var art: String?
  package var section: String?
  /// The server's own ids of what it holds, in its order; a track may come several times in a playlist.
  package var items: [String] = []

  package init(
    native: String, title: String, titleSort: String? = nil, summary: String? = nil, isSmart: Bool = false,
    art: String? = nil, section: String? = nil, items: [String] = []
  ) {
    (self.native, self.title, self.titleSort, self.summary, self.isSmart) = (native, title, titleSort, summary, isSmart)
    (self.art, self.section, self.items) = (art, section, items)
  }

  package var label: String { title }
}

package struct ServerSection: Codable, Hashable, Sendable {
  package var key: String
  package var title: String
  /// True if its music is read until a person decides: audiobooks are not.
  package var isOnByDefault: Bool
  /// A value that changes when something in the section does; nil on servers that have none.
  package var counter: String?

  package init(key: String, title: String, isOnByDefault: Bool, counter: String? = nil) {
    (self.key, self.title, self.isOnByDefault, self.counter) = (key, title, isOnByDefault, counter)
  }
}

extension JSONView {
  /// A text in the normal form C; nil where there is nothing but white space.
  package var text: String? {
    guard let text = string?.normalised.trimmed, !text.isEmpty else { return nil }
    return text
  }
}

/// The table that holds a server's records until one transaction writes them to the catalogue. It is in the library's
/// database, so that a hundred thousand tracks take disk space and not memory. The next reading clears the records of
/// one that was interrupted.
package struct StagingTable: Sendable {
  /// The kinds of records, as the column `kind` has them.
  package enum Kind: Int, Sendable, CaseIterable {
    case artist = 1
    case album, track, collection, playlist
    /// Only an id, of a reading that compares ids; the kind of item is the first part of `native`.
    case key
    /// A mark that all lists of a kind are staged, or all of one section.
    case whole
    /// The reason, a `LunaraError`, why a list or a listing of lists could not be read.
    case unread

    /// The kind as SQL.
    package var sql: String { "\(rawValue)" }
  }

  let database: Database
  let source: String
  /// The values that were left out of records since the table was opened.
  package let implausible = ImplausibleValues()

  package init(database: Database, source: String) {
    (self.database, self.source) = (database, source)
  }

  package func clear() async throws {
    try await database.write { try $0.execute("DELETE FROM staged WHERE source = ?", source) }
  }

  package func add(_ records: [some ServerRecord], of kind: Kind) async throws {
    // The same item may come twice where items shift between two pages: the later one counts.
    try await insert(
      try records.map { record in
        var record = record
        implausible.add(record.removeImplausible(), of: record.label)
        return (record.native, Array(try MessageCoding.encode(record)))
      }, kind)
  }

  /// Adds ids. An empty id says that all lists of a kind were requested, even if there is none.
  package func add(keys natives: [String], of kind: Kind) async throws {
    let isOfLists = kind == .collection || kind == .playlist
    try await insert((natives + (isOfLists ? [""] : [])).map { ("\(kind.rawValue):\($0)", []) }, .key)
  }

  /// Notes that all collections of a section or all playlists are staged: what is not among them is gone.
  package func add(whole kind: Kind, section: String = "") async throws {
    try await insert([(native: "\(kind.rawValue):\(section)", body: [])], .whole)
  }

  /// Notes why a list could not be read: what is known of it stays.
  package func add(unread native: String, of kind: Kind, _ problem: LunaraError) async throws {
    try await insert([("\(kind.rawValue):\(native)", try MessageCoding.encode(problem))], .unread)
  }

  /// Notes why the lists of a kind, or those of one section, could not be listed: what is known of them stays.
  package func add(unreadListingOf kind: Kind, section: String, _ problem: LunaraError) async throws {
    try await insert([("\(kind.rawValue)/\(section)", try MessageCoding.encode(problem))], .unread)
  }

  private func insert(_ rows: [(native: String, body: [UInt8])], _ kind: Kind) async throws {
    guard !rows.isEmpty else { return }
    try await database.write { transaction in
      for row in rows {
        try transaction.execute(
          "INSERT OR REPLACE INTO staged (source, kind, native, body) VALUES (?, ?, ?, ?)", source, kind.rawValue,
          row.native, row.body)
      }
    }
  }
}
