public import Bus
public import Messages
public import Model

/// Chooses the one track that is sent as playing now: that of the room that started last.
public struct NowPlayingChoice: Sendable {
  /// A room with what it plays.
  public struct Room: Hashable, Sendable {
    /// The name.
    public var room: RoomName
    /// True if sound reaches the output.
    public var isPlaying: Bool
    /// The track; nil if there is none.
    public var track: Track?
    /// The id of the listen, or else of the queue entry.
    public var hearing: String?

    public init(room: RoomName, isPlaying: Bool, track: Track?, hearing: String?) {
      self.room = room
      self.isPlaying = isPlaying
      self.track = track
      self.hearing = hearing
    }
  }

  /// A change of the track that plays.
  public enum Change: Hashable, Sendable {
    /// Another track plays.
    case playing(Track, in: RoomName)
    /// No track plays.
    case nothing
  }

  /// The ids of the tracks that play, in the order in which they started.
  private var order: [String] = []
  /// The id of the listen, or else of the queue entry, that was chosen; nil if nothing plays.
  public private(set) var current: String?

  public init() {}

  /// Updates the choice from the states of all rooms; returns nil if it has not changed.
  public mutating func update(_ rooms: [Room]) -> Change? {
    let playing = rooms.filter { $0.isPlaying && $0.track != nil && $0.hearing != nil }
    order.removeAll { hearing in !playing.contains { $0.hearing == hearing } }
    for room in playing {
      if let hearing = room.hearing, !order.contains(hearing) { order.append(hearing) }
    }
    guard order.last != current else { return nil }
    current = order.last
    guard let room = playing.first(where: { $0.hearing == current }), let track = room.track else { return .nothing }
    return .playing(track, in: room.room)
  }
}

extension NowPlayingChoice.Room {
  /// Creates a room by its state.
  public init(_ observed: Observed<Playback.RoomState>) {
    let state = observed.value
    let isPlaying = if case .playing = state.state { !observed.away } else { false }
    self.init(
      room: state.room, isPlaying: isPlaying, track: state.item?.track,
      hearing: state.listen?.listen.rawValue ?? state.item?.entry.rawValue)
  }
}
