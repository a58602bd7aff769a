package import Messages
package import Model
package import Storage
package import Sync

/// The wish list: albums and artists that are not in the library, which a person added or providers have.
package struct WishList {
  package static let parts: [Library.SyncPart] = [.albums, .artists]
  private static let longest = 500

  let transaction: Transaction

  package init(transaction: Transaction) {
    self.transaction = transaction
  }

  /// Returns the wishes of a part as a ledger compares them.
  package static func locals(of part: Library.SyncPart, _ transaction: ReadTransaction) throws -> [LocalItem] {
    try transaction.rows("SELECT id, item FROM wishes WHERE part = ?", part.rawValue) { row in
      LocalItem(key: key(try row.value(0)), item: try item(row.value(1)))
    }
  }

  /// Returns the key by which a ledger knows a wish.
  private static func key(_ id: Int64) -> String { "wish \(id)" }

  /// Adds wishes. Those that are there already stay.
  package func add(_ items: [SyncItem], to part: Library.SyncPart, at now: Timestamp) throws {
    for item in items {
      try transaction.execute(
        "INSERT OR IGNORE INTO wishes (part, item, key, added_at) VALUES (?, ?, ?, ?)", part.rawValue,
        String(decoding: try MessageCoding.encode(item), as: UTF8.self), item.id, now)
    }
  }

  /// Removes what a ledger says is no longer wished for.
  package func remove(_ items: [LocalItem]) throws {
    for item in items where item.key.hasPrefix("wish ") {
      try transaction.execute("DELETE FROM wishes WHERE id = ?", Int64(item.key.dropFirst(5)))
    }
  }

  /// Marks the wishes that are in the library now. Returns true if some have changed.
  @discardableResult
  package func update() throws -> Bool {
    var isChanged = false
    for part in Self.parts {
      let wishes = try transaction.rows(
        "SELECT id, item, is_here, release_group FROM wishes WHERE part = ?", part.rawValue
      ) { row in
        (
          id: try row.value(0) as Int64, item: try Self.item(row.value(1)), isHere: try row.value(2) as Bool,
          releaseGroup: try row.value(3) as String?
        )
      }
      guard !wishes.isEmpty else { continue }
      let owned = try OwnedItems(part, transaction)
      for wish in wishes where owned.has(wish.item, releaseGroup: wish.releaseGroup) != wish.isHere {
        isChanged = true
        try transaction.execute("UPDATE wishes SET is_here = ? WHERE id = ?", !wish.isHere, wish.id)
      }
    }
    return isChanged
  }

  private static func item(_ text: String) throws -> SyncItem {
    try MessageCoding.decode(SyncItem.self, from: text.utf8)
  }
}

/// Requests of people.
extension WishList {
  package func add(_ request: Library.AddWish, at now: Timestamp) throws -> Library.Wish {
    let artist = try Self.checked(request.artist)
    let album = try request.album.map(Self.checked)
    let releaseGroup = try album == nil ? nil : request.releaseGroup.map(Self.checkedID)
    let part: Library.SyncPart = album == nil ? .artists : .albums
    let item = SyncItem(artist: artist, album: album ?? "")
    guard try !OwnedItems(part, transaction).has(item, releaseGroup: releaseGroup) else {
      throw LunaraError(
        "library.wishIsHere", "\(album ?? artist) is in the library already. `lunara search` finds it.")
    }
    try add([item], to: part, at: now)
    // A wish without the id of its release group gets it; one that has another id keeps that.
    if let releaseGroup {
      try transaction.execute(
        "UPDATE wishes SET release_group = ? WHERE part = ? AND key = ? AND release_group IS NULL", releaseGroup,
        part.rawValue, item.id)
    }
    let wish = try transaction.row(
      "SELECT \(Self.columns) FROM wishes WHERE part = ? AND key = ?", part.rawValue, item.id
    ) { try Self.wish($0) }
    guard let wish else { throw LunaraError("library.badWish", "The wish could not be stored. Try again.") }
    return wish
  }

  package func remove(_ request: Library.RemoveWish) throws {
    let isThere: Bool? = try transaction.value("SELECT EXISTS (SELECT 1 FROM wishes WHERE id = ?)", request.id)
    guard isThere == true else {
      throw LunaraError(
        "library.unknownID", "No wish has the number \(request.id). `lunara wishes` lists those there are.")
    }
    try transaction.execute("DELETE FROM wishes WHERE id = ?", request.id)
  }

  package static let columns = "id, part, item, added_at, release_group"

  package static func wish(_ row: borrowing Row) throws -> Library.Wish {
    let item = try item(row.value(2))
    let isAlbum = try row.value(1) == Library.SyncPart.albums.rawValue
    return Library.Wish(
      id: try row.value(0), artist: item.artist, album: isAlbum ? item.album : nil, addedAt: try row.value(3),
      releaseGroup: try row.value(4))
  }

  private static func checked(_ text: String) throws -> String {
    let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !text.isEmpty, text.utf8.count <= longest else {
      throw LunaraError(
        "library.badWish", "A wish names an artist, and an album if not the artist, in 1 to \(longest) bytes.")
    }
    return text
  }

  /// Returns the MusicBrainz id of a release group in small letters.
  private static func checkedID(_ text: String) throws -> String {
    let id = text.lowercased()
    let parts = id.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isHexadecimal = parts.joined().allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard parts.map(\.count) == [8, 4, 4, 4, 12], isHexadecimal else {
      throw LunaraError(
        "library.badWish",
        "\(text.prefix(80)) is no MusicBrainz id of a release group. Name the album without it, or correct it.")
    }
    return id
  }
}

/// The albums or artists that are in the library, by their names in the normal form.
package struct OwnedItems {
  private var ids: Set<String> = []
  /// The MusicBrainz ids of the release groups of the albums, in small letters.
  private var releaseGroups: Set<String> = []

  package init(_ part: Library.SyncPart, _ transaction: ReadTransaction) throws {
    if part == .albums {
      releaseGroups = Set(
        try transaction.values("SELECT lower(release_group) FROM albums WHERE release_group IS NOT NULL AND shelf <> 0")
          as [String])
    }
    let items =
      part == .albums
      ? try transaction.rows("SELECT artist, title FROM albums WHERE shelf = id") {
        SyncItem(artist: try $0.value(0), album: try $0.value(1))
      }
      : try transaction.rows("SELECT name FROM artists WHERE albums > 0") { SyncItem(artist: try $0.value(0)) }
    ids = Set(items.map(Self.key))
  }

  package func has(_ item: SyncItem, releaseGroup: String? = nil) -> Bool {
    ids.contains(Self.key(item)) || releaseGroup.map(releaseGroups.contains) == true
  }

  /// Returns the key of an item, without words of its title that only name a remaster.
  private static func key(_ item: SyncItem) -> String {
    SyncItem(artist: item.artist, album: NormalForm.withoutRemaster(item.album)).id
  }
}
