import Messages
import Model
import Storage

/// Finds the editions of each release group among the albums that are shown, and lists one of each group.
///
/// Albums with the same MusicBrainz release group are editions of each other; without one, those of the same artist,
/// title and original year, apart from words for editions in the title. Two albums of one name that nothing
/// distinguishes are no editions: their tracks differ, so both are listed. So are parts of one album: albums of one
/// folder, and albums that have no place in common.
struct EditionGrouping {
  /// An album whose place in the list or among editions changed.
  struct Change {
    var id: AlbumID
    var artist: Int64
  }

  private struct Named {
    var number: Int64
    var mergeKey: String
    var isReleased: Bool
    var releaseGroup: String?
    var groupKey: String
    var isListed: Bool
    var editions: Int
  }

  private struct Listed {
    var number: Int64
    var isListed: Bool
    var editions: Int
    var groupKey: String
  }

  private let transaction: Transaction
  private var names: Set<String> = []
  private var groups: Set<String> = []

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Marks the albums of a name key to be grouped again.
  mutating func touch(name: String) { names.insert(name) }

  /// Marks the editions of a group that has lost one.
  mutating func touch(group: String) { groups.insert(Self.base(of: group)) }

  /// Groups the marked albums. Returns those that changed.
  mutating func finish() throws -> [Change] {
    var changed: Set<Int64> = []
    for name in names.sorted() { try group(name, &changed) }
    for group in groups.sorted() { try list(group, &changed) }
    names = []
    groups = []
    return try changed.sorted().compactMap { number in
      try transaction.row("SELECT source || ':a' || id, artist_id FROM albums WHERE id = ?", number) {
        Change(id: try $0.value(0), artist: try $0.value(1))
      }
    }
  }

  /// Assigns the albums of a name to groups.
  private mutating func group(_ name: String, _ changed: inout Set<Int64>) throws {
    let albums = try transaction.rows(
      """
      SELECT a.id, a.merge_key, EXISTS (SELECT 1 FROM albums m WHERE m.merge_key = a.merge_key AND m.shelf = a.id
        AND m.release IS NOT NULL), a.release_group, a.group_key, a.listed, a.editions
      FROM albums a WHERE a.name_key = ? AND a.shelf = a.id ORDER BY a.id
      """, name
    ) { row in
      Named(
        number: try row.value(0), mergeKey: try row.value(1), isReleased: try row.value(2),
        releaseGroup: try row.value(3), groupKey: try row.value(4), isListed: try row.value(5),
        editions: try row.value(6))
    }
    let keys = Self.groupKeys(of: albums.map { ($0.mergeKey, $0.isReleased, $0.releaseGroup, $0.number) }, name)
    for (album, key) in zip(albums, keys) {
      if Self.base(of: album.groupKey) == key {
        if albums.count > 1 || album.releaseGroup != nil || !album.isListed || album.editions > 1 { groups.insert(key) }
        continue
      }
      if !album.groupKey.isEmpty { touch(group: album.groupKey) }
      groups.insert(key)
      try transaction.execute("UPDATE albums SET group_key = ? WHERE id = ?", key, album.number)
    }
  }

  /// Returns the group keys of the albums of one name, in the order of their numbers.
  static func groupKeys(
    of albums: [(mergeKey: String, isReleased: Bool, releaseGroup: String?, number: Int64)], _ name: String
  ) -> [String] {
    let releaseGroups = Set(albums.compactMap(\.releaseGroup))
    let only = releaseGroups.count == 1 ? releaseGroups.first : nil
    var known = Set(albums.filter { $0.isReleased || $0.releaseGroup != nil }.map(\.mergeKey))
    return albums.map { album in
      if let group = album.releaseGroup { return "rg:\(group)" }
      guard album.isReleased || known.insert(album.mergeKey).inserted else { return "album:\(album.number)" }
      return only.map { "rg:\($0)" } ?? "name:\(name)"
    }
  }

  /// Lists one edition of a group, and of each group that parts of its albums make.
  private func list(_ group: String, _ changed: inout Set<Int64>) throws {
    let albums = try transaction.rows(
      """
      SELECT id, listed, editions, group_key FROM albums
      WHERE group_key >= ?1 AND group_key < ?1 || ' ' AND shelf = id ORDER BY tracks DESC, id
      """, group
    ) { row in
      Listed(
        number: try row.value(0), isListed: try row.value(1), editions: try row.value(2), groupKey: try row.value(3))
    }
    let parts =
      albums.count > 1 ? EditionParts.parts(of: try albums.map { try content(of: $0.number) }) : [albums.map(\.number)]
    for (index, numbers) in parts.enumerated() {
      guard let first = numbers.first else { continue }
      let key = index == 0 ? group : "\(group)\(Self.partMark)\(first)"
      let part = albums.filter { numbers.contains($0.number) }
      for album in part where album.groupKey != key {
        try transaction.execute("UPDATE albums SET group_key = ? WHERE id = ?", key, album.number)
        changed.insert(album.number)
      }
      let listed = part.count > 1 ? try EditionChoice(key, transaction).best ?? first : first
      for album in part where album.isListed != (album.number == listed) || album.editions != part.count {
        try transaction.execute(
          "UPDATE albums SET listed = ?, editions = ? WHERE id = ?", album.number == listed, part.count, album.number)
        changed.insert(album.number)
      }
    }
  }

  /// Returns the folders and the places of an album that is shown.
  private func content(of album: Int64) throws -> EditionParts.Album {
    let folders: [String] = try transaction.values(
      """
      SELECT DISTINCT substr(m.key, 1, 16) FROM albums a JOIN albums m ON m.merge_key = a.merge_key AND m.shelf = a.id
      WHERE a.id = ? AND m.source = 'files' AND substr(m.key, 17, 1) = '|'
      """, album)
    let places: [String] = try transaction.values(
      "SELECT DISTINCT disc || '.' || ifnull(number, title_sort) FROM tracks WHERE shelf = ?", album)
    return EditionParts.Album(number: album, folders: Set(folders), places: Set(places))
  }

  /// The mark between the key of a group and the number of the largest album of further parts.
  private static let partMark = "\u{1F}"

  /// Returns the key of a group without the mark of its parts.
  private static func base(of group: String) -> String {
    group.utf8.firstIndex(of: 0x1F).map { String(group[..<$0]) } ?? group
  }
}

/// Divides the albums of a group into editions of each other. A pure function of the albums.
enum EditionParts {
  struct Album {
    var number: Int64
    /// The folders that hold it.
    var folders: Set<String>
    /// The discs and numbers of its tracks.
    var places: Set<String>
  }

  /// Returns the numbers of the albums that are editions of each other. An album joins the first edition with which it
  /// shares no folder but a place; the largest come first.
  static func parts(of albums: [Album]) -> [[Int64]] {
    var parts: [(numbers: [Int64], folders: Set<String>, places: Set<String>)] = []
    for album in albums {
      let fitting = parts.firstIndex {
        $0.folders.isDisjoint(with: album.folders) && !$0.places.isDisjoint(with: album.places)
      }
      if let fitting {
        parts[fitting].numbers.append(album.number)
        parts[fitting].folders.formUnion(album.folders)
        parts[fitting].places.formUnion(album.places)
      } else {
        parts.append(([album.number], album.folders, album.places))
      }
    }
    return parts.map(\.numbers)
  }
}
