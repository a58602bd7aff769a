import Model

/// Which room a command is for.
struct RoomChoice {
  /// The rooms there are.
  let rooms: [RoomName]
  /// The one that was asked for with `--room`.
  let wanted: String?
  /// The one that the environment names.
  let usual: String?

  /// The room; nil where it takes a look at what plays to tell.
  ///
  /// - Throws: `client.noRoom`, `client.roomUnknown`.
  func decided() throws -> RoomName? {
    guard !rooms.isEmpty else {
      throw LunaraError(
        "client.noRoom", "No room is running. Start one with `lunara up`, or see `lunara status` for what is missing.")
    }
    if let wanted { return try known(wanted, from: "--room") }
    if rooms.count == 1 { return rooms[0] }
    return try usual.map { try known($0, from: "LUNARA_ROOM") }
  }

  /// The room that plays, if it is the only one.
  ///
  /// - Throws: `client.roomNeeded`.
  func decided(playing: [RoomName]) throws -> RoomName {
    if playing.count == 1 { return playing[0] }
    throw LunaraError("client.roomNeeded", "There are several rooms: \(names). Choose one with --room NAME.")
  }

  private func known(_ text: String, from source: String) throws -> RoomName {
    let name = RoomName(from: text)
    guard rooms.contains(name) else {
      throw LunaraError(
        "client.roomUnknown", "\(source) names the room \(text), which is not running. There are: \(names).")
    }
    return name
  }

  private var names: String { rooms.map(\.rawValue).joined(separator: ", ") }
}
