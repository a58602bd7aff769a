import Model

/// The space for kept albums, and the choice of those that are removed to make room. It does no I/O.
struct OfflineSpace: Hashable, Sendable {
  /// An album that may be removed.
  struct Album: Hashable, Sendable {
    var row: Int64
    /// The time when it was last played, or else added.
    var usedAt: Timestamp
    var size: Int64
  }

  /// The bytes of all files that are kept.
  var used: Int64
  /// The bytes that are free on the disk.
  var free: Int64
  /// The limit that a person chose; nil for the default.
  var chosen: Int64?

  /// The largest default limit.
  static let usual: Int64 = 128_000_000_000
  /// The bytes that stay free on the disk for everything else.
  static let reserve: Int64 = 256_000_000
  /// The range of limits that can be chosen.
  static let choices: ClosedRange<Int64> = 0...1 << 50

  /// The largest number of bytes of all files: by default 128 GB, or half of what would be free without the kept files.
  var limit: Int64 { chosen ?? min(Self.usual, (free + used) / 2) }

  /// Returns the albums to remove so that `bytes` more fit, the one that was played longest ago first; nil if they
  /// would not fit even then. Without `bytes` all that may go are returned, even if the limit is still exceeded.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that are needed; 0 to come within the limit.
  ///   - albums: the albums that are not pinned, without the one that needs the bytes.
  ///   - date: only albums that were last used before it are removed, so that the albums of one request do not displace
  ///     each other; nil for all.
  func removals(for bytes: Int64, among albums: [Album], usedBefore date: Timestamp? = nil) -> [Int64]? {
    // A server may state any size of a file; none above the largest limit fits.
    let bytes = min(bytes, Self.choices.upperBound)
    var missing = max(used + bytes - limit, bytes > 0 ? bytes + Self.reserve - free : 0)
    var rows: [Int64] = []
    for album in albums.sorted(by: { ($0.usedAt, $0.row) < ($1.usedAt, $1.row) }) {
      guard missing > 0 else { break }
      if let date, album.usedAt >= date { break }
      guard album.size > 0 else { continue }
      rows.append(album.row)
      missing -= album.size
    }
    return missing <= 0 || bytes == 0 ? rows : nil
  }
}
