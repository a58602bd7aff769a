import Bus
import Messages

/// How far a browser has read in every journal. It is the id of its events, so that one that comes back says where it was.
struct EventID: Equatable {
  /// A place in a journal.
  struct Place: Hashable {
    var journal: String
    /// Which start of its writer wrote it: after a power cut a number that was lost is given again by a later one.
    var epoch: Int64
    var seq: Int64

    /// Whether it is behind another of the same journal.
    func isBefore(_ other: Place) -> Bool { (epoch, seq) < (other.epoch, other.seq) }
  }

  /// A journal and whose it is.
  struct Source: Hashable, Comparable {
    var node: NodeID
    var journal: String

    static func < (left: Source, right: Source) -> Bool { (left.node, left.journal) < (right.node, right.journal) }
  }

  /// How long it is at most, in bytes: enough for the journals of a hundred services, and no more than can be repeated
  /// with each fact.
  static let longest = 8192

  /// The last fact read of each journal.
  var places: [Source: Place] = [:]

  init(_ places: [Source: Place]) { self.places = places }

  /// Reads `library@main:JOURNAL:3.12,playback@kitchen:JOURNAL:1.7`, the numbers being the start and the fact, or `-` of
  /// one to whom no journal was known; nil for anything else.
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
