import Catalogue
import Messages
import Model
import Records
import Storage

/// Keeps opinions with their albums when these are merged, separated, renamed, renumbered or removed, or come back.
struct OpinionLinks {
  private let transaction: Transaction
  /// The albums to which the last tracks of removed ones were moved.
  private let successors: [Int64: Int64]

  private struct Link {
    var album: Int64
    var shown: Int64
    var mergeKey: String
    var place: Int
  }

  /// - Parameter successors: the album to which the last track of an album was moved, by the number of the latter.
  init(successors: [Int64: Int64], _ transaction: Transaction) {
    (self.successors, self.transaction) = (successors, transaction)
  }

  /// Links the opinions of albums with these merge keys again, after the albums were merged. Returns the changes of the
  /// opinions that stand.
  func relink(keys: Set<String>, at now: Timestamp) throws -> [Library.OpinionChanged] {
    let links = try links(of: keys)
    guard !links.isEmpty else { return [] }
    var targets: [(link: Link, subject: OpinionStore.Subject?)] = []
    var affected: Set<Int64> = []
    for link in links {
      let subject = try target(of: link)
      targets.append((link, subject))
      affected.formUnion([link.shown, subject?.number ?? link.shown])
    }
    let before = try standing(at: affected)
    for (link, subject) in targets {
      guard let subject else { continue }
      try transaction.execute(
        """
        UPDATE opinions SET shown = ?2, id = ?3, merge_key = ?4, place = ?5, title = ?6, artist = ?7, year = ?8,
          release_group = ifnull(?9, release_group)
        WHERE album = ?1
        """, link.album, subject.number, subject.id, subject.mergeKey, subject.place, subject.title, subject.artist,
        subject.year, subject.releaseGroup)
    }
    for shown in affected.sorted() {
      try transaction.execute(
        """
        UPDATE opinions SET stands = (album = (SELECT album FROM opinions WHERE shown = ?1
          ORDER BY given_at DESC, album DESC LIMIT 1)) WHERE shown = ?1
        """, shown)
    }
    let changes = Self.changes(from: before, to: try standing(at: affected))
    if !changes.isEmpty { try OpinionStore.advanceRevision(at: now, transaction) }
    return changes
  }

  /// Returns the opinions that may have to follow, in the order of their albums.
  private func links(of keys: Set<String>) throws -> [Link] {
    let count: Int = try transaction.value("SELECT count(*) FROM opinions") ?? 0
    guard count > 0 else { return [] }
    let columns = "SELECT album, shown, merge_key, place FROM opinions"
    func link(_ row: borrowing Row) throws -> Link {
      Link(album: try row.value(0), shown: try row.value(1), mergeKey: try row.value(2), place: try row.value(3))
    }
    guard keys.count < count else { return try transaction.rows("\(columns) ORDER BY album", as: link) }
    var links: [Int64: Link] = [:]
    for key in keys {
      let found = try transaction.rows(
        """
        \(columns) WHERE merge_key = ?1 OR album IN (SELECT id FROM albums WHERE merge_key = ?1)
          OR shown IN (SELECT id FROM albums WHERE merge_key = ?1)
        """, key, as: link)
      for one in found { links[one.album] = one }
    }
    return links.values.sorted { $0.album < $1.album }
  }

  /// Returns the album at which an opinion is shown; nil where it is not in the library.
  private func target(of link: Link) throws -> OpinionStore.Subject? {
    for number in [link.album, link.shown] {
      if let shown = try shown(number) { return try OpinionStore.subject(shown, transaction) }
    }
    let named: Int64? = try transaction.value(
      "SELECT id FROM albums WHERE merge_key = ? AND shelf = id ORDER BY id LIMIT 1 OFFSET ?", link.mergeKey, link.place
    )
    return try named.flatMap { try OpinionStore.subject($0, transaction) }
  }

  /// Returns the album that stands for a number: its own row, the row to which it is redirected, or the album that has
  /// its tracks now.
  private func shown(_ number: Int64) throws -> Int64? {
    var (number, seen): (Int64, Set<Int64>) = (number, [])
    while seen.insert(number).inserted {
      let shelf: Int64? =
        try transaction.value("SELECT \(Heirs.shown(.album, "?1"))", number)
      if let shelf { return shelf }
      guard let next = successors[number] else { return nil }
      number = next
    }
    return nil
  }

  private func standing(at shown: Set<Int64>) throws -> [AlbumID: OpinionStore.Standing] {
    var standing: [AlbumID: OpinionStore.Standing] = [:]
    for number in shown.sorted() {
      guard let one = try OpinionStore.standing(at: number, transaction) else { continue }
      standing[one.id] = one
    }
    return standing
  }

  private static func changes(
    from before: [AlbumID: OpinionStore.Standing], to after: [AlbumID: OpinionStore.Standing]
  ) -> [Library.OpinionChanged] {
    func change(_ one: OpinionStore.Standing, _ opinion: Library.Opinion?) -> Library.OpinionChanged {
      Library.OpinionChanged(
        id: one.id, opinion: opinion, title: one.title, artist: one.artist, releaseGroup: one.releaseGroup)
    }
    let ended = before.filter { after[$0.key] == nil }.values.map { change($0, nil) }
    let begun = after.filter { before[$0.key]?.opinion != $0.value.opinion }.values.map { change($0, $0.opinion) }
    return ended.sorted { $0.id < $1.id } + begun.sorted { $0.id < $1.id }
  }
}
