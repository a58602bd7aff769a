import Bus
import Messages

/// The newest facts of all journals, so that a browser that was disconnected gets the facts that it missed. It does no
/// I/O, and its size is limited.
struct FactLog {
  /// The largest number of facts that are kept, and the largest size of their JSON in bytes.
  static let most = 1000
  static let mostBytes = 1 << 20
  /// The number of bytes after which further facts are sent later, so that little memory is used for a browser that
  /// does not read.
  static let mostAtOnce = 64 << 10
  /// The number of journals per node whose places are kept. A node begins a new journal if the former one was lost, and
  /// both are read for a while.
  static let journals = 2

  struct Entry {
    var node: NodeID
    var place: EventID.Place
    /// True if the fact is too old for a browser that connects for the first time.
    var isOld: Bool
    var json: [UInt8]

    fileprivate var source: EventID.Source { .init(node: node, journal: place.journal) }
  }

  private var entries: [Entry] = []
  private var bytes = 0
  /// The number of entries that were removed since the start, which is the absolute index of `entries[0]`.
  private var first = 0
  /// The place in each journal after which all facts are kept.
  private var floors: [EventID.Source: EventID.Place] = [:]
  private var reached: [EventID.Source: EventID.Place] = [:]
  /// The journals of each node, the latest first.
  private var latest: [NodeID: [String]] = [:]

  /// Records the place of a fact that was read, even if the fact is not sent to browsers.
  mutating func record(_ place: EventID.Place, of node: NodeID) {
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

  /// Keeps a fact for browsers. Its place has to be recorded by `note` before.
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

  /// Returns a reader that starts with the next fact.
  func newReader() -> FactReader { FactReader(next: first + entries.count, seen: reached, includesOldFacts: false) }

  /// Returns a reader that continues after the event with this id.
  func reader(at id: EventID) -> FactReader {
    FactReader(
      next: first, seen: id.places, includesOldFacts: !id.places.isEmpty, mayHaveMissedFacts: id.places.isEmpty)
  }

  /// Returns the facts that were not sent to a reader yet, about `mostAtOnce` bytes at a time, each with the id of its
  /// event. `isLost` is true if some of them are no longer kept.
  func read(_ reader: inout FactReader) -> (isLost: Bool, facts: [(id: EventID, json: [UInt8])]) {
    var isLost = reader.isLost || reader.next < first
    reader.isLost = false
    for (source, floor) in floors {
      guard let seen = reader.seen[source], seen.isBefore(floor) else { continue }
      isLost = true
      reader.seen[source] = floor
    }
    var facts: [(id: EventID, json: [UInt8])] = []
    var size = 0
    for (index, entry) in entries.enumerated().dropFirst(max(0, reader.next - first)) {
      if let seen = reader.seen[entry.source], !seen.isBefore(entry.place) { continue }
      reader.seen[entry.source] = entry.place
      if entry.isOld, !reader.includesOldFacts {
        // The browser may have missed this fact: its id names no place.
        isLost = isLost || reader.mayHaveMissedFacts
        reader.mayHaveMissedFacts = false
        continue
      }
      let id = EventID(reader.seen)
      facts.append((id, entry.json))
      size += entry.json.count + id.text.utf8.count
      if size >= Self.mostAtOnce {
        reader.next = first + index + 1
        return (isLost, facts)
      }
    }
    reader.next = first + entries.count
    for (source, place) in reached {
      if let seen = reader.seen[source], !seen.isBefore(place) { continue }
      reader.seen[source] = place
    }
    reader.seen = reader.seen.filter { latest[$0.key.node]?.contains($0.key.journal) ?? true }
    return (isLost, facts)
  }
}

/// The place of one browser in the log.
struct FactReader {
  fileprivate(set) var next: Int
  /// The place in each journal up to which facts were sent to the browser or left out for it.
  fileprivate(set) var seen: [EventID.Source: EventID.Place]
  /// True if facts from before the connection are sent to it.
  fileprivate let includesOldFacts: Bool
  /// True if the browser may have missed facts from before the connection, as its id named no place.
  fileprivate var mayHaveMissedFacts = false
  /// True if the browser was connected before, but its event id cannot be read, so that it may have missed facts.
  var isLost = false
}

/// The place up to which a browser has read every journal. It is the id of the events: a browser that connects again
/// sends the last one.
struct EventID: Equatable {
  struct Place: Hashable {
    var journal: String
    /// The epoch of the journal's writer: after a power cut, a later epoch may use lost sequence numbers again.
    var epoch: Int64
    var seq: Int64

    /// Returns true if this place is before another one in the same journal.
    func isBefore(_ other: Place) -> Bool { (epoch, seq) < (other.epoch, other.seq) }
  }

  /// A journal and its node.
  struct Source: Hashable, Comparable {
    var node: NodeID
    var journal: String

    static func < (left: Source, right: Source) -> Bool { (left.node, left.journal) < (right.node, right.journal) }
  }

  /// The largest size of the text, in bytes: enough for the journals of a hundred services, and small enough to be sent
  /// with each fact.
  static let longest = 8192

  /// The place of the last read fact of each journal.
  var places: [Source: Place] = [:]

  init(_ places: [Source: Place]) { self.places = places }

  /// Parses `library@main:JOURNAL:3.12,playback@kitchen:JOURNAL:1.7`, with epoch and sequence number in each part, or
  /// `-` for an id without places; nil for any other text.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    if text == "-" { return }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    for part in parts {
      let words = part.split(separator: ":", omittingEmptySubsequences: false)
      guard words.count == 3, let node = NodeID(String(words[0])), !words[1].isEmpty else { return nil }
      let numbers = words[2].split(separator: ".", omittingEmptySubsequences: false)
      guard numbers.count == 2, let epoch = Int64(numbers[0]), let seq = Int64(numbers[1]) else { return nil }
      let journal = String(words[1])
      places[Source(node: node, journal: journal)] = Place(journal: journal, epoch: epoch, seq: seq)
    }
  }

  /// The text of the id. It is never empty, as browsers ignore an empty id.
  var text: String {
    guard !places.isEmpty else { return "-" }
    return places.sorted { $0.key < $1.key }
      .map { "\($0.key.node):\($0.key.journal):\($0.value.epoch).\($0.value.seq)" }.joined(separator: ",")
  }
}
