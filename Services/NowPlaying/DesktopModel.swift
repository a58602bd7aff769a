import Bus
import Messages
import Model

/// The state of a room as its player on the desktop shows it.
struct PlayerSnapshot: Equatable, Sendable {
  var properties: PlayerProperties
  var anchor: PositionAnchor
  /// True if no lookup for the current track is under way.
  var isComplete = true
  /// True while the room buffers: the length of the track may still change.
  var isBuffering = false
  /// The current item; nil if there is none, or if it must not be shown.
  var item: QueueItem?
  /// The `file:` URL of the cover; nil if it is not known.
  var cover: String?
  /// The error that stops the room from playing.
  var problem: LunaraError?

  /// The data of the current track that is still missing.
  var pending: PropertyChangeTiming.Pending { !isComplete ? .details : isBuffering ? .sound : .nothing }
}

/// The states of all rooms, and how each room appears on the desktop. The states that the bus reports update it, and it
/// returns snapshots.
struct DesktopModel {
  private struct Room {
    var state: Playback.RoomState
    var anchor: PositionAnchor
  }

  let host: String
  private var rooms: [RoomName: Room] = [:]
  private var queues: [RoomName: Playback.QueueState] = [:]
  /// The names of the sources whose account is signed out.
  private var signedOut: Set<String> = []
  private var generation: Int64?
  /// True if the library was on the bus at the last update.
  private var hasLibrary = false
  /// The cover files of the current and next tracks.
  var covers = LookupCache<ArtID, LocalPath>()
  var details = LookupCache<RatedTrack, TrackDetails>()

  init(host: String) { self.host = host }

  /// Sets the states of all rooms; `now` is the time of the monotonic clock in microseconds. Rooms that are away are
  /// left out.
  mutating func update(_ states: [Observed<Playback.RoomState>], at now: Int64) {
    let earlier = rooms
    rooms = [:]
    for observed in states where !observed.away {
      guard let name = RoomName(rawValue: observed.node.name) else { continue }
      let offset = observed.value.position(saidAt: observed.saidAt, age: .zero)
      let anchor = PositionAnchor(
        offset: offset.microseconds, rate: observed.value.position.rate, at: now - observed.age.microseconds)
      rooms[name] =
        Self.keepingTrack(earlier[name], observed.value, at: now) ?? Room(state: observed.value, anchor: anchor)
    }
  }

  /// Returns the state to show while a room changes its track and for a moment has none: the previous track at its last
  /// position, not moving. So the player does not seem to stop, or to lose its cover, at each change. Returns nil if
  /// the room has a track, or does not play.
  private static func keepingTrack(_ earlier: Room?, _ state: Playback.RoomState, at now: Int64) -> Room? {
    guard let earlier, state.item == nil, let item = earlier.state.item else { return nil }
    switch state.state {
    case .playing, .buffering, .paused: break
    case .idle, .error, .unknown: return nil
    }
    var state = state
    state.item = item
    state.duration = earlier.state.duration
    let offset = earlier.anchor.position(at: now, upTo: state.duration)
    return Room(state: state, anchor: PositionAnchor(offset: offset, at: now))
  }

  mutating func update(_ states: [Observed<Playback.QueueState>]) {
    queues = [:]
    for observed in states where !observed.away {
      if let name = RoomName(rawValue: observed.node.name) { queues[name] = observed.value }
    }
  }

  /// Sets the state of the music sources. Covers and details that were not found are looked up again after each
  /// refresh, and when the library is back.
  mutating func update(_ states: [Observed<Library.CatalogueState>]) {
    let state = states.first { !$0.away }?.value
    let isBack = !hasLibrary
    hasLibrary = state != nil
    guard let state else { return }
    signedOut = Set(state.sources.filter { $0.health == "signed-out" }.map(\.name))
    guard isBack || state.generation != generation else { return }
    generation = state.generation
    covers.retryMissing()
    details.retryMissing()
  }

  /// The covers and tracks to look up: those of the current items, and of the next ones, so that a new track is shown
  /// complete at once.
  var wanted: (covers: Set<ArtID>, tracks: Set<RatedTrack>) {
    var wanted: (covers: Set<ArtID>, tracks: Set<RatedTrack>) = ([], [])
    for (name, room) in rooms {
      guard let item = room.state.item else { continue }
      for item in [item, next(after: item, in: queues[name])].compactMap(\.self) where !isHidden(item) {
        wanted.tracks.insert(RatedTrack(item.track))
        if let cover = item.track.art { wanted.covers.insert(cover) }
      }
    }
    return wanted
  }

  var snapshots: [RoomName: PlayerSnapshot] {
    var snapshots: [RoomName: PlayerSnapshot] = [:]
    for (name, room) in rooms {
      let isHidden = room.state.item.map(isHidden) ?? false
      let item = isHidden ? nil : room.state.item
      let extras = item.map(extras) ?? MPRISMetadata.Extras()
      let properties = PlayerProperties(
        state: room.state, queue: queues[name], extras: extras, isHidden: isHidden)
      var snapshot = PlayerSnapshot(
        properties: properties, anchor: isHidden ? PositionAnchor() : room.anchor, item: item, cover: extras.cover)
      snapshot.isComplete = item.map(isComplete) ?? true
      snapshot.isBuffering = room.state.state == .buffering
      if case .error(let error) = room.state.state { snapshot.problem = error }
      snapshots[name] = snapshot
    }
    return snapshots
  }

  private func next(after item: QueueItem, in queue: Playback.QueueState?) -> QueueItem? {
    guard let queue, let place = queue.items.firstIndex(where: { $0.entry == item.entry }) else { return nil }
    return place + 1 < queue.items.count ? queue.items[place + 1] : nil
  }

  private func isHidden(_ item: QueueItem) -> Bool { signedOut.contains(item.track.id.source) }

  private func extras(of item: QueueItem) -> MPRISMetadata.Extras {
    MPRISMetadata.Extras(
      cover: item.track.art.flatMap { covers[$0]?.url }, details: details[RatedTrack(item.track)], host: host)
  }

  private func isComplete(_ item: QueueItem) -> Bool {
    details.isFinished(RatedTrack(item.track)) && item.track.art.map(covers.isFinished) ?? true
  }
}
