import Messages
import Model

extension Shape {
  /// A room and what it plays, as of the moment it is written.
  struct Room: Encodable {
    var name: RoomName
    /// What people call it; null where they call it by its name.
    @Nullable var title: String?
    /// `idle`, `buffering`, `playing`, `paused` or `error`.
    var state: String
    /// What went wrong and what to do; there with `error` only.
    var message: String?
    var code: String?
    var away: Bool
    @Nullable var track: Track?
    /// The queue's entry that plays.
    @Nullable var entry: EntryID?
    /// Where in the track the room is now; readers extrapolate with `rate`.
    var positionSeconds: Double
    /// Media seconds a second; 0 while no sound flows or nothing is known.
    var rate: Double
    @Nullable var durationSeconds: Double?
    var volume: Int
    var queueRevision: Int64
    /// Up to where the track is buffered; left out where that is not known.
    var bufferedSeconds: Double?
    /// What the room does by itself; left out by an older room.
    var modes: Modes?
    /// What is not as it should be though the room goes on.
    var notice: LunaraError?
    /// In how long it tries again by itself; there with `error` only. Never a time of day: clocks differ.
    var retriesInSeconds: Double?
    /// In how long the sleep timer pauses it.
    var sleepsInSeconds: Double?
    /// Why it paused itself: `sleep` or `output`.
    var interruption: String?

    /// Makes a shape; `now` is by the room's clock.
    init(_ state: Playback.RoomState, position: Milliseconds, now: Timestamp, away: Bool) {
      name = state.room
      title = state.title
      self.state = state.state.name
      if case .error(let error) = state.state { (message, code) = (error.message, error.code) }
      self.away = away
      track = state.item.map { Track($0.track) }
      entry = state.item?.entry
      positionSeconds = position.seconds
      rate = away ? 0 : state.position.rate
      durationSeconds = state.duration?.seconds
      volume = state.volume
      queueRevision = state.queueRevision
      bufferedSeconds = state.buffered?.seconds
      modes = state.modes.map(Modes.init)
      notice = state.notice
      retriesInSeconds = state.retriesAt.map { max($0 - now, .zero).seconds }
      sleepsInSeconds = state.modes?.sleepsAt.map { max($0 - now, .zero).seconds }
      interruption = state.interruption
    }
  }

  /// What a room does by itself.
  struct Modes: Encodable {
    /// `off`, `one` or `all`.
    var `repeat`: String
    /// `queued`, `tracks` or `albums`.
    var order: String
    var stopsAfterCurrent: Bool
    var muted: Bool
    var maxVolume: Int

    init(_ modes: Playback.Modes) {
      `repeat` = modes.repeats.rawValue
      order = modes.order.rawValue
      stopsAfterCurrent = modes.stopsAfterCurrent
      muted = modes.isMuted
      maxVolume = modes.maximumVolume
    }
  }

  /// One place in a queue.
  struct QueueEntry: Encodable {
    var entry: EntryID
    var id: TrackID
    var albumID: AlbumID
    var title: String
    var artist: String
    var album: String
    var durationSeconds: Double
    var art: ArtID?

    init(_ item: QueueItem) {
      entry = item.entry
      id = item.track.id
      albumID = item.track.albumID
      title = item.track.title
      artist = item.track.artist
      album = item.track.album
      durationSeconds = item.track.duration.seconds
      art = item.track.art
    }
  }

  /// A part of a room's queue.
  struct Queue: Encodable {
    var room: RoomName
    var revision: Int64
    /// How many items the whole queue has.
    var count: Int
    /// The index of `items[0]` in the whole queue.
    var first: Int
    /// The index of what plays in the whole queue.
    @Nullable var current: Int?
    var items: [QueueEntry]
    /// Whether more albums follow after the last item.
    var continues: Bool
    /// Where the room is in what plays; left out of events, where it would be old when read.
    var positionSeconds: Double?

    init(_ queue: Playback.QueueState, room: RoomName, position: Milliseconds? = nil) {
      self.room = room
      revision = queue.revision
      count = queue.count
      first = queue.first
      current = queue.current
      items = queue.items.map(QueueEntry.init)
      continues = queue.continuation != nil
      positionSeconds = position?.seconds
    }
  }
}
