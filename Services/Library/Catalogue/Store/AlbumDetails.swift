import Messages
package import Model
package import Storage

/// The knowledge of a source about an album beside its columns, as the table `album_details` has it.
struct AlbumDetails: Codable, Hashable, Sendable {
  var facts = AlbumFacts()
  /// The discs with a subtitle, a medium or a number of tracks; `missing` is empty.
  var discs: [AlbumDisc] = []
  /// The number of discs that the tags promise; nil if they do not, or promise one.
  var discTotal: Int?

  var isEmpty: Bool { facts.isEmpty && discs.isEmpty && discTotal == nil }
}

extension AlbumDetails {
  /// Replaces the details of an album of a source.
  static func write(_ details: AlbumDetails, of album: Int64, _ transaction: Transaction) throws {
    guard !details.isEmpty else {
      try transaction.execute("DELETE FROM album_details WHERE album = ?", album)
      return
    }
    let body = String(decoding: try MessageCoding.encode(details), as: UTF8.self)
    try transaction.execute(
      """
      INSERT INTO album_details (album, body) VALUES (?1, ?2)
      ON CONFLICT (album) DO UPDATE SET body = ?2 WHERE body <> ?2
      """, album, body)
  }

  /// Returns the details of an album as it is shown: its own, filled from those of the albums that it was merged from.
  static func read(of album: Int64, _ transaction: ReadTransaction) throws -> AlbumDetails {
    let bodies: [String] = try transaction.values(
      """
      SELECT d.body FROM albums s CROSS JOIN albums m ON m.merge_key = s.merge_key
      CROSS JOIN album_details d ON d.album = m.id WHERE s.id = ? AND m.shelf = s.id ORDER BY m.id <> s.id, m.id
      """, album)
    return try bodies.map { try MessageCoding.decode(AlbumDetails.self, from: $0.utf8) }
      .reduce(into: AlbumDetails()) { $0.fill(from: $1) }
  }

  private mutating func fill(from other: AlbumDetails) {
    facts.fill(from: other.facts)
    discTotal = [discTotal, other.discTotal].compactMap(\.self).max()
    for disc in other.discs {
      guard let index = discs.firstIndex(where: { $0.disc == disc.disc }) else {
        discs.append(disc)
        continue
      }
      discs[index].title = discs[index].title ?? disc.title
      discs[index].media = discs[index].media ?? disc.media
      discs[index].total = [discs[index].total, disc.total].compactMap(\.self).max()
    }
  }
}

/// The discs of albums, and the tracks that they lack.
extension Catalogue {
  /// Numbers above it are mistakes of tags.
  private static let highestNumber = 999
  private static let mostDiscs = 100

  /// Returns the discs of a shown album that have a subtitle, a medium or a number of tracks, that lack tracks, or
  /// that are not there at all, though another disc is.
  package static func discs(of album: Int64, _ transaction: ReadTransaction) throws -> [AlbumDisc] {
    let details = try AlbumDetails.read(of: album, transaction)
    let described = details.discs
    var numbers: [Int: Set<Int>] = [:]
    _ = try transaction.rows("SELECT disc, number FROM tracks WHERE shelf = ?", album) { row in
      let disc: Int = try row.value(0)
      let number: Int? = try row.value(1)
      numbers[disc, default: []].formUnion([number].compactMap(\.self))
    }
    let there = Set(numbers.keys)
    let absent = absentDiscs(among: there, total: details.discTotal)
    return there.union(described.map(\.disc)).union(absent).sorted().compactMap { number in
      var disc = described.first { $0.disc == number } ?? AlbumDisc(disc: number)
      guard !absent.contains(number) else { return AlbumDisc(disc: number, isAbsent: true) }
      disc.missing = missing(among: numbers[number] ?? [], total: disc.total)
      let isPlain = disc.title == nil && disc.media == nil && disc.total == nil && disc.missing.isEmpty
      return isPlain ? nil : disc
    }
  }

  /// Returns the numbers of the discs that are not there; none where fewer than half of the discs are.
  ///
  /// - Parameter total: the number of discs that the tags promise; nil if they do not. Then only a disc between two
  /// that are there is known to exist.
  static func absentDiscs(among there: Set<Int>, total: Int?) -> [Int] {
    guard let first = there.min(), let last = there.max(), first >= 1, last <= mostDiscs else { return [] }
    let all = total.map { 1...max(min($0, mostDiscs), last) } ?? first...last
    guard there.count * 2 >= all.count else { return [] }
    return all.filter { !there.contains($0) }
  }

  /// Returns the numbers from 1 that a disc lacks; none where fewer than half of its tracks are there.
  ///
  /// - Parameter total: the number of tracks that the tags promise; nil if they do not.
  static func missing(among numbers: Set<Int>, total: Int?) -> [Int] {
    let there = numbers.filter { (1...highestNumber).contains($0) }
    let count = min(max(total ?? 0, there.max() ?? 0), highestNumber)
    guard count > 0, there.count * 2 >= count, there.count < count else { return [] }
    return (1...count).filter { !there.contains($0) }
  }
}
