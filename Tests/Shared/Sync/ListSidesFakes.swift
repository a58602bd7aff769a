import Model

@testable import Sync

/// Our side of a list in tests.
struct FakeLocalList {
  var entries: [LocalEntry] = []
  var nextID: Int64 = 1

  /// Puts a track at a position and returns its entry.
  @discardableResult mutating func insert(_ track: SyncTrack, at index: Int) -> LocalEntry {
    let entry = LocalEntry(id: nextID, track: track)
    nextID += 1
    entries.insert(entry, at: index)
    return entry
  }

  /// Applies the edits of a plan, and returns the ids of the inserted entries.
  mutating func apply(_ edits: [LocalEdit]) -> [Int64] {
    var inserted: [Int64] = []
    func index(after anchor: LocalEdit.Anchor) -> Int {
      switch anchor {
      case .start: 0
      case .entry(let id): (entries.firstIndex { $0.id == id } ?? entries.count - 1) + 1
      case .inserted(let number): (entries.firstIndex { $0.id == inserted[number] } ?? entries.count - 1) + 1
      }
    }
    for edit in edits {
      switch edit {
      case .remove(let ids): entries.removeAll { ids.contains($0.id) }
      case .insert(let tracks, let anchor):
        var place = index(after: anchor)
        for track in tracks {
          inserted.append(insert(track, at: place).id)
          place += 1
        }
      case .move(let ids, let anchor):
        let moved = ids.compactMap { id in entries.first { $0.id == id } }
        entries.removeAll { ids.contains($0.id) }
        entries.insert(contentsOf: moved, at: index(after: anchor))
      }
    }
    return inserted
  }
}

/// A list at a provider in tests. It refuses what its capabilities do not allow.
struct FakeRemoteList {
  struct Refusal: Error { var why: String }

  let capabilities: ListCapabilities
  var entries: [RemoteEntry] = []
  var nextPlace = 1
  /// The number of changes.
  var version = 0

  init(_ capabilities: ListCapabilities) { self.capabilities = capabilities }

  mutating func insert(_ native: String, at index: Int) {
    let place = capabilities.removal == .entry ? "place\(nextPlace)" : nil
    nextPlace += 1
    entries.insert(RemoteEntry(place: place, native: native, described: FakeTracks.described(native)), at: index)
    version += 1
  }

  mutating func apply(_ step: RemoteStep) throws(Refusal) {
    func check(_ isAllowed: Bool, _ why: String) throws(Refusal) { if !isAllowed { throw Refusal(why: why) } }
    switch step {
    case .removeEntries(let places):
      try check(capabilities.removal == .entry && places.count <= capabilities.batch, "removal by entry")
      entries.removeAll { $0.place.map(places.contains) ?? false }
    case .removeAt(let index, let expected):
      try check(capabilities.removal == .position && expected.count <= capabilities.batch, "removal by position")
      guard index + expected.count <= entries.count,
        entries[index..<index + expected.count].map(\.native) == expected
      else { throw Refusal(why: "others stand there") }
      entries.removeSubrange(index..<index + expected.count)
    case .removeTracks(let natives):
      try check(capabilities.removal == .track && natives.count <= capabilities.batch, "removal by track")
      entries.removeAll { natives.contains($0.native) }
    case .insert(let natives, let index):
      try check(capabilities.insertion != .never && natives.count <= capabilities.batch, "insertion")
      try check(index == nil || capabilities.insertion == .anywhere, "insertion at a place")
      let place = min(index ?? entries.count, entries.count)
      for (offset, native) in natives.enumerated() { insert(native, at: place + offset) }
    case .move(let from, let to, let native, let place):
      try check(capabilities.canReorder, "moving")
      guard from < entries.count, to < entries.count, entries[from].native == native,
        place == nil || entries[from].place == place
      else { throw Refusal(why: "another stands there") }
      entries.insert(entries.remove(at: from), at: to)
    case .replace(let natives, let expected):
      try check(capabilities.canReplace, "replacing")
      guard entries.map(\.native) == expected else { throw Refusal(why: "the list has changed") }
      entries = []
      for native in natives { insert(native, at: entries.count) }
    }
    version += 1
  }
}

/// Tracks whose ids and names come from one short text.
enum FakeTracks {
  /// Returns the description; another id of the same track has a tilde and a number behind it.
  static func described(_ name: String) -> DescribedTrack {
    DescribedTrack(title: "Title \(name.prefix { $0 != "~" })", artist: "Artist")
  }

  static func track(_ name: String) -> SyncTrack { SyncTrack(native: name, described: described(name)) }
}

extension ListCapabilities {
  /// The capabilities of the providers that there are, and of others that there could be.
  static let plex = ListCapabilities(removal: .entry, insertion: .atEnd, canReorder: true)
  static let subsonic = ListCapabilities(removal: .position, insertion: .atEnd, canReorder: false, canReplace: true)
  static let listenBrainz = ListCapabilities(removal: .position, insertion: .anywhere, canReorder: true)
  static let spotify = ListCapabilities(removal: .track, insertion: .anywhere, canReorder: true, canReplace: true)
  static let onlyReplacing = ListCapabilities(removal: .replacing, insertion: .atEnd, canReorder: false)
  static let onlyAdding = ListCapabilities(removal: .never, insertion: .atEnd, canReorder: false)
  static let withoutOrder = ListCapabilities(removal: .position, insertion: .atEnd, canReorder: false, batch: 2)
}
