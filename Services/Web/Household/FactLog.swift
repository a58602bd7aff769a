import Bus
import Messages

/// The last facts of all journals, so that a browser that was asleep is told what it missed. Pure and bounded.
struct FactLog {
  /// How many facts are kept, and how many bytes of them.
  static let most = 1000
  static let mostBytes = 1 << 20

  /// A fact as it is told.
  struct Entry {
    var node: NodeID
    var place: EventID.Place
    /// Whether it happened before it was of any use as news.
    var isOld: Bool
    var json: [UInt8]
  }

  private var entries: [Entry] = []
  private var bytes = 0
  /// The number of `entries[0]`, counted from the first ever.
  private var first = 0
  /// The place in each journal behind which all facts are kept.
  private var floors: [NodeID: EventID.Place] = [:]
  /// The last fact of each journal.
  private var reached: [NodeID: EventID.Place] = [:]

  /// Notes that a fact was read, told or not.
  mutating func note(_ place: EventID.Place, of node: NodeID) {
    if floors[node]?.journal != place.journal {
      floors[node] = EventID.Place(journal: place.journal, seq: place.seq - 1)
    }
    reached[node] = place
  }

  /// Keeps a fact that is told. It was noted.
  mutating func add(_ entry: Entry) {
    entries.append(entry)
    bytes += entry.json.count
    while entries.count > Self.most || (bytes > Self.mostBytes && entries.count > 1) {
      let gone = entries.removeFirst()
      bytes -= gone.json.count
      first += 1
      if floors[gone.node]?.journal == gone.place.journal { floors[gone.node] = gone.place }
    }
  }

  /// A reader that begins with what happens from now on.
  func newcomer() -> FactReader { FactReader(next: first + entries.count, seen: reached, tellsOld: false) }

  /// A reader that goes on where it was.
  func returner(at id: EventID) -> FactReader { FactReader(next: first, seen: id.places, tellsOld: true) }

  /// What a reader has not been told yet, each with the id that says so. `isLost` says that there was more.
  func read(_ reader: inout FactReader) -> (isLost: Bool, news: [(id: EventID, json: [UInt8])]) {
    var isLost = reader.isLost || reader.next < first
    reader.isLost = false
    for (node, floor) in floors {
      guard let seen = reader.seen[node], seen.journal == floor.journal, seen.seq < floor.seq else { continue }
      isLost = true
      reader.seen[node] = floor
    }
    var news: [(id: EventID, json: [UInt8])] = []
    for entry in entries.dropFirst(max(0, reader.next - first)) {
      if let seen = reader.seen[entry.node], seen.journal == entry.place.journal, entry.place.seq <= seen.seq {
        continue
      }
      reader.seen[entry.node] = entry.place
      if entry.isOld, !reader.tellsOld { continue }
      news.append((EventID(reader.seen), entry.json))
    }
    reader.next = first + entries.count
    for (node, place) in reached {
      if let seen = reader.seen[node], seen.journal == place.journal, seen.seq >= place.seq { continue }
      reader.seen[node] = place
    }
    return (isLost, news)
  }
}

/// How far one browser is in the log.
struct FactReader {
  /// The number of the next fact.
  fileprivate(set) var next: Int
  /// The last fact of each journal that it was told, or that is nothing to it.
  fileprivate(set) var seen: [NodeID: EventID.Place]
  /// Whether it hears of what happened before it came.
  fileprivate let tellsOld: Bool
  /// Whether it says of itself that it missed something.
  var isLost = false

  fileprivate init(next: Int, seen: [NodeID: EventID.Place], tellsOld: Bool) {
    self.next = next
    self.seen = seen
    self.tellsOld = tellsOld
  }
}
