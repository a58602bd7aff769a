/// The use of a room as far as it is known, from which the room is chosen that a person means.
public struct RoomUse: Hashable, Sendable {
  /// True while sound is played, or about to be played.
  public var isPlaying: Bool
  /// The time since the room last played, paused or jumped; nil if it never did.
  public var sinceUsed: Milliseconds?
}

/// The rooms of a household, from which the room of a request is chosen. All programs choose by the same rule.
public struct RoomChoice: Equatable, Sendable {
  /// The rooms that can play now.
  public var live: Set<RoomName>
  /// The rooms that are known but cannot be reached now.
  public var away: Set<RoomName> = []
  /// The use of rooms, as far as it is known.
  public var uses: [RoomName: RoomUse] = [:]
  /// The rooms on the machine of the program that chooses.
  public var here: Set<RoomName> = []
  /// True if other services of the household run.
  public var isHouseholdUp: Bool = false

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
  /// plays. While no room plays, returns the one that was used last, else the only one on this machine. While several
  /// rooms play, returns the only one of them on this machine.
  ///
  /// - Parameter wanted: the named room; nil if none was named.
  /// - Throws: `client.noRoom`, `client.roomNeeded`, `client.roomUnknown`, `client.roomAway`; each lists the rooms.
  public func room(for wanted: RoomName?) throws -> RoomName {
    if let wanted {
      guard away.contains(wanted), !live.contains(wanted) else { return try known(wanted) }
      throw LunaraError(
        "client.roomAway",
        "The room \(wanted) is away. Start its player, or choose another room: \(Self.list(live)).")
    }
    guard !live.isEmpty else {
      let missing = away.isEmpty ? "" : " Away: \(Self.list(away))."
      throw LunaraError(
        "client.noRoom",
        isHouseholdUp
          ? "No room is running, though Lunara is. `lunara doctor` says why.\(missing)"
          : "No room is running. Start one with `lunara up`.\(missing)")
    }
    let playing = live.filter { uses[$0]?.isPlaying == true }
    let candidates = playing.isEmpty ? live : playing
    if let room = Self.only(candidates) ?? (playing.isEmpty ? lastUsed : nil)
      ?? Self.only(candidates.intersection(here))
    {
      return room
    }
    throw LunaraError(
      "client.roomNeeded",
      playing.isEmpty
        ? "There are several rooms: \(Self.list(live)). Name one of them, for example with --room \(Self.example(live))."
        : "Several rooms play: \(Self.list(playing)). Name one of them, for example with --room \(Self.example(playing))."
    )
  }

  /// The room that was used last; nil if none was used, or several at the same time.
  private var lastUsed: RoomName? {
    let used = live.compactMap { room in uses[room]?.sinceUsed.map { (room: room, since: $0) } }
    guard let shortest = used.map(\.since).min() else { return nil }
    return Self.only(Set(used.filter { $0.since == shortest }.map(\.room)))
  }

  private static func only(_ rooms: Set<RoomName>) -> RoomName? { rooms.count == 1 ? rooms.first : nil }

  private static func example(_ rooms: Set<RoomName>) -> String { rooms.min()?.rawValue ?? "NAME" }

  private static func list(_ rooms: Set<RoomName>) -> String {
    rooms.isEmpty ? "none" : rooms.sorted().map(\.rawValue).joined(separator: ", ")
  }
}
