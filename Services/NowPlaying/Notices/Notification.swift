import Model

/// What a notification of the desktop says (Desktop Notifications Specification 1.2).
struct Notification: Hashable, Sendable {
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
