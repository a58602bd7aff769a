import Model
import Storage

/// An item by its number in the store. Printed as `files:a12` for an album, `plex:t345` for a track, `files:r7` for an
/// artist, `plex:c3` for a collection and `plex:p4` for a playlist: short enough to be typed.
struct CatalogueID: Hashable {
  /// The kinds of items, as columns have them.
  enum Kind: Int64, SQLBindable {
    case artist = 1
    case album, track, collection, playlist

    fileprivate static let letters: [Character: Kind] = [
      "r": .artist, "a": .album, "t": .track, "c": .collection, "p": .playlist,
    ]

    /// The name of one for people.
    fileprivate var name: String {
      switch self {
      case .artist: "an artist"
      case .album: "an album"
      case .track: "a track"
      case .collection: "a collection"
      case .playlist: "a playlist"
      }
    }

    /// The table of the items, and the column with the number of the row that is shown for one.
    var rows: (table: String, shown: String) {
      switch self {
      case .artist: ("artists", "id")
      case .album: ("albums", "shelf")
      case .track: ("tracks", "shown")
      case .collection: ("collections", "id")
      case .playlist: ("playlists", "id")
      }
    }
  }

  var kind: Kind
  var number: Int64

  init(_ kind: Kind, _ number: Int64) {
    self.kind = kind
    self.number = number
  }

  /// Reads an id; nil where it has another form. `Catalogue.resolve` checks that there is such a row.
  init?<Item>(_ id: ItemID<Item>) {
    guard let kind = id.native.first.flatMap({ Kind.letters[$0] }), let number = Int64(id.native.dropFirst()),
      number > 0
    else { return nil }
    self.init(kind, number)
  }

  /// Returns the number that an id has as one of a kind; nil where it has another form.
  static func number<Item>(of id: ItemID<Item>, _ kind: Kind) -> Int64? {
    CatalogueID(id).flatMap { $0.kind == kind ? $0.number : nil }
  }

  /// Returns the error for an id that names nothing.
  static func unknown<Item>(_ id: ItemID<Item>) -> LunaraError {
    LunaraError(
      "library.unknownID", "There is no \(id) in the library. `lunara search WORDS` and `lunara albums` show what is.")
  }
}

/// Finds the item that is shown for an id. The id may be that of any member of an album, of any copy of a track, of a
/// removed row whose album or track stays, or a server's own.
extension Catalogue {
  /// Returns the item that is shown for an id; nil where the id names nothing.
  static func resolve<Item>(_ id: ItemID<Item>, _ transaction: ReadTransaction) throws -> CatalogueID? {
    if let known = CatalogueID(id) {
      let (table, shown) = known.kind.rows
      let number: Int64? =
        try transaction.value("SELECT \(shown) FROM \(table) WHERE id = ? AND source = ?", known.number, id.source)
        ?? transaction.value(
          "SELECT r.\(shown) FROM heirs h JOIN \(table) r ON r.id = h.heir WHERE h.kind = ? AND h.number = ?",
          known.kind, known.number)
      if let number { return CatalogueID(known.kind, number) }
    }
    // Files have no ids of a server; the column `key` of their albums is a merge key.
    guard id.source != FilesSource.name else { return nil }
    for (kind, query) in numbersOfServers {
      if let number: Int64 = try transaction.value(query, id.source, id.native) { return CatalogueID(kind, number) }
    }
    return nil
  }

  /// The queries that find an item by a server's own id. In Plex no two kinds share an id; elsewhere an album is found
  /// before a track with the same id.
  private static let numbersOfServers: [(CatalogueID.Kind, String)] = [
    (.album, "SELECT shelf FROM albums WHERE source = ? AND key = ?"),
    (.track, "SELECT shown FROM tracks WHERE source = ? AND native = ?"),
    (
      .artist,
      "SELECT n.artist FROM artist_members m JOIN artist_names n ON n.key = m.key WHERE m.source = ? AND m.native = ?"
    ),
    (.collection, "SELECT id FROM collections WHERE source = ? AND native = ?"),
    (.playlist, "SELECT id FROM playlists WHERE source = ? AND native = ?"),
  ]

  /// Returns the number of the item of a kind that is shown for an id; nil where there is none.
  static func find<Item>(
    _ kind: CatalogueID.Kind, _ id: ItemID<Item>, _ transaction: ReadTransaction
  ) throws -> Int64? {
    try resolve(id, transaction).flatMap { $0.kind == kind ? $0.number : nil }
  }

  /// Returns the same number. Throws `library.unknownID` where there is none.
  static func number<Item>(
    of kind: CatalogueID.Kind, _ id: ItemID<Item>, _ transaction: ReadTransaction
  ) throws -> Int64 {
    guard let found = try resolve(id, transaction) else { throw CatalogueID.unknown(id) }
    guard found.kind == kind else {
      throw LunaraError("library.unknownID", "\(id) is \(found.kind.name), not \(kind.name).")
    }
    return found.number
  }
}
