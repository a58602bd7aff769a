import Model

/// What is in the cache, and what has to go for something new: a pure value.
struct CacheIndex: Hashable, Sendable {
  /// A file that is whole.
  struct Entry: Hashable, Sendable {
    var name: CacheName
    /// In bytes.
    var size: Int64
    /// When it was fetched.
    var fetchedAt: Timestamp
    /// When it was played or fetched last; who was used longest ago goes first.
    var usedAt: Timestamp
  }

  private(set) var entries: [CacheName: Entry] = [:]
  /// How many bytes all of them may have.
  let limit: Int64

  /// For so long a file is taken for what a server has, where its address does not tell.
  static let lifetime = Milliseconds(30 * 24 * 3_600_000)

  init(limit: Int64, entries: [Entry] = []) {
    self.limit = limit
    for entry in entries { self.entries[entry.name] = entry }
  }

  /// How many bytes there are.
  var size: Int64 { entries.values.reduce(0) { $0 + $1.size } }

  /// The file of an item at an address, unless it is too old to be sure of.
  func file(_ name: CacheName, on date: Timestamp) -> Entry? {
    entries[name].flatMap { date - $0.fetchedAt < Self.lifetime ? $0 : nil }
  }

  /// The newest file of an item, wherever it came from: for when nobody can be asked.
  func file(of track: String) -> Entry? {
    entries.values.filter { $0.name.track == track }.max { $0.fetchedAt < $1.fetchedAt }
  }

  /// Notes that a file is used.
  mutating func use(_ name: CacheName, on date: Timestamp) { entries[name]?.usedAt = date }

  /// What has to go so that so many bytes more fit: those used longest ago; nil where they do not fit, as what is kept
  /// must stay.
  func victims(for bytes: Int64, keeping kept: Set<String>) -> [CacheName]? {
    var free = limit - size
    var victims: [CacheName] = []
    for entry in entries.values.sorted(by: { ($0.usedAt, $0.name.file) < ($1.usedAt, $1.name.file) }) {
      guard free < bytes else { break }
      guard !kept.contains(entry.name.track) else { continue }
      victims.append(entry.name)
      free += entry.size
    }
    return free >= bytes ? victims : nil
  }

  /// Takes a file in; gives the older versions of the same, which are no good any more.
  mutating func add(_ entry: Entry) -> [CacheName] {
    let old = entries.keys.filter { $0.track == entry.name.track && $0 != entry.name }
    for name in old { entries[name] = nil }
    entries[entry.name] = entry
    return old
  }

  /// Forgets a file.
  mutating func remove(_ name: CacheName) { entries[name] = nil }
}
