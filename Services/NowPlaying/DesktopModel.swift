import Bus
import Messages
import Model

/// How a room stands, as far as the desktop is shown it.
struct PlayerSnapshot: Equatable, Sendable {
  var properties: PlayerProperties
  var anchor: PositionAnchor
  var tracks = TrackList()
  /// Whether all is known of the current track that will be.
  var isComplete = true
  /// Whether its sound is on its way: its length may yet turn out to be another.
  var isBuffering = false
  /// The current item, where it may be shown.
  var item: QueueItem?
  /// The `file:` URL of the cover, where it is there.
  var cover: String?
  /// Why sound cannot go on.
  var problem: LunaraError?
}

/// What is known of all rooms, and how it looks on a desktop. Pure: it is told what happens and gives snapshots.
struct DesktopModel {
  private struct Room {
    var state: Playback.RoomState
    var anchor: PositionAnchor
  }

  /// This host's id.
  let host: String
  private var rooms: [RoomName: Room] = [:]
  private var queues: [RoomName: Playback.QueueState] = [:]
  private var tracks: [RoomName: TrackList] = [:]
  /// The sources whose account is signed out.
  private var signedOut: Set<String> = []
  private var generation: Int64?
  /// Whether the library could be asked when its state was last heard of.
  private var hasLibrary = false
  /// The files of the covers that are shown or about to be.
  var covers = LookupCache<ArtID, LocalPath>()
  var details = LookupCache<TrackID, TrackDetails>()

  /// Knows of no room.
  init(host: String) { self.host = host }

  /// Takes the states of all rooms at a moment of the monotonic clock, in microseconds. A room that is away has none.
  mutating func update(_ states: [Observed<Playback.RoomState>], at now: Int64) {
    let earlier = rooms
    rooms = [:]
    for observed in states where !observed.away {
      guard let name = RoomName(rawValue: observed.node.name) else { continue }
      let position = observed.value.position
      // Both times are the room's own, so their difference holds however wrong its clock is.
      let offset = position.after(max(.zero, observed.saidAt - position.takenAt))
      let anchor = PositionAnchor(
        offset: offset.microseconds, rate: position.rate, at: now - observed.age.microseconds)
      rooms[name] = Self.between(earlier[name], observed.value, at: now) ?? Room(state: observed.value, anchor: anchor)
    }
  }

  /// A room that goes to a track may have to look it up first, and for a moment plays or pauses nothing. Meanwhile the
  /// track before stands still, so that the player does not seem to stop, nor lose its cover, with each step back.
  private static func between(_ earlier: Room?, _ state: Playback.RoomState, at now: Int64) -> Room? {
    guard let earlier, state.item == nil, let item = earlier.state.item else { return nil }
    switch state.state {
    case .playing, .buffering, .paused: break
    case .idle, .error, .unknown: return nil
    }
    var state = state
    (state.item, state.duration) = (item, earlier.state.duration)
    let offset = earlier.anchor.position(at: now, upTo: state.duration)
    return Room(state: state, anchor: PositionAnchor(offset: offset, at: now))
  }

  /// Takes the queues of all rooms.
  mutating func update(_ states: [Observed<Playback.QueueState>]) {
    queues = [:]
    var kept: [RoomName: TrackList] = [:]
    for observed in states where !observed.away {
      guard let name = RoomName(rawValue: observed.node.name) else { continue }
      queues[name] = observed.value
      kept[name] = tracks[name] ?? TrackList()
      kept[name]?.update(observed.value)
    }
    tracks = kept
  }

  /// Takes how the sources of music fare. What could not be found before may be there after a refresh, and when the
  /// library was away and is back.
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

  /// What the items that are shown are made of, and those after them: with these known in advance a new track is shown
  /// whole at once.
  var wanted: (covers: Set<ArtID>, tracks: Set<TrackID>) {
    var wanted: (covers: Set<ArtID>, tracks: Set<TrackID>) = ([], [])
    for (name, room) in rooms {
      guard let item = room.state.item else { continue }
      for item in [item, next(after: item, in: queues[name])].compactMap(\.self) where !isHidden(item) {
        wanted.tracks.insert(item.track.id)
        if let cover = item.track.art { wanted.covers.insert(cover) }
      }
    }
    return wanted
  }

  /// How the rooms look now.
  var snapshots: [RoomName: PlayerSnapshot] {
    var snapshots: [RoomName: PlayerSnapshot] = [:]
    for (name, room) in rooms {
      let isHidden = room.state.item.map(isHidden) ?? false
      let item = isHidden ? nil : room.state.item
      let extras = item.map(extras) ?? MPRISMetadata.Extras()
      let properties = PlayerProperties(
        state: room.state,
        context: .init(queue: queues[name], extras: extras, isHidden: isHidden))
      var snapshot = PlayerSnapshot(
        properties: properties, anchor: isHidden ? PositionAnchor() : room.anchor, item: item, cover: extras.cover)
      snapshot.tracks = shownTracks(of: name)
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
      cover: item.track.art.flatMap { covers[$0]?.url }, details: details[item.track.id], host: host)
  }

  private func isComplete(_ item: QueueItem) -> Bool {
    details.isFinished(item.track.id) && item.track.art.map(covers.isFinished) ?? true
  }

  private func shownTracks(of name: RoomName) -> TrackList {
    guard var list = tracks[name] else { return TrackList() }
    list.items = list.items.filter { !isHidden($0) }
    list.host = host
    for item in list.items {
      let extras = extras(of: item)
      if extras.cover != nil || extras.details != nil { list.extras[item.entry] = extras }
    }
    return list
  }
}
