/// The rooms of a household, from which the room of a request is chosen.
public struct RoomChoice: Equatable, Sendable {
  /// The rooms that can play now.
  public var live: Set<RoomName>
  /// The rooms that are known but cannot be reached now.
  public var away: Set<RoomName>

  public init(live: Set<RoomName>, away: Set<RoomName> = []) {
    self.live = live
    self.away = away
  }

  /// Returns the room of a name, even if it cannot be reached now.
  ///
  /// - Throws: `client.roomUnknown`, which lists the rooms.
  public func known(_ name: RoomName) throws -> RoomName {
    guard live.contains(name) || away.contains(name) else {
      throw LunaraError("client.roomUnknown", "There is no room \(name). Rooms: \(Self.list(live.union(away))).")
    }
    return name
  }

  /// Returns the room for a request: the named one, else the only one that can be reached, else the only one that
  /// plays.
  ///
  /// - Parameters:
  ///   - wanted: the named room; nil if none was named.
  ///   - playing: the rooms that play now.
  /// - Throws: `client.noRoom`, `client.roomNeeded`, `client.roomUnknown`, `client.roomAway`; each lists the rooms.
  public func room(for wanted: RoomName?, playing: [RoomName] = []) throws -> RoomName {
    if let wanted {
      guard away.contains(wanted), !live.contains(wanted) else { return try known(wanted) }
      throw LunaraError(
        "client.roomAway",
        "The room \(wanted) is away. Start its player, or choose another room: \(Self.list(live)).")
    }
    guard let first = live.first else {
      let missing = away.isEmpty ? "" : " Away: \(Self.list(away))."
      throw LunaraError("client.noRoom", "No room is running. Start one with `lunara up`.\(missing)")
    }
    if live.count == 1 { return first }
    if playing.count == 1 { return playing[0] }
    throw LunaraError("client.roomNeeded", "There are several rooms: \(Self.list(live)). Name one of them.")
  }

  private static func list(_ rooms: Set<RoomName>) -> String {
    rooms.isEmpty ? "none" : rooms.sorted().map(\.rawValue).joined(separator: ", ")
  }
}
