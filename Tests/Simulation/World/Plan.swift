import Model

@testable import Bus

/// The plan that is drawn for a seed before the run: the nodes, the kinds of faults and the duration. Times are in
/// microseconds.
struct Plan {
  /// The time after the end of all faults within which everything must have recovered.
  static let patience = 25_000_000

  let nodes: [NodeID]
  /// True if all nodes are processes of one machine, which notice each other's start and end; otherwise each is a host.
  let isOneMachine: Bool
  /// The time at which a new host, the last of `nodes`, takes over the name of the first room.
  let takeOver: Int?
  /// The end of the faults.
  let healing: Int
  /// The longest pause between faults.
  let faultPause: Int
  /// The longest pause between the facts of a room.
  let factPause: Int
  let commandPause: Int

  var end: Int { healing + Self.patience + 1_000_000 }

  static let rooms = ["kitchen", "den"].compactMap { NodeID(role: "playback", name: $0) }

  init(drawing random: inout SeededRandom) {
    var nodes = [NodeID.scrobble, .web] + Self.rooms.prefix(random.happens(600) ? 2 : 1)
    if random.happens(600) { nodes.append(.library) }
    if random.happens(600) { nodes.append(.router) }
    isOneMachine = random.happens(400)
    healing = random.between(6_000_000, 25_000_000)
    takeOver = !isOneMachine && random.happens(300) ? random.between(2_000_000, healing) : nil
    if takeOver != nil { nodes.append(Self.rooms[0]) }
    self.nodes = nodes
    faultPause = random.between(300_000, 5_000_000)
    factPause = random.between(100_000, 3_000_000)
    commandPause = random.between(100_000, 3_000_000)
  }
}

/// Random numbers that depend only on the seed (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x2545_f491_4f6c_dd1d &+ 0x9e37_79b9_7f4a_7c15 }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to below `limit`.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Returns true with this probability, in thousandths.
  mutating func happens(_ permille: Int) -> Bool { below(1000) < permille }

  /// Returns a duration between two others, in microseconds.
  mutating func between(_ low: Int, _ high: Int) -> Int { low + below(high - low + 1) }

  /// Returns a random element.
  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }
}
