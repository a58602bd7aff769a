import Bus
import Messages
import Model

/// What is known of all rooms, and how it looks on a desktop. Pure: it is told what happens and gives scenes.
struct Household {
  private struct Room {
    var state: Playback.RoomState
    var anchor: PositionAnchor
  }

  private var rooms: [RoomName: Room] = [:]
  private var queues: [RoomName: Playback.QueueState] = [:]
  /// Where in its queue a room was last.
  private var lastIndices: [RoomName: Int] = [:]
  /// The `file:` URLs of the covers shown now, and of no others.
  private var covers: [ArtID: String] = [:]

  /// Takes the states of all rooms at a moment of the monotonic clock, in microseconds. A room that is away has none.
  mutating func observe(_ states: [Observed<Playback.RoomState>], at now: Int64) {
    rooms = [:]
    for observed in states where !observed.away {
      guard let name = RoomName(rawValue: observed.node.name) else { continue }
      let position = observed.value.position
      // Both times are the room's own, so their difference holds however wrong its clock is.
      let offset = position.after(max(.zero, observed.saidAt - position.takenAt))
      let anchor = PositionAnchor(
        offset: offset.microseconds, rate: position.rate, at: now - observed.age.microseconds)
      rooms[name] = Room(state: observed.value, anchor: anchor)
    }
    let shown = Set(rooms.values.compactMap(\.state.item?.track.art))
    covers = covers.filter { shown.contains($0.key) }
  }

  /// Takes the queues of all rooms.
  mutating func observe(_ states: [Observed<Playback.QueueState>]) {
    queues = [:]
    for observed in states where !observed.away {
      guard let name = RoomName(rawValue: observed.node.name) else { continue }
      queues[name] = observed.value
      if let current = observed.value.current { lastIndices[name] = current }
    }
  }

  /// Takes where a cover lies. One that no room shows any more comes too late.
  mutating func found(_ cover: ArtID, at url: String) {
    if rooms.values.contains(where: { $0.state.item?.track.art == cover }) { covers[cover] = url }
  }

  /// The covers of the items that rooms play, by entry.
  var wantedCovers: [EntryID: ArtID] {
    var wanted: [EntryID: ArtID] = [:]
    for room in rooms.values {
      if let item = room.state.item, let cover = item.track.art { wanted[item.entry] = cover }
    }
    return wanted
  }

  /// How the rooms look now.
  var scenes: [RoomName: RoomScene] {
    var scenes: [RoomName: RoomScene] = [:]
    for (name, room) in rooms {
      let properties = PlayerProperties(
        state: room.state, queue: queues[name], art: room.state.item?.track.art.flatMap { covers[$0] },
        lastIndex: lastIndices[name])
      scenes[name] = RoomScene(properties: properties, anchor: room.anchor)
    }
    return scenes
  }
}
