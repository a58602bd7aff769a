public import Model

// The tracks that people see, and what is found for them while they see them.

extension Resolver {
  /// The places that show described tracks, by which it is decided which are looked for first.
  public enum ShownPlace: String, TolerantName {
    /// A queue: what sounds soon.
    case queue
    /// A list from which a queue is filled.
    case pool
    /// Any other list.
    case page
    /// A list beside the page.
    case sidebar
    case unknown
  }

  /// The knowledge of a shown track.
  public enum ShownState: String, TolerantName {
    /// Plugins are being asked, or will be.
    case asking
    /// Plugins have found it.
    case found
    /// The library has it; no plugin was asked.
    case library
    /// No plugin has found it.
    case nothing
    /// The plugins could not be asked. It is tried again when the shown tracks change, and after a while.
    case failed
    case unknown
  }

  /// A plugin that has found a shown track.
  public struct Badge: Codable, Hashable, Sendable {
    /// The plugin.
    public var plugin: PluginName
    /// The colour of the plugin's badge as `#rrggbb`.
    public var color: String
    /// The confidence that it is the track, from 0 to 1.
    public var confidence: Double
    /// True if a room can play it; false for a mere link, and for a plugin that is switched off.
    public var isAvailable: Bool
  }

  /// A shown track with what is known of it.
  public struct ShownTrack: Codable, Hashable, Sendable {
    /// The id that follows from its description.
    public var id: TrackID
    /// Says whether it was found.
    public var state: ShownState
    /// The plugins that have found it, by their names.
    public var badges: [Badge] = []
  }

  /// Says which described tracks a place shows now, in their order, and no others. They are looked for as long as the
  /// place repeats this at least every 30 s; those that it no longer shows are given up. Without tracks the place is
  /// gone. What is found later is in `ShownTracksState`. Since 0.2.
  public struct ShowTracks: ReadRequest {
    public static let kind = "resolver.show-tracks"
    /// The most tracks of one place.
    public static let trackLimit = 100
    /// The tracks in their order; refused with `resolver.noPlugins`, `resolver.tooManyTracks`.
    public typealias Answer = ShownTrackList
    /// The name of the place, which tells it from all others in the household.
    public var context: String
    /// The kind of the place, which says what comes first.
    public var place: ShownPlace
    /// The tracks that are visible, and behind them those that soon will be; at most 100.
    public var tracks: [DescribedTrack]
    /// The track over which a person's pointer is; nil for none.
    public var hovered: DescribedTrack? = nil
  }

  /// The answer to `ShowTracks`.
  public struct ShownTrackList: Codable, Hashable, Sendable {
    /// The tracks in the order of the request.
    public var tracks: [ShownTrack]
  }

  /// The shown tracks for which something was found last. Since 0.2.
  public struct ShownTracksState: State, Hashable {
    public static let kind = "resolver.shown-tracks"
    /// The most tracks in it. Who may have missed more asks again by `ShowTracks`.
    public static let trackLimit = 40
    /// At most 40 shown tracks for which something was found last, the newest one last.
    public var tracks: [ShownTrack]
  }
}
