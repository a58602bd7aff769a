import Model
import Records
import Storage

/// Merges the albums of one merge key, of all sources, into those that are shown.
///
/// The result depends only on the rows of the sources, so merging again gives the same.
package struct AlbumMerger {
  /// An album that is shown after a merge.
  struct Merged {
    var number: Int64
    var shown: AlbumID
    /// The albums under which its members were shown until now.
    var formerAlbums: Set<Int64>
    /// Albums that were shown until now and are now part of `shown`.
    var hidden: [AlbumID] = []
    var artists: Set<Int64>
  }

  struct Member {
    var number: Int64
    var id: AlbumID
    var shownAlbum: Int64
    var artist: Int64
    var art: String?
    var rating: Rating?
    var release: String?
    var tags: ReleaseTags
    var title: String
    var artistName: String
    var nameKey: String
    var groupKey: String
  }

  let transaction: Transaction
  /// True where people gave ratings in the library itself.
  let hasRatings: Bool
  private let ranks: [String: SourceRank]
  /// The sources whose release ids are not those of tags: such a server looks albums up by their names.
  private let guessing: Set<String>

  init(_ transaction: Transaction) throws {
    self.transaction = transaction
    ranks = try SourceRank.all(transaction)
    guessing = Set(try transaction.values("SELECT name FROM sources WHERE kind = 'plex'") as [String])
    hasRatings = try transaction.value("SELECT 1 FROM ratings LIMIT 1") as Int? != nil
  }

  func rank(_ source: String) -> SourceRank { ranks[source] ?? SourceRank(unknown: source) }

  /// Merges the albums of a key again: those that are copies or parts of one album are shown as one. Returns the albums
  /// that are shown, in the order of their numbers.
  func merge(_ key: String, _ editions: inout EditionGrouping) throws -> [Merged] {
    let members = try transaction.rows(
      """
      SELECT id, source || ':a' || id, shelf, artist_id, source || ':' || own_art, own_rating, release, own_release,
        title, artist, name_key, group_key FROM albums WHERE merge_key = ? ORDER BY id
      """, key
    ) { row in
      Member(
        number: try row.value(0), id: try row.value(1), shownAlbum: try row.value(2), artist: try row.value(3),
        art: try row.value(4), rating: try row.value(5), release: try row.value(6),
        tags: ReleaseTags(packed: try row.value(7)), title: try row.value(8), artistName: try row.value(9),
        nameKey: try row.value(10), groupKey: try row.value(11))
    }
    for member in members { editions.touch(name: member.nameKey) }
    guard members.count > 1 else {
      if !members.isEmpty { try move(members, &editions) }
      return try members.map { try show([$0], AlbumKey(merge: key, ordinal: 0), [:], &editions) }
    }
    let copies = try copies(of: members)
    let tracks = Dictionary(grouping: copies.values.map(\.track), by: \.album)
    let clusters = CopyClusters.clusters(
      of: members.map { member in
        CopyClusters.Member(
          number: member.number, release: guessing.contains(member.id.source) ? nil : member.release,
          tracks: tracks[member.number] ?? [])
      })
    let groups = clusters.map { numbers in members.filter { numbers.contains($0.number) } }
    // The members of one album are found by it, so all of them move before any values are made.
    for group in groups { try move(group, &editions) }
    return try groups.enumerated().map { ordinal, group in
      let albums = Set(group.map(\.number))
      return try show(
        group, AlbumKey(merge: key, ordinal: ordinal), copies.filter { albums.contains($0.value.track.album) },
        &editions)
    }
  }

  /// Assigns albums to the first of them.
  private func move(_ members: [Member], _ editions: inout EditionGrouping) throws {
    for member in members where member.shownAlbum != members[0].number {
      try transaction.execute(
        "UPDATE albums SET shelf = ?, listed = 0 WHERE id = ?", members[0].number, member.number)
      if member.shownAlbum == member.number { editions.touch(group: member.groupKey) }
    }
  }

  /// Shows some albums as one, which has the number of the first. `copies` are their tracks; those of a single album
  /// are not needed.
  private func show(
    _ members: [Member], _ key: AlbumKey, _ copies: [Int64: Copy], _ editions: inout EditionGrouping
  ) throws -> Merged {
    let canonical = members[0]
    var merged = Merged(
      number: canonical.number, shown: canonical.id, formerAlbums: Set(members.map(\.shownAlbum)),
      artists: Set(members.map(\.artist)))
    for member in members.dropFirst() {
      if member.shownAlbum == member.number { merged.hidden.append(member.id) }
    }
    if members.count == 1 {
      try showAll(of: canonical.number)
    } else {
      try showBest(of: copies, on: canonical.number)
    }
    editions.touch(name: try write(members, of: key))
    return merged
  }
}

/// The names by which the library keeps a person's rating of an album, which outlive its row.
package struct AlbumKey {
  var merge: String
  /// The position of the album among those of the same merge key that are not copies of each other.
  var ordinal: Int

  private var text: String { ordinal == 0 ? merge : "\(merge)\u{1F}\(ordinal)" }

  /// The content hash, as the store keeps it.
  var hash64: Int64 { contentHash(of: text.utf8) }

  /// The text of which `hash64` is the hash, for a shown album `a`.
  package static let column = """
    a.merge_key || ifnull((SELECT char(31) || nullif(count(*), 0) FROM albums o
      WHERE o.merge_key = a.merge_key AND o.shelf = o.id AND o.id < a.id), '')
    """
}
