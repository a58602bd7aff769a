// Generated from Shared/Client by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Messages
public import Model

extension Client.ImportReport {
  public init(
    playlist: Playlist, counts: [Library.TrackMatch: Int] = [:], missing: [DescribedTrack] = [],
    problems: [String] = [], _: Void = ()
  ) {
    self.playlist = playlist
    self.counts = counts
    self.missing = missing
    self.problems = problems
  }
}

extension DescribedWish {
  public init(wish: Library.Wish, missing: Discovery.MissingAlbum? = nil, _: Void = ()) {
    self.wish = wish
    self.missing = missing
  }
}

extension ConcertFilter {
  public init(near: Place? = nil, within: Double = Self.usualDistance, months: Int? = nil, _: Void = ()) {
    self.near = near
    self.within = within
    self.months = months
  }
}

extension HouseholdStatus {
  public init(
    nodes: [NodeStatus], rooms: [RoomStatus], catalogue: Library.CatalogueState?, outbox: Scrobble.OutboxState?,
    _: Void = ()
  ) {
    self.nodes = nodes
    self.rooms = rooms
    self.catalogue = catalogue
    self.outbox = outbox
  }
}

extension JSON.Member {
  public init(key: String, value: JSON, _: Void = ()) {
    self.key = key
    self.value = value
  }
}
