import Messages
import Model
import Storage

/// Finds the editions of each release group among the albums that are shown, and lists one of each group.
///
/// Albums with the same MusicBrainz release group are editions of each other; without one, those of the same artist,
/// title and original year, apart from words for editions in the title. Two albums of one name that nothing
/// distinguishes are no editions: their tracks differ, so both are listed.
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

  private let transaction: Transaction
  private var names: Set<String> = []
  private var groups: Set<String> = []

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Marks the albums of a name key to be grouped again.
  mutating func touch(name: String) { names.insert(name) }

  /// Marks the editions of a group, of which one is gone.
  mutating func touch(group: String) { groups.insert(group) }

  /// Groups the marked albums. Returns those that changed.
  mutating func finish() throws -> [Change] {
    var changed: Set<Int64> = []
    for name in names.sorted() { try group(name, &changed) }
    for group in groups.sorted() { try list(group, &changed) }
    (names, groups) = ([], [])
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
      if album.groupKey == key {
        if albums.count > 1 || album.releaseGroup != nil || !album.isListed || album.editions > 1 { groups.insert(key) }
        continue
      }
      if !album.groupKey.isEmpty { groups.insert(album.groupKey) }
      groups.insert(key)
      try transaction.execute("UPDATE albums SET group_key = ? WHERE id = ?", key, album.number)
    }
  }

  /// Returns the keys of the groups of the albums of one name, which are in the order of their numbers.
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

  /// Lists one edition of a group.
  private func list(_ group: String, _ changed: inout Set<Int64>) throws {
    let albums = try transaction.rows(
      "SELECT id, listed, editions FROM albums WHERE group_key = ? AND shelf = id ORDER BY id", group
    ) { (number: try $0.value(0) as Int64, isListed: try $0.value(1) as Bool, editions: try $0.value(2) as Int) }
    guard let first = albums.first else { return }
    let listed = albums.count > 1 ? try EditionChoice(group, transaction).best ?? first.number : first.number
    for album in albums where album.isListed != (album.number == listed) || album.editions != albums.count {
      try transaction.execute(
        "UPDATE albums SET listed = ?, editions = ? WHERE id = ?", album.number == listed, albums.count, album.number)
      changed.insert(album.number)
    }
  }
}
