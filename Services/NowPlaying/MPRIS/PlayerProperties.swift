import Messages
import Model

/// What a room's player shows on the desktop, apart from the position, which moves by itself.
struct PlayerProperties: Equatable, Sendable {
  /// `PlaybackStatus` of MPRIS.
  enum Status: String, Sendable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  /// `LoopStatus` of MPRIS.
  enum Loop: String, Sendable {
    case none = "None"
    case track = "Track"
    case playlist = "Playlist"
  }

  var status = Status.stopped
  var loop = Loop.none
  /// Whether the queue is mixed: `Shuffle`.
  var isMixed = false
  var metadata = MPRISMetadata.fields(of: nil, length: nil)
  /// In percent.
  var volume = 0
  var canGoNext = false
  var canGoPrevious = false
  var canPlay = false
  var canPause = false
  var canSeek = false
  /// The `mpris:trackid` of the current entry.
  var trackPath = TrackPath.none
  /// The current entry: what a position is meant for.
  var entry: EntryID?
  /// Whether the room has a current item, be it shown or not.
  var hasItem = false
  /// The length of the current track; nil where unknown.
  var length: Milliseconds?

  /// The value of a property of the interface `org.mpris.MediaPlayer2.Player`, the position apart.
  func value(of property: String) -> DBusValue? {
    switch property {
    case "PlaybackStatus": .string(status.rawValue)
    case "LoopStatus": .string(loop.rawValue)
    case "Shuffle": .bool(isMixed)
    case "Rate", "MinimumRate", "MaximumRate": .double(1)
    case "Metadata": .dictionary(metadata)
    case "Volume": .double(Double(volume) / 100)
    case "CanGoNext": .bool(canGoNext)
    case "CanGoPrevious": .bool(canGoPrevious)
    case "CanPlay": .bool(canPlay)
    case "CanPause": .bool(canPause)
    case "CanSeek": .bool(canSeek)
    case "CanControl": .bool(true)
    default: nil
    }
  }

  /// The properties that `PropertiesChanged` may tell of. Position and CanControl are none of them, and rates are fixed.
  static let announced = [
    "PlaybackStatus", "LoopStatus", "Shuffle", "Metadata", "Volume", "CanGoNext", "CanGoPrevious", "CanPlay",
    "CanPause", "CanSeek",
  ]

  /// The properties whose value differs from an earlier one.
  func changes(since earlier: PlayerProperties) -> [String] {
    self == earlier ? [] : Self.announced.filter { value(of: $0) != earlier.value(of: $0) }
  }
}

extension PlayerProperties {
  /// What is known beside a room's state.
  struct Context {
    var queue: Playback.QueueState?
    /// What may be shown of the current item beyond itself.
    var extras = MPRISMetadata.Extras()
    /// Whether nothing of the item may be shown: the account it came from is signed out.
    var isHidden = false
  }

  /// How a room looks as a player.
  ///
  /// Buffering shows as playing, since sound was asked for; an error as stopped, since sound cannot go on by itself.
  init(state: Playback.RoomState, context: Context) {
    let queue = context.queue
    let count = queue?.count ?? (state.item == nil ? 0 : 1)
    let item = context.isHidden ? nil : state.item
    length = item.flatMap { Self.length(of: $0, decoded: state.duration) }
    status = Self.status(of: state)
    // What is paused and hidden is as good as stopped; what can be heard can also be paused.
    if context.isHidden, status != .playing { status = .stopped }
    metadata = MPRISMetadata.fields(of: item, length: length, extras: context.extras)
    volume = state.volume
    trackPath = item.map { TrackPath.of($0.entry) } ?? TrackPath.none
    entry = item?.entry
    hasItem = state.item != nil
    canPlay = state.item != nil || count > 0
    canPause = canPlay
    canGoPrevious = state.item != nil
    canGoNext = state.item.map { Self.canGoNext(from: $0, state, queue) } ?? false
    canSeek = length != nil && status != .stopped
    guard let modes = state.modes else { return }
    isMixed = modes.order == .tracks || modes.order == .albums
    loop =
      switch modes.repeats {
      case .off, .unknown: .none
      case .one: .track
      case .all: .playlist
      }
  }

  /// Tags and decoders differ by some milliseconds, and no program shows less than a second: what it was first said to be
  /// stays, so that a track is not told of once more for that.
  private static func length(of item: QueueItem, decoded: Milliseconds?) -> Milliseconds? {
    let tagged = item.track.duration
    guard let decoded, decoded > .zero else { return tagged > .zero ? tagged : nil }
    return tagged > .zero && (decoded - tagged).rawValue.magnitude < 1000 ? tagged : decoded
  }

  /// Whether there is an item after this one. State and queue come one after the other, so the place is looked up in the
  /// queue; where the item is not in what is known of the queue, there may be (MPRIS, `CanGoNext`).
  private static func canGoNext(
    from item: QueueItem, _ state: Playback.RoomState, _ queue: Playback.QueueState?
  ) -> Bool {
    guard let queue, queue.continuation == nil, state.modes?.repeats != .all else { return true }
    guard let place = queue.items.firstIndex(where: { $0.entry == item.entry }) else { return true }
    return queue.first + place + 1 < queue.count
  }

  private static func status(of state: Playback.RoomState) -> Status {
    // A room that is about to play may say so before it says what; a player without a track is stopped.
    guard state.item != nil else { return .stopped }
    return switch state.state {
    case .playing, .buffering: .playing
    case .paused: .paused
    case .idle, .error: .stopped
    case .unknown: state.position.rate > 0 ? .playing : .paused
    }
  }
}
