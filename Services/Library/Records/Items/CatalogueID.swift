package import Model
import Storage

/// An item by its number in the store. Printed as `files:a12` for an album, `plex:t345` for a track, `files:r7` for an
/// artist, `plex:c3` for a collection and `plex:p4` for a playlist: short enough to be typed.
package struct CatalogueID: Hashable {
  /// The kinds of items, as columns have them.
  package enum Kind: Int64, SQLBindable {
    case artist = 1
    case album, track, collection, playlist

    /// The kind as SQL.
    package var sql: String { "\(rawValue)" }

    fileprivate static let letters: [Character: Kind] = [
      "r": .artist, "a": .album, "t": .track, "c": .collection, "p": .playlist,
    ]

    /// The name of one for people.
    package var name: String {
      switch self {
      case .artist: "an artist"
      case .album: "an album"
      case .track: "a track"
      case .collection: "a collection"
      case .playlist: "a playlist"
      }
    }

    /// The table of the items, and the column with the number of the row that is shown for one.
    package var rows: (table: String, shown: String) {
      switch self {
      case .artist: ("artists", "id")
      case .album: ("albums", "shelf")
      case .track: ("tracks", "shown")
      case .collection: ("collections", "id")
      case .playlist: ("playlists", "id")
      }
    }
  }

  package var kind: Kind
  package var number: Int64

  package init(_ kind: Kind, _ number: Int64) {
    self.kind = kind
    self.number = number
  }

  /// Reads an id; nil if it has another form. `Catalogue.resolve` checks that there is such a row.
  package init?<Item>(_ id: ItemID<Item>) {
    guard let kind = id.native.first.flatMap({ Kind.letters[$0] }), let number = Int64(id.native.dropFirst()),
      number > 0
    else { return nil }
    self.init(kind, number)
  }

  /// Returns the number that an id has as one of a kind; nil if it has another form.
  package static func number<Item>(of id: ItemID<Item>, _ kind: Kind) -> Int64? {
    CatalogueID(id).flatMap { $0.kind == kind ? $0.number : nil }
  }

  /// Returns the error for an id that names nothing.
  package static func unknown<Item>(_ id: ItemID<Item>) -> LunaraError {
    LunaraError(
      "library.unknownID", "There is no \(id) in the library. `lunara search WORDS` and `lunara albums` show what is.")
  }
}
