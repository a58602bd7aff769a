import Messages
import Model

/// The properties of a room's player on the desktop, except the position, which changes continuously.
struct PlayerProperties: Equatable, Sendable {
  /// `PlaybackStatus` of MPRIS.
  enum Status: String, Sendable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  /// The values of `LoopStatus` and their meanings.
  static let loops: [(name: String, mode: Playback.Repeat)] = [("None", .off), ("Track", .one), ("Playlist", .all)]

  var status = Status.stopped
  var repeats = Playback.Repeat.off
  var isShuffled = false
  var metadata = MPRISMetadata.fields(of: nil, length: nil)
  /// The volume in percent.
  var volume = 0
  var canGoNext = false
  var canGoPrevious = false
  /// The properties `CanPlay` and `CanPause`.
  var canPlay = false
  var canSeek = false
  /// The `mpris:trackid` of the current entry.
  var trackPath = TrackPath.none
  var entry: EntryID?
  /// True if the room has a current item, even one that must not be shown.
  var hasItem = false
  /// The length of the current track; nil if unknown.
  var length: Milliseconds?

  /// Returns the value of a property of the interface `org.mpris.MediaPlayer2.Player`; nil for `Position`, and for a
  /// property of another interface.
  func value(of property: String) -> DBusValue? {
    switch property {
    case "PlaybackStatus": .string(status.rawValue)
    case "LoopStatus": .string(Self.loops.first { $0.mode == repeats }?.name ?? "None")
    case "Shuffle": .bool(isShuffled)
    case "Rate", "MinimumRate", "MaximumRate": .double(1)
    case "Metadata": .dictionary(metadata)
    case "Volume": .double(Double(volume) / 100)
    case "CanGoNext": .bool(canGoNext)
    case "CanGoPrevious": .bool(canGoPrevious)
    case "CanPlay", "CanPause": .bool(canPlay)
    case "CanSeek": .bool(canSeek)
    case "CanControl": .bool(true)
    default: nil
    }
  }

  /// The properties that the signal `PropertiesChanged` may contain. MPRIS excludes `Position` and `CanControl`, and
  /// the rates never change.
  static let signalled = [
    "PlaybackStatus", "LoopStatus", "Shuffle", "Metadata", "Volume", "CanGoNext", "CanGoPrevious", "CanPlay",
    "CanPause", "CanSeek",
  ]

  /// Returns the names of the properties whose values differ from those of an earlier state.
  func changes(since earlier: PlayerProperties) -> [String] {
    self == earlier ? [] : Self.signalled.filter { value(of: $0) != earlier.value(of: $0) }
  }
}

extension PlayerProperties {
  /// Creates the properties of a room.
  ///
  /// Buffering appears as playing, since a person has started playback; an error appears as stopped, since playback
  /// does not continue by itself.
  ///
  /// - Parameters:
  ///   - state: the state of the room.
  ///   - queue: the state of its queue; nil if unknown.
  ///   - extras: the cover and details of the current item.
  ///   - isHidden: true if the item must not be shown, as the account of its source is signed out.
  init(
    state: Playback.RoomState, queue: Playback.QueueState? = nil, extras: MPRISMetadata.Extras = .init(),
    isHidden: Bool = false
  ) {
    let count = queue?.count ?? (state.item == nil ? 0 : 1)
    let item = isHidden ? nil : state.item
    length = item.flatMap { Self.length(of: $0, decoded: state.duration) }
    status = Self.status(of: state)
    // A hidden track that is paused appears as stopped. While it plays, it appears as playing, so that it can be
    // paused.
    if isHidden, status != .playing { status = .stopped }
    metadata = MPRISMetadata.fields(of: item, length: length, extras: extras)
    volume = state.volume
    trackPath = item.map { TrackPath.of($0.entry) } ?? TrackPath.none
    entry = item?.entry
    hasItem = state.item != nil
    canPlay = state.item != nil || count > 0
    canGoPrevious = state.item != nil
    canGoNext = state.item.map { Self.canGoNext(from: $0, state, queue) } ?? false
    canSeek = length != nil && status != .stopped
    guard let modes = state.modes else { return }
    isShuffled = modes.order == .tracks || modes.order == .albums
    repeats = modes.repeats
  }

  /// Returns the length of an item: the length in its tags, or the decoded one if that differs by a second or more.
  /// Smaller differences are common, no program shows them, and the metadata is not sent again for them.
  private static func length(of item: QueueItem, decoded: Milliseconds?) -> Milliseconds? {
    let tagged = item.track.duration
    guard let decoded, decoded > .zero else { return tagged > .zero ? tagged : nil }
    return tagged > .zero && (decoded - tagged).rawValue.magnitude < 1000 ? tagged : decoded
  }

  /// Returns true if an item follows this one. State and queue arrive one after the other, so the queue may not contain
  /// the item; then a next one may exist, and the result is true (MPRIS, `CanGoNext`).
  private static func canGoNext(
    from item: QueueItem, _ state: Playback.RoomState, _ queue: Playback.QueueState?
  ) -> Bool {
    guard let queue, queue.continuation == nil, state.modes?.repeats != .all else { return true }
    guard let place = queue.items.firstIndex(where: { $0.entry == item.entry }) else { return true }
    return queue.first + place + 1 < queue.count
  }

  private static func status(of state: Playback.RoomState) -> Status {
    // A room may report that it will play before it reports the track; a player without a track is stopped.
    guard state.item != nil else { return .stopped }
    return switch state.state {
    case .playing, .buffering: .playing
    case .paused: .paused
    case .idle, .error: .stopped
    case .unknown: state.position.rate > 0 ? .playing : .paused
    }
  }
}
