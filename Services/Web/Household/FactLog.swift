import Bus
import Messages

/// The last facts of all journals, so that a browser that was asleep is told what it missed. Pure and bounded.
struct FactLog {
  /// The most facts that are kept, and the most bytes of them.
  static let most = 1000
  static let mostBytes = 1 << 20
  /// The number of bytes after which the rest is sent later, so that little is held for a browser that does not read.
  static let mostAtOnce = 64 << 10
  /// The number of journals of a node that are told apart: a new one begins where the former was
  /// lost, and both are read for a while.
  static let journals = 2

  struct Entry {
    var node: NodeID
    var place: EventID.Place
    /// True if it happened too long ago to be news.
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
  private var reached: [EventID.Source: EventID.Place] = [:]
  /// The journals of each node, the latest first.
  private var latest: [NodeID: [String]] = [:]

  /// Records the place of a fact that was read, whether or not browsers are told of it.
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

  /// Returns a reader that begins with the next fact.
  func newReader() -> FactReader { FactReader(next: first + entries.count, seen: reached, includesOldFacts: false) }

  /// Returns a reader that goes on where it was.
  func reader(at id: EventID) -> FactReader {
    FactReader(
      next: first, seen: id.places, includesOldFacts: !id.places.isEmpty, mayHaveMissedFacts: id.places.isEmpty)
  }

  /// Returns the facts that a reader has not been sent yet, about `mostAtOnce` bytes at a time, each with the id of its
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
        // It is not known if the browser had received it.
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
  /// The place in each journal up to which facts were sent to it, or were left out for it.
  fileprivate(set) var seen: [EventID.Source: EventID.Place]
  /// True if it is sent facts from before it connected.
  fileprivate let includesOldFacts: Bool
  /// True if it may have missed those.
  fileprivate var mayHaveMissedFacts = false
  /// True if it was here before and its event id was not understood, so that it may have missed facts.
  var isLost = false
}

/// The place that a browser has read to in every journal. It is the id of its events, so that
/// one that comes back says where it was.
struct EventID: Equatable {
  struct Place: Hashable {
    var journal: String
    /// The epoch of its writer: after a power cut a later epoch may use a sequence number again that was lost.
    var epoch: Int64
    var seq: Int64

    /// Returns true if it is behind another place of the same journal.
    func isBefore(_ other: Place) -> Bool { (epoch, seq) < (other.epoch, other.seq) }
  }

  /// A journal and whose it is.
  struct Source: Hashable, Comparable {
    var node: NodeID
    var journal: String

    static func < (left: Source, right: Source) -> Bool { (left.node, left.journal) < (right.node, right.journal) }
  }

  /// The most bytes it may have: enough for the journals of a hundred services, and no more than can be repeated
  /// with each fact.
  static let longest = 8192

  /// The last fact read of each journal.
  var places: [Source: Place] = [:]

  init(_ places: [Source: Place]) { self.places = places }

  /// Reads `library@main:JOURNAL:3.12,playback@kitchen:JOURNAL:1.7`, the numbers being the start and the fact, or `-`
  /// of one to whom no journal was known; nil for anything else.
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

  /// The text; never empty, which browsers take for no id at all.
  var text: String {
    guard !places.isEmpty else { return "-" }
    return places.sorted { $0.key < $1.key }
      .map { "\($0.key.node):\($0.key.journal):\($0.value.epoch).\($0.value.seq)" }.joined(separator: ",")
  }
}
