import Messages
import Model
import System

/// The name of a file in the cache: a hash of its track and one of its address, so that neither an address nor a title
/// is on the disk.
struct CacheName: Hashable, Sendable {
  /// The hash of the track's id and length: a track whose length changed is another one.
  let track: String
  /// The hash of its address without query and fragment, which differ between addresses of the same file. A server that
  /// changes a file gives it another path (Plex), and then it is fetched again.
  let place: String

  init(_ item: QueueItem, at url: String) {
    track = Self.track(of: item)
    place = Self.hash(url.prefix { $0 != "?" && $0 != "#" }.utf8)
  }

  /// Reads the name of a file; nil for one that is none of the cache's.
  init?(file: String) {
    let parts = file.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
    (track, place) = (String(parts[0]), String(parts[1]))
  }

  var file: String { "\(track)-\(place)" }

  /// Returns the part of the name that all versions of an item's audio have in common.
  static func track(of item: QueueItem) -> String {
    hash("\(item.track.id.description)\n\(item.track.duration.rawValue)".utf8)
  }

  /// Two hashes: names that nobody chooses to collide need no more.
  private static func hash(_ bytes: some Sequence<UInt8>) -> String {
    var (one, two) = (FNV1a(), FNV1a(basis: 0x9AE1_6A3B_2F90_404F))
    for byte in bytes {
      one.combine(byte)
      two.combine(byte &+ 0x5B)
    }
    return Hexadecimal.text(one.value) + Hexadecimal.text(two.value)
  }
}

/// The files of the cache, and the choice of those to delete for a new one: a pure value.
struct CacheIndex: Hashable, Sendable {
  /// A file that is whole.
  struct Entry: Hashable, Sendable {
    var name: CacheName
    var size: Int64
    var fetchedAt: Timestamp
    /// The time at which it was played or fetched last; the file that was used longest ago is deleted first.
    var usedAt: Timestamp
  }

  private(set) var entries: [CacheName: Entry] = [:]
  /// The greatest size of all files together, in bytes.
  let limit: Int64

  /// The time for which a file counts as the server's present version.
  static let lifetime = Milliseconds(30 * 24 * 3_600_000)

  init(limit: Int64, entries: [Entry] = []) {
    self.limit = limit
    for entry in entries { self.entries[entry.name] = entry }
  }

  var size: Int64 { entries.values.reduce(0) { $0 + $1.size } }

  /// Returns the file of an item at an address, unless it is older than `lifetime`.
  func file(_ name: CacheName, on date: Timestamp) -> Entry? {
    entries[name].flatMap { date - $0.fetchedAt < Self.lifetime ? $0 : nil }
  }

  /// Returns the newest file of an item, wherever it came from: for when nobody can be asked.
  func file(of track: String) -> Entry? {
    entries.values.filter { $0.name.track == track }.max { $0.fetchedAt < $1.fetchedAt }
  }

  mutating func use(_ name: CacheName, on date: Timestamp) { entries[name]?.usedAt = date }

  /// Returns the files to delete so that more bytes fit, those used longest ago; nil if the kept files leave no room.
  func evictions(for bytes: Int64, keeping kept: Set<String>) -> [CacheName]? {
    var free = limit - size
    var evictions: [CacheName] = []
    for entry in entries.values.sorted(by: { ($0.usedAt, $0.name.file) < ($1.usedAt, $1.name.file) }) {
      guard free < bytes else { break }
      guard !kept.contains(entry.name.track) else { continue }
      evictions.append(entry.name)
      free += entry.size
    }
    return free >= bytes ? evictions : nil
  }

  /// Adds a file; returns the older versions of the same, which are of no use any more.
  mutating func add(_ entry: Entry) -> [CacheName] {
    let old = entries.keys.filter { $0.track == entry.name.track && $0 != entry.name }
    for name in old { entries[name] = nil }
    entries[entry.name] = entry
    return old
  }

  mutating func remove(_ name: CacheName) { entries[name] = nil }
}
