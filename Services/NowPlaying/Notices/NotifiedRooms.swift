import Model

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
