// Generated from Router.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Router.Play {
  public init(
    ids: [PlayableID], described: [DescribedTrack]? = nil, room: RoomName? = nil, mode: Playback.LoadMode = .now,
    startAt: Int = 0, shuffle: Bool = false, seed: UInt64? = nil, continues: Library.AlbumList? = nil,
    endsAfter: Bool? = nil, order: Playback.Order? = nil, _: Void = ()
  ) {
    self.ids = ids
    self.described = described
    self.room = room
    self.mode = mode
    self.startAt = startAt
    self.shuffle = shuffle
    self.seed = seed
    self.continues = continues
    self.endsAfter = endsAfter
    self.order = order
  }
}

extension Router.Played {
  public init(room: RoomName, tracks: Int, queue: Playback.QueueSummary, _: Void = ()) {
    self.room = room
    self.tracks = tracks
    self.queue = queue
  }
}

extension Router.Resolve {
  public init(track: TrackID, host: String, described: DescribedTrack? = nil, failed: [String]? = nil, _: Void = ()) {
    self.track = track
    self.host = host
    self.described = described
    self.failed = failed
  }
}

extension Router.Move {
  public init(from: RoomName, to: RoomName, keepsQueue: Bool? = nil, _: Void = ()) {
    self.from = from
    self.to = to
    self.keepsQueue = keepsQueue
  }
}
