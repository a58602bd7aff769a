import Model

/// What a notification of the desktop says (Desktop Notifications Specification 1.2).
struct DesktopNotification: Hashable, Sendable {
  var room: RoomName
  var title: String
  /// Markup, in which `&`, `<` and `>` are written as entities.
  var body: String
  /// The `file:` URL of a picture.
  var image: String?
  /// Whether something is wrong.
  var isProblem = false

  /// Tells what begins to play.
  init(_ item: QueueItem, in room: RoomName, cover: String?) {
    self.room = room
    title = item.track.title.dbusText
    let parts = [item.track.artist, item.track.album].filter { !$0.isEmpty }
    body = Self.escaped(parts.joined(separator: " – "))
    image = cover
  }

  /// Tells why nothing plays.
  init(_ problem: LunaraError, in room: RoomName) {
    self.room = room
    title = PlayerName.identity(of: room)
    body = Self.escaped(problem.message)
    isProblem = true
  }

  private static func escaped(_ text: String) -> String {
    text.dbusText.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.append(character)
      }
    }
  }
}

/// The rooms whose new tracks the desktop shows notifications of.
enum NotifiedRooms: Hashable, Sendable {
  case none
  case all
  case only(Set<RoomName>)

  /// Reads a setting: on, off, or the names of rooms, comma-separated.
  init(_ text: String?) {
    switch (text ?? "").lowercased() {
    case "", "0", "false", "no", "off": self = .none
    case "1", "true", "yes", "on", "all": self = .all
    case let names: self = .only(Set(names.split(separator: ",").map { RoomName(from: String($0)) }))
    }
  }

  /// Whether a room is one of them.
  func contains(_ room: RoomName) -> Bool {
    switch self {
    case .none: false
    case .all: true
    case .only(let rooms): rooms.contains(room)
    }
  }
}

/// Decides what notifications tell of: each track that begins to play, once, and why a room can play no more. Pure; times
/// in microseconds of a monotonic clock.
struct NotificationPolicy {
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
  mutating func update(_ snapshots: [RoomName: PlayerSnapshot], at now: Int64) -> [DesktopNotification] {
    places = places.filter { snapshots[$0.key] != nil }
    var told: [DesktopNotification] = []
    for (room, snapshot) in snapshots.sorted(by: { $0.key < $1.key }) where rooms.contains(room) {
      guard var place = places[room] else {
        places[room] = Place(entry: snapshot.item?.entry, problem: snapshot.problem?.code)
        continue
      }
      if let problem = snapshot.problem, problem.code != place.problem { told.append(DesktopNotification(problem, in: room)) }
      place.problem = snapshot.problem?.code
      if let item = snapshot.item, item.entry != place.entry, snapshot.properties.status == .playing {
        let since = place.waitsSince ?? now
        place.waitsSince = since
        if snapshot.isComplete || now - since >= Self.patience {
          told.append(DesktopNotification(item, in: room, cover: snapshot.cover))
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
