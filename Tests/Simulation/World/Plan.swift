import Model

@testable import Bus

/// What is drawn for a seed before it begins: who is there, how bad things get and for how long. Times are in
/// microseconds.
struct Plan {
  /// How long after everything is mended the last of it must be made good.
  static let patience = 25_000_000

  let nodes: [NodeID]
  /// Whether all are processes of one machine, which see each other come and go; else each is a host.
  let isOneMachine: Bool
  /// When a new host, the last of `nodes`, takes the name of the first room.
  let takeOver: Int?
  /// When harm ends.
  let healing: Int
  /// The pauses between harms, at most.
  let harmPause: Int
  /// The pauses between the facts of a room, at most.
  let factPause: Int
  let commandPause: Int

  var end: Int { healing + Self.patience + 1_000_000 }

  static let rooms = ["kitchen", "den"].compactMap { NodeID(role: "playback", name: $0) }

  init(drawing dice: inout Dice) {
    var nodes = [NodeID.scrobble, .web] + Self.rooms.prefix(dice.happens(600) ? 2 : 1)
    if dice.happens(600) { nodes.append(.library) }
    if dice.happens(600) { nodes.append(.router) }
    isOneMachine = dice.happens(400)
    healing = dice.between(6_000_000, 25_000_000)
    takeOver = !isOneMachine && dice.happens(300) ? dice.between(2_000_000, healing) : nil
    if takeOver != nil { nodes.append(Self.rooms[0]) }
    self.nodes = nodes
    harmPause = dice.between(300_000, 5_000_000)
    factPause = dice.between(100_000, 3_000_000)
    commandPause = dice.between(100_000, 3_000_000)
  }
}
