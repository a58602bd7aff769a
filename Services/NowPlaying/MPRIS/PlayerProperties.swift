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

  var status = Status.stopped
  var metadata = Metadata.fields(of: nil, length: nil, art: nil)
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
  /// The length of the current track; nil where unknown.
  var length: Milliseconds?
  /// The index to start with where nothing is current.
  var startIndex = 0

  /// The value of a property of the interface `org.mpris.MediaPlayer2.Player`, the position apart.
  func value(of property: String) -> DBusValue? {
    switch property {
    case "PlaybackStatus": .string(status.rawValue)
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

  /// The properties that `PropertiesChanged` may tell of. Position and CanControl are none of them.
  static let announced = [
    "PlaybackStatus", "Metadata", "Volume", "CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek",
  ]

  /// The properties whose value differs from an earlier one.
  func changes(since earlier: PlayerProperties) -> [String] {
    self == earlier ? [] : Self.announced.filter { value(of: $0) != earlier.value(of: $0) }
  }
}

extension PlayerProperties {
  /// How a room looks as a player.
  ///
  /// Buffering shows as playing, since sound was asked for; an error as stopped, since sound cannot go on by itself.
  init(state: Playback.RoomState, queue: Playback.QueueState?, art: String?, lastIndex: Int? = nil) {
    let count = queue?.count ?? (state.item == nil ? 0 : 1)
    length =
      state.item == nil
      ? nil : [state.duration, state.item?.track.duration].lazy.compactMap(\.self).first { $0 > .zero }
    status = Self.status(of: state)
    metadata = Metadata.fields(of: state.item, length: length, art: art)
    volume = state.volume
    trackPath = state.item.map { TrackPath.of($0.entry) } ?? TrackPath.none
    entry = state.item?.entry
    canPlay = state.item != nil || count > 0
    canPause = canPlay
    canGoPrevious = state.item != nil
    let goesOn = queue?.continuation != nil || state.modes?.repeats == .all
    canGoNext = state.item != nil && (goesOn || queue.map { ($0.current ?? $0.count) + 1 < $0.count } ?? true)
    canSeek = length != nil && status != .stopped
    startIndex = lastIndex.map { max(0, min($0, count - 1)) } ?? 0
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
