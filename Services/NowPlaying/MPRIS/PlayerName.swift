import Model

/// The names under which rooms appear on the session bus.
enum PlayerName {
  /// What all players' names begin with.
  static let prefix = "org.mpris.MediaPlayer2.lunara."

  /// The bus name of a room's player: `org.mpris.MediaPlayer2.lunara.living_room`.
  ///
  /// D-Bus discourages dashes in names and allows no part that begins with a digit. Where the plain name is taken, for
  /// example by a second instance on the same desktop, attempt 1 and on take a suffix of the form MPRIS recommends.
  static func of(_ room: RoomName, attempt: Int = 0, process: Int32) -> String {
    var part = String(room.rawValue.map { $0 == "-" ? "_" : $0 })
    if let first = part.utf8.first, (48...57).contains(first) { part = "_" + part }
    switch attempt {
    case 0: return prefix + part
    case 1: return "\(prefix)\(part).instance\(process)"
    default: return "\(prefix)\(part).instance\(process)_\(attempt)"
    }
  }

  /// What people read: `Lunara (living-room)`.
  static func identity(of room: RoomName) -> String { "Lunara (\(room))" }
}
