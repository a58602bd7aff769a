import Messages
import Model
import System

/// The name of a file in the cache: a hash of the track and a hash of its address, so that no address and no title is
/// written to the disk. A file of which several tracks are segments has one name for all of them.
struct CacheName: Hashable, Sendable {
  /// The hash of the track's id and length: after a change of its length the track has another name. For a segment the
  /// hash of the file's key.
  let track: String
  /// The hash of the address without query and fragment, in which addresses of the same file may differ. A server that
  /// changes a file gives it another path (Plex), and then the file is fetched again.
  let place: String

  /// Names the file of an item at an address; `segment` is the part of that file which is the track. Returns nil if the
  /// item does not name that file: while the library is away, the file could not be told from others.
  init?(_ item: QueueItem, at url: String, segment: AudioSegment?) {
    guard let segment else {
      track = Self.whole(item)
      place = Self.hash(url.prefix { $0 != "?" && $0 != "#" }.utf8)
      return
    }
    guard let file = segment.file, file == item.segment?.file else { return nil }
    track = Self.file(file)
    // The file's key changes with its content.
    place = Self.hash(file.utf8)
  }

  /// Reads the name of a file; nil if it is not a name of the cache.
  init?(file: String) {
    let parts = file.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
    track = String(parts[0])
    place = String(parts[1])
  }

  var file: String { "\(track)-\(place)" }

  /// Returns the first part of the names that the files of an item may have, that of its usual file first.
  static func tracks(of item: QueueItem) -> [String] { [segments(item), whole(item)].compactMap { $0 } }

  /// Returns the first part of the name of an item's usual file, which several items may have in common.
  static func track(of item: QueueItem) -> String { segments(item) ?? whole(item) }

  /// Returns the first part of the names of files that are a whole track.
  private static func whole(_ item: QueueItem) -> String {
    hash("\(item.track.id.description)\n\(item.track.duration.rawValue)".utf8)
  }

  /// Returns the first part of the name of the file that an item is a segment of; nil if it is none.
  static func segments(_ item: QueueItem) -> String? { item.segment?.file.map { file($0) } }

  private static func file(_ key: String) -> String { hash("file\n\(key)".utf8) }

  /// Returns two 64-bit hashes. They need not be cryptographic: nobody gains from a collision.
  private static func hash(_ bytes: some Sequence<UInt8>) -> String {
    var (one, two) = (FNV1a(), FNV1a(basis: 0x9AE1_6A3B_2F90_404F))
    for byte in bytes {
      one.combine(byte)
      two.combine(byte &+ 0x5B)
    }
    return Hexadecimal.text(one.value) + Hexadecimal.text(two.value)
  }
}

/// The files of the cache, and the choice of those to delete for a new one. It does no I/O.
struct CacheIndex: Hashable, Sendable {
  /// A complete file.
  struct Entry: Hashable, Sendable {
    var name: CacheName
    var size: Int64
    var fetchedAt: Timestamp
    /// The time of the last playing or fetching; the file with the earliest time is deleted first.
    var usedAt: Timestamp
  }

  private(set) var entries: [CacheName: Entry] = [:]
  /// The largest size of all files together, in bytes.
  let limit: Int64

  /// The time for which a file counts as the server's current version.
  static let lifetime = Milliseconds(30 * 24 * 3_600_000)

  init(limit: Int64, entries: [Entry] = []) {
    self.limit = limit
    for entry in entries { self.entries[entry.name] = entry }
  }

  var size: Int64 { entries.values.reduce(0) { $0 + $1.size } }

  /// Returns the file with a name, unless it is older than `lifetime`.
  func file(_ name: CacheName, on date: Timestamp) -> Entry? {
    entries[name].flatMap { date - $0.fetchedAt < Self.lifetime ? $0 : nil }
  }

  /// Returns the newest file of an item from any address, for the case that the library does not answer.
  func file(of item: QueueItem) -> Entry? {
    let tracks = CacheName.tracks(of: item)
    return entries.values.filter { tracks.contains($0.name.track) }.max { $0.fetchedAt < $1.fetchedAt }
  }

  mutating func use(_ name: CacheName, on date: Timestamp) { entries[name]?.usedAt = date }

  /// Returns the files to delete so that `bytes` more fit, the longest unused ones first; nil if the files to keep
  /// leave too little space.
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

  /// Adds a file. Removes and returns the older files of the same track, which are no longer of use.
  mutating func add(_ entry: Entry) -> [CacheName] {
    let old = entries.keys.filter { $0.track == entry.name.track && $0 != entry.name }
    for name in old { entries[name] = nil }
    entries[entry.name] = entry
    return old
  }

  mutating func remove(_ name: CacheName) { entries[name] = nil }
}
