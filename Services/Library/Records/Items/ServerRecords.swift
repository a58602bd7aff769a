package import Messages
package import Model
import Storage
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

package struct ServerArtist: ServerRecord {  // memberwise
  package var native: String
  package var name: String
  var sort: String? = nil
  /// An id that stays when the server's library is rebuilt (`plex://artist/…`); nil if there is none.
  package var guid: String? = nil
  package var artistID: String? = nil
  package var summary: String? = nil
  package var genres: [String] = []
  /// Names its picture for `MusicServer.picture`; changes when the picture does.
  package var art: String? = nil
  package var rating: Rating? = nil
  package var section: String? = nil

  package var label: String { name }
}

/// A collection or a playlist as a server shows it.
package struct ServerList: ServerRecord {  // memberwise
  package var native: String
  package var title: String
  package var titleSort: String? = nil
  package var summary: String? = nil
  package var isSmart = false
  package var art: String? = nil
  package var section: String? = nil
  /// The server's own ids of what it holds, in its order; a track may come several times in a playlist.
  package var items: [String] = []

  package var label: String { title }
}

package struct ServerSection: Codable, Hashable, Sendable {  // memberwise
  package var key: String
  package var title: String
  /// True if its music is read until a person decides: audiobooks are not.
  package var isOnByDefault: Bool
  /// A value that changes when something in the section does; nil on servers that have none.
  package var counter: String? = nil
}

extension JSONView {
  /// A text in the normal form C; nil if there is nothing but white space.
  package var text: String? {
    guard let text = string?.normalised.trimmed, !text.isEmpty else { return nil }
    return text
  }
}

/// The table that holds a server's records until one transaction writes them to the catalogue. It is in the library's
/// database, so that a hundred thousand tracks take disk space and not memory. The next reading clears the records of
/// one that was interrupted.
package struct StagingTable: Sendable {  // memberwise
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
    /// A rating that the server accepted from here, perhaps after the item was read.
    case rating

    /// The kind as SQL.
    package var sql: String { "\(rawValue)" }
  }

  let database: Database
  let source: String
  /// The values that were left out of records since the table was opened.
  package let implausible = ImplausibleValues()

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
    try await database.write(priority: .background) { transaction in
      for row in rows {
        try transaction.execute(
          "INSERT OR REPLACE INTO staged (source, kind, native, body) VALUES (?, ?, ?, ?)", source, kind.rawValue,
          row.native, row.body)
      }
    }
  }
}
