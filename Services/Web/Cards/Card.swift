import Messages
import Model

/// What a room plays, as a widget or a wall shows it.
struct Card: Encodable, Sendable {
  var room: RoomName
  var state: String
  var away: Bool
  /// What went wrong; with the state `error` only.
  var message: String?
  var code: String?
  @Nullable var track: Shape.Track?
  /// Where the cover is, as a path of this server.
  var cover: String?
  var palette: Palette?
  var positionSeconds: Double
  var rate: Double
  @Nullable var durationSeconds: Double?
  /// What comes next, five at most.
  var next: [Coming]

  /// One of what comes next.
  struct Coming: Encodable, Sendable {
    var title: String
    var artist: String
  }

  /// Makes a card of a room, what is known of its queue, and the colours of what plays.
  init(_ room: Shape.Room, queue: Playback.QueueState?, palette: Palette?) {
    self.room = room.name
    state = room.state
    away = room.away
    message = room.message
    code = room.code
    track = room.track
    cover = room.track?.art.map { "/api/v1/art/\(Self.escaped($0.description))" }
    self.palette = palette
    positionSeconds = room.positionSeconds
    rate = room.rate
    durationSeconds = room.durationSeconds
    let coming = queue.flatMap { queue in queue.current.map { queue.items.dropFirst(max(0, $0 + 1 - queue.first)) } }
    next = (coming ?? []).prefix(5).map { Coming(title: $0.track.title, artist: $0.track.artist) }
  }

  /// Percent-encoded as one part of a path (RFC 3986, 2.3).
  private static func escaped(_ text: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 97...122, 65...90, 48...57, 45, 46, 95, 126: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
