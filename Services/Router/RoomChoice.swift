import Model

/// The rooms of the household, among which the room of an intent is chosen.
struct RoomChoice: Equatable {
  /// The rooms that can play now.
  var live: Set<RoomName>
  /// The rooms that are known but do not answer now.
  var away: Set<RoomName>

  /// Returns the room of an intent: the one it names, or else the only one that answers.
  ///
  /// - Throws: `client.noRoom`, `client.roomNeeded`, `client.roomUnknown`, `client.roomAway`; each names the rooms.
  func room(for wanted: RoomName?) throws -> RoomName {
    guard let wanted else { return try onlyRoom() }
    if live.contains(wanted) { return wanted }
    if away.contains(wanted) {
      throw LunaraError(
        "client.roomAway", "The room \(wanted) is away. Start its player, or choose another room: \(names(live)).")
    }
    throw LunaraError("client.roomUnknown", "There is no room \(wanted). Rooms: \(names(live.union(away))).")
  }

  private func onlyRoom() throws -> RoomName {
    guard let first = live.first else {
      let missing = away.isEmpty ? "" : " Away: \(names(away))."
      throw LunaraError("client.noRoom", "No room answers. Start one with `lunara up`.\(missing)")
    }
    guard live.count == 1 else {
      throw LunaraError("client.roomNeeded", "There are several rooms. Say which one: \(names(live)).")
    }
    return first
  }

  private func names(_ rooms: Set<RoomName>) -> String {
    rooms.isEmpty ? "none" : rooms.sorted().map(\.rawValue).joined(separator: ", ")
  }
}
