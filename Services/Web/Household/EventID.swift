import Bus
import Messages

/// How far a browser has read in every journal. It is the id of its events, so that one that comes back says where it was.
struct EventID: Equatable {
  /// A place in a journal.
  struct Place: Hashable {
    var journal: String
    var seq: Int64
  }

  /// The most journals an id names; a household has one for each service of each machine.
  static let most = 512

  /// The last fact read of each node.
  var places: [NodeID: Place] = [:]

  init(_ places: [NodeID: Place]) { self.places = places }

  /// Reads `library@main:JOURNAL:12,playback@kitchen:JOURNAL:7`; nil for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= Self.most else { return nil }
    for part in parts {
      let words = part.split(separator: ":", omittingEmptySubsequences: false)
      guard words.count == 3, let node = NodeID(String(words[0])), !words[1].isEmpty, let seq = Int64(words[2]) else {
        return nil
      }
      places[node] = Place(journal: String(words[1]), seq: seq)
    }
  }

  /// The text.
  var text: String {
    places.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value.journal):\($0.value.seq)" }.joined(separator: ",")
  }
}
