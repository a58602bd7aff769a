import Messages
import Model

/// Decides what is told as heard now: one track, of the room that began last. Pure.
struct NowHeard {
  /// A room as it says it is.
  struct Room: Hashable, Sendable {
    var room: RoomName
    /// Whether sound reaches its output.
    var isPlaying: Bool
    var track: Track?
    /// What names this hearing: the listen, or the place in the queue.
    var hearing: String?
  }

  /// What is to be told now.
  enum Change: Hashable, Sendable {
    case heard(Track, in: RoomName)
    case nothing
  }

  /// The hearings that go on, those that began first first.
  private var order: [String] = []
  private var current: String?

  /// Takes in how all rooms stand; nil where what is to be told stays as it is.
  mutating func take(_ rooms: [Room]) -> Change? {
    let playing = rooms.filter { $0.isPlaying && $0.track != nil && $0.hearing != nil }
    order.removeAll { hearing in !playing.contains { $0.hearing == hearing } }
    for room in playing {
      if let hearing = room.hearing, !order.contains(hearing) { order.append(hearing) }
    }
    guard order.last != current else { return nil }
    current = order.last
    guard let room = playing.first(where: { $0.hearing == current }), let track = room.track else { return .nothing }
    return .heard(track, in: room.room)
  }
}
