import Messages
package import Model
import Records
package import Storage
import System

/// Pages of tracks, and one track with its copies.
extension Catalogue {
  /// Returns a page of tracks.
  ///
  /// - Throws: `library.badCursor`, `library.unknownTag`, `library.badTag`.
  static func tracks(
    _ request: Library.ListTracks, randomSeed: Int64, keeping lists: ListCache = ListCache(),
    _ transaction: ReadTransaction
  ) throws -> Library.Page<Track> {
    let (limit, tags) = (limit(request.limit), request.tags ?? [])
    switch request.sort {
    case .random: return try shuffledTracks(request, limit, randomSeed, transaction)
    case .plays:
      let places = try placesByPlays(of: .tracks, tags, keeping: lists, transaction)
      return try pageByPlays(
        "tracks-plays", places, after: request.after, limit: limit, isReversed: request.isReversed
      ) { try track($0, transaction) }
    default: break
    }
    let filter = try TagConditions(tags, of: .tracks, transaction)
    return try transaction.page(
      trackOrder(of: request.sort, isReversed: request.isReversed), after: request.after, PageBudget(items: limit),
      trackColumns, "FROM tracks t CROSS JOIN albums a ON a.id = t.shelf WHERE t.shelf IS NOT NULL\(filter.sql)",
      filter.values, as: track)
  }

  /// Returns a page in the random order of a seed, which is part of the cursor. Tracks that are added after the first
  /// page may be left out.
  private static func shuffledTracks(
    _ request: Library.ListTracks, _ limit: Int, _ randomSeed: Int64, _ transaction: ReadTransaction
  ) throws -> Library.Page<Track> {
    let filter = try TagConditions(request.tags ?? [], of: .tracks, for: .count, transaction)
    let after = try Cursor(request.after, of: "tracks-random", count: 3)
    let seed = try after?.number(0) ?? request.seed ?? randomSeed
    let largest: Int64 = try transaction.value("SELECT max(id) FROM tracks") ?? 0
    let order =
      try after.map { RandomOrder(seed: seed, bits: Int(clamping: try $0.number(1))) }
      ?? RandomOrder(seed: seed, largest: largest)
    var budget = PageBudget(items: limit)
    var listed: [Track] = []
    // A narrowed list is read once for each page; its order is that of the whole list without the other tracks.
    let numbers: Set<Int64>? =
      filter.isEmpty
      ? nil
      : Set(
        try transaction.rows("SELECT t.id \(shownTracks(filter))", values: filter.values) { try $0.value(0) as Int64 })
    for position in min(max(0, try after?.number(2) ?? 0), order.count)..<order.count {
      let number = order.number(at: position)
      guard number <= largest, numbers?.contains(number) ?? true, let track = try track(number, transaction) else {
        continue
      }
      guard budget.admits(track.size) else {
        return Library.Page(items: listed, next: Cursor("tracks-random", [seed, order.bits, position]).text)
      }
      listed.append(track)
    }
    return Library.Page(items: listed, next: nil)
  }

  /// Returns a track and its copies, best first. Throws `library.unknownID`.
  static func track(_ request: Library.ReadTrack, _ transaction: ReadTransaction) throws -> Library.TrackDetail {
    let number = try number(of: .track, request.id, transaction)
    guard let track = try track(number, transaction) else { throw CatalogueID.unknown(request.id) }
    let copies = try copies(of: request.id, transaction).map {
      Library.TrackDetail.Copy(
        id: $0.id, format: $0.format, isLossless: $0.isLossless, audio: $0.audio.isEmpty ? nil : $0.audio,
        path: $0.path, segment: $0.segment)
    }
    return try withTags(Library.TrackDetail(track: track, copies: copies), of: number, transaction)
  }
}

extension Catalogue {
  package struct TrackCopy: Hashable, Sendable {
    package var id: TrackID
    /// The file's ending in lower case; nil where unknown.
    var format: String?
    var isLossless: Bool
    var audio: AudioProperties
    /// The server's own id of it; nil for a file of a folder.
    package var native: String?
    /// The server's name of its audio.
    package var part: String?
    /// Its file; nil for a track of a server.
    package var path: LocalPath?
    /// The part of the file that it is; nil for a whole file.
    package var segment: AudioSegment?
  }

  /// The columns of a track `t` and its file `f` from which `segment` is made.
  package static let segmentColumns = "f.first_sample, f.end_sample, t.sample_rate, f.inode, f.size, f.modified"

  /// Reads `segmentColumns` from a column on. Returns nil for a whole file.
  package static func segment(_ row: borrowing Row, from column: Int) throws -> AudioSegment? {
    guard let start: Int64 = try row.value(column), let rate: Int = try row.value(column + 2) else { return nil }
    let stamp = FileStamp(
      inode: try row.value(column + 3), size: try row.value(column + 4), modified: try row.value(column + 5))
    return AudioSegment(start: start, end: try row.value(column + 1), sampleRate: rate, file: stamp.mark)
  }

  /// Returns all copies of the track that is shown for an id, best first, by `TrackPairing.Rank`. Throws
  /// `library.unknownID`.
  package static func copies(of id: TrackID, _ transaction: ReadTransaction) throws -> [TrackCopy] {
    let ranks = try SourceRank.all(transaction)
    // The condition `t.id = ?1` finds a track that is not shown under an album yet.
    return try transaction.rows(
      """
      SELECT t.id, t.source || ':t' || t.id, t.format, t.is_lossless, t.native, t.part, d.path, f.name, t.codec,
        t.bit_rate, t.sample_rate, t.bit_depth, t.channels, \(segmentColumns)
      FROM tracks t LEFT JOIN files f ON f.track = t.id LEFT JOIN folders d ON d.id = f.folder
      WHERE t.id = ?1 OR (t.shown = ?1 AND t.shown <> t.id)
      """, try number(of: .track, id, transaction)
    ) { row in
      let copy = TrackCopy(
        id: try row.value(1), format: try row.value(2), isLossless: try row.value(3),
        audio: AudioProperties(
          codec: try row.value(8), bitRate: try row.value(9), sampleRate: try row.value(10),
          bitDepth: try row.value(11), channels: try row.value(12)),
        native: try row.value(4), part: try row.value(5), path: path(try row.value(6), try row.value(7)),
        segment: try segment(row, from: 13))
      let source = ranks[copy.id.source] ?? SourceRank(unknown: copy.id.source)
      let rank = TrackPairing.Rank(
        isLossless: copy.isLossless, audio: copy.audio, source: source, number: try row.value(0))
      return (copy: copy, rank: rank)
    }.sorted { $0.rank < $1.rank }.map(\.copy)
  }
}

/// A random order of numbers that needs no list of them: each position gives one number, each number once (a Feistel
/// network of four rounds over an even number of bits; Luby and Rackoff 1988).
struct RandomOrder {
  /// The number of bits of each number; even.
  let bits: Int
  private let seed: UInt64

  /// Makes an order of the numbers from 0 to `largest` at least.
  init(seed: Int64, largest: Int64) {
    var bits = 2
    while bits < 62, largest >> Int64(bits) > 0 { bits += 2 }
    self.init(seed: seed, bits: bits)
  }

  init(seed: Int64, bits: Int) {
    self.bits = min(62, max(2, bits & ~1))
    self.seed = UInt64(bitPattern: seed)
  }

  var count: Int64 { 1 << Int64(bits) }

  func number(at position: Int64) -> Int64 {
    let half = UInt64(bits / 2)
    let mask: UInt64 = 1 << half - 1
    let position = UInt64(bitPattern: position)
    var (left, right) = ((position >> half) & mask, position & mask)
    for round: UInt64 in 1...4 { (left, right) = (right, left ^ (mixed(right, round) & mask)) }
    return Int64(bitPattern: left << half | right)
  }

  private func mixed(_ value: UInt64, _ round: UInt64) -> UInt64 {
    SplitMix64.mix(seed &+ round &* SplitMix64.increment &+ value &* 0xD1B5_4A32_D192_ED03)
  }
}
