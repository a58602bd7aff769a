import Model

/// Decides what notifications tell of: each track that begins to play, once, and why a room can play no more. Pure; times
/// in microseconds of a monotonic clock.
struct NoticeBoard {
  /// How long a notification waits for its cover.
  static let patience: Int64 = 1_000_000

  private struct Place {
    var entry: EntryID?
    var problem: String?
    /// Since when a track waits to be told of.
    var waitsSince: Int64?
  }

  let rooms: NotifiedRooms
  private var places: [RoomName: Place] = [:]

  init(_ rooms: NotifiedRooms) { self.rooms = rooms }

  /// Takes how the rooms stand, and gives what is to be told now. What a room plays or lacks when it is first seen is
  /// nothing new.
  mutating func observe(_ scenes: [RoomName: RoomScene], at now: Int64) -> [Notification] {
    places = places.filter { scenes[$0.key] != nil }
    var told: [Notification] = []
    for (room, scene) in scenes.sorted(by: { $0.key < $1.key }) where rooms.contains(room) {
      guard var place = places[room] else {
        places[room] = Place(entry: scene.item?.entry, problem: scene.problem?.code)
        continue
      }
      if let problem = scene.problem, problem.code != place.problem { told.append(Notification(problem, in: room)) }
      place.problem = scene.problem?.code
      if let item = scene.item, item.entry != place.entry, scene.properties.status == .playing {
        let since = place.waitsSince ?? now
        place.waitsSince = since
        if scene.isComplete || now - since >= Self.patience {
          told.append(Notification(item, in: room, cover: scene.cover))
          place.entry = item.entry
          place.waitsSince = nil
        }
      } else {
        place.waitsSince = nil
      }
      places[room] = place
    }
    return told
  }

  /// When a notification goes without its cover; nil for never.
  var due: Int64? { places.values.compactMap(\.waitsSince).min().map { $0 + Self.patience } }
}
