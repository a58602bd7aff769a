import Bus
import Messages

/// The last facts of all journals, so that a browser that was asleep is told what it missed. Pure and bounded.
struct FactLog {
  /// How many facts are kept, and how many bytes of them.
  static let most = 1000
  static let mostBytes = 1 << 20
  /// After how many bytes a reader is told the rest later, so that one who does not read holds little.
  static let mostAtOnce = 64 << 10
  /// How many journals of a node are told apart: a new one begins where the former was lost, and both are read for a while.
  static let journals = 2

  /// A fact as it is told.
  struct Entry {
    var node: NodeID
    var place: EventID.Place
    /// Whether it happened before it was of any use as news.
    var isOld: Bool
    var json: [UInt8]

    fileprivate var source: EventID.Source { .init(node: node, journal: place.journal) }
  }

  private var entries: [Entry] = []
  private var bytes = 0
  /// The number of `entries[0]`, counted from the first ever.
  private var first = 0
  /// The place in each journal behind which all facts are kept.
  private var floors: [EventID.Source: EventID.Place] = [:]
  /// The last fact of each journal.
  private var reached: [EventID.Source: EventID.Place] = [:]
  /// The journals of each node, the latest first.
  private var latest: [NodeID: [String]] = [:]

  /// Notes that a fact was read, told or not.
  mutating func note(_ place: EventID.Place, of node: NodeID) {
    let source = EventID.Source(node: node, journal: place.journal)
    if floors[source] == nil {
      floors[source] = EventID.Place(journal: place.journal, epoch: place.epoch, seq: place.seq - 1)
      latest[node, default: []].insert(place.journal, at: 0)
      while let old = latest[node], old.count > Self.journals, let gone = latest[node]?.popLast() {
        floors[.init(node: node, journal: gone)] = nil
        reached[.init(node: node, journal: gone)] = nil
      }
    }
    reached[source] = place
  }

  /// Keeps a fact that is told. It was noted.
  mutating func add(_ entry: Entry) {
    entries.append(entry)
    bytes += entry.json.count
    while entries.count > Self.most || (bytes > Self.mostBytes && entries.count > 1) {
      let gone = entries.removeFirst()
      bytes -= gone.json.count
      first += 1
      if floors[gone.source] != nil { floors[gone.source] = gone.place }
    }
  }

  /// A reader that begins with what happens from now on.
  func newcomer() -> FactReader { FactReader(next: first + entries.count, seen: reached, tellsOld: false) }

  /// A reader that goes on where it was.
  func returner(at id: EventID) -> FactReader {
    FactReader(next: first, seen: id.places, tellsOld: !id.places.isEmpty, mindsOld: id.places.isEmpty)
  }

  /// What a reader has not been told yet, each with the id that says so, or the first of it. `isLost` says that there was
  /// more.
  func read(_ reader: inout FactReader) -> (isLost: Bool, news: [(id: EventID, json: [UInt8])]) {
    var isLost = reader.isLost || reader.next < first
    reader.isLost = false
    for (source, floor) in floors {
      guard let seen = reader.seen[source], seen.isBefore(floor) else { continue }
      isLost = true
      reader.seen[source] = floor
    }
    var news: [(id: EventID, json: [UInt8])] = []
    var size = 0
    for (index, entry) in entries.enumerated().dropFirst(max(0, reader.next - first)) {
      if let seen = reader.seen[entry.source], !seen.isBefore(entry.place) { continue }
      reader.seen[entry.source] = entry.place
      if entry.isOld, !reader.tellsOld {
        // Whether it had been told that, nobody knows.
        isLost = isLost || reader.mindsOld
        reader.mindsOld = false
        continue
      }
      let id = EventID(reader.seen)
      news.append((id, entry.json))
      size += entry.json.count + id.text.utf8.count
      if size >= Self.mostAtOnce {
        reader.next = first + index + 1
        return (isLost, news)
      }
    }
    reader.next = first + entries.count
    for (source, place) in reached {
      if let seen = reader.seen[source], !seen.isBefore(place) { continue }
      reader.seen[source] = place
    }
    reader.seen = reader.seen.filter { latest[$0.key.node]?.contains($0.key.journal) ?? true }
    return (isLost, news)
  }
}

/// How far one browser is in the log.
struct FactReader {
  /// The number of the next fact.
  fileprivate(set) var next: Int
  /// The last fact of each journal that it was told, or that is nothing to it.
  fileprivate(set) var seen: [EventID.Source: EventID.Place]
  /// Whether it hears of what happened before it came.
  fileprivate let tellsOld: Bool
  /// Whether that may be what it missed.
  fileprivate var mindsOld: Bool
  /// Whether it says of itself that it missed something.
  var isLost = false

  fileprivate init(next: Int, seen: [EventID.Source: EventID.Place], tellsOld: Bool, mindsOld: Bool = false) {
    self.next = next
    self.seen = seen
    self.tellsOld = tellsOld
    self.mindsOld = mindsOld
  }
}
