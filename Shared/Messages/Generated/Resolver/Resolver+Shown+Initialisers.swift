// Generated from Resolver+Shown.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Resolver.Badge {
  public init(plugin: Resolver.PluginName, color: String, confidence: Double, isAvailable: Bool, _: Void = ()) {
    self.plugin = plugin
    self.color = color
    self.confidence = confidence
    self.isAvailable = isAvailable
  }
}

extension Resolver.ShownTrack {
  public init(id: TrackID, state: Resolver.ShownState, badges: [Resolver.Badge] = [], _: Void = ()) {
    self.id = id
    self.state = state
    self.badges = badges
  }
}

extension Resolver.ShowTracks {
  public init(
    context: String, place: Resolver.ShownPlace, tracks: [DescribedTrack], hovered: DescribedTrack? = nil, _: Void = ()
  ) {
    self.context = context
    self.place = place
    self.tracks = tracks
    self.hovered = hovered
  }
}

extension Resolver.ShownTrackList {
  public init(tracks: [Resolver.ShownTrack], _: Void = ()) { self.tracks = tracks }
}

extension Resolver.ShownTracksState {
  public init(tracks: [Resolver.ShownTrack], _: Void = ()) { self.tracks = tracks }
}
