import FoundationEssentials
import Model

/// What a node keeps of the household from run to run, as JSON in a file of its own: the term of its claim, and where
/// the others were, so that a household that restarts at once finds itself again.
struct KeptRoster: Codable, Equatable, Sendable {
  /// A node and when it was last heard.
  struct Kept: Codable, Equatable, Sendable {
    var entry: RosterEntry
    var heardAt: Timestamp
  }

  /// The term under which this node holds its name.
  var term: Int64 = 0
  /// Whether another took the name: this node may only serve its journal then.
  var isDisplaced = false
  var nodes: [Kept] = []

  /// After this time a node is not looked for any more.
  static let patience = Milliseconds(30 * 86_400_000)
  static let limit = 256

  /// Reads the file; one that is missing, or that no version of ours has written, is an empty one.
  init(from path: String) {
    do {
      let bytes = try Data(contentsOf: URL(filePath: path))
      self = try JSONDecoder().decode(KeptRoster.self, from: bytes)
    } catch {
      // Without it nodes find each other through seeds, as at the first start.
      self.init()
    }
  }

  init() {}

  /// The file's bytes.
  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self)) + [10]
  }

  /// Takes in who was heard in this run, and how long ago; whoever was not heard for 30 days is dropped.
  mutating func update(_ entries: [(entry: RosterEntry, age: Milliseconds)], at now: Timestamp) {
    for (entry, age) in entries {
      let kept = Kept(entry: entry, heardAt: now - age)
      if let index = nodes.firstIndex(where: { $0.entry.id == entry.id }) {
        nodes[index] = kept
      } else {
        nodes.append(kept)
      }
    }
    nodes.removeAll { now - $0.heardAt > Self.patience }
    nodes.sort { $0.entry.id < $1.entry.id }
    if nodes.count > Self.limit { nodes = Array(nodes.sorted { $0.heardAt > $1.heardAt }.prefix(Self.limit)) }
  }
}
