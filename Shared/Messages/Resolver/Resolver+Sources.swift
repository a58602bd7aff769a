public import Model

extension Resolver {
  /// The ways in which a source can sound.
  public enum SourceKind: String, TolerantName {
    /// A room plays it.
    case stream
    /// It can only be opened as a link.
    case link
    /// A device of the person's own plays it (`PlayOnDevice`), and no room does.
    case device
    case unknown
  }

  /// A place where a described track can sound, with its rank among those that plugins found.
  public struct Source: Codable, Hashable, Sendable {
    /// The plugin that found it.
    public var plugin: PluginName
    /// The colour of the plugin's badge as `#rrggbb`.
    public var color: String
    /// The way in which it can sound.
    public var kind: SourceKind
    /// The confidence that it is the track, from 0 to 1.
    public var confidence: Double
    /// Its place, from 1; nil for one that is not used.
    public var rank: Int?
    /// The reason for its place, or for having none: `chosen`, `preferred`, `order`, `confidence`, `belowFloor`,
    /// `blocked`, `disabled`.
    public var reason: String
    /// The title that the plugin gives.
    public var title: String
    /// The artist that the plugin gives.
    public var artist: String
    /// The album; nil if unknown.
    public var album: String? = nil
    /// The length; nil if unknown.
    public var duration: Milliseconds? = nil
    /// The address of a picture of the cover; nil if there is none.
    public var cover: String? = nil
    /// The address of its page at the service; nil if there is none.
    public var url: String? = nil
    /// The service's id, by which it can be blocked; nil if it has none.
    public var sourceID: String? = nil
    /// True if it has a preview, about 30 s of the track; nil if it has none.
    public var hasPreview: Bool? = nil
  }

  /// Finds the sources of a described track: those that are known, or else what all plugins answer now. Since 0.2.
  public struct FindSources: ReadRequest {
    public static let kind = "resolver.find-sources"
    /// The sources; refused with `resolver.noPlugins`.
    public typealias Answer = SourceList
    /// The track.
    public var described: DescribedTrack
    /// True to ask the plugins though their answers are known.
    public var isFresh: Bool = false
  }

  /// The sources of a track.
  public struct SourceList: Codable, Hashable, Sendable {
    /// The sources: first those that are used, by their ranks.
    public var sources: [Source]
    /// The plugins that failed.
    public var failures: [PluginFailure] = []
  }

  /// Asks for the address from which a described track can be played now. Since 0.2.
  public struct Locate: ReadRequest {
    public static let kind = "resolver.locate"
    /// The address, with the plugin in it; refused with `resolver.noPlugins`, `resolver.noPreview`,
    /// `resolver.notFound`, `resolver.noEnabledSource`.
    public typealias Answer = Library.Locator
    /// The track, with the source that a person chose, which comes first.
    public var described: DescribedTrack
    /// The ids of plugins whose addresses could not be played: the next one is asked. A plugin that is named once is
    /// asked again where no other is left.
    public var failed: [String]? = nil
  }

  /// A person's decision on the sources of a track.
  public enum Verdict: String, TolerantName {
    /// The source is the wrong song: it is not used for this track again.
    case block
    /// The source may be used again.
    case unblock
    /// The plugin is used for this track before others.
    case prefer
    /// Nothing is decided for this track any more: no plugin is preferred, and no source is the wrong song.
    case forget
    case unknown
  }

  /// Decides on the sources of a track. Since 0.2.
  public struct DecideSource: CommandRequest {
    public static let kind = "resolver.decide-source"
    /// The sources afterwards; refused with `resolver.noPlugins`, `resolver.unknownSource`.
    public typealias Answer = SourceList
    /// The track.
    public var described: DescribedTrack
    /// The plugin of the source.
    public var plugin: String
    /// The service's id of the source, for `block` and `unblock`.
    public var sourceID: String? = nil
    /// The decision.
    public var verdict: Verdict
  }

  /// Searches by one plugin. A surface asks one plugin at a time, so that each answer is shown as it comes. Since 0.2.
  public struct Search: ReadRequest {
    public static let kind = "resolver.search"
    /// The hits; refused with `resolver.badSearch`, `resolver.unknownPlugin`, and the errors of the plugin.
    public typealias Answer = SearchHits
    /// The words.
    public var words: String
    /// The plugin.
    public var plugin: String
  }

  /// The hits of a plugin.
  public struct SearchHits: Codable, Hashable, Sendable {
    /// The plugin.
    public var plugin: PluginName
    /// The tracks, at most 50, in the plugin's order.
    public var tracks: [DescribedTrack]
  }

  /// Opens the address of a track, album or playlist at a service. Since 0.2.
  public struct OpenAddress: ReadRequest {
    public static let kind = "resolver.open-address"
    /// The thing that the address names; refused with `resolver.nothingThere`, `resolver.unknownAddress` where no
    /// plugin knows such addresses, and with the errors of the plugin.
    public typealias Answer = OpenedAddress
    /// The address of a track, album or playlist at a service.
    public var address: String
  }

  /// The thing that an address names.
  public struct OpenedAddress: Codable, Hashable, Sendable {
    /// The kinds of things.
    public enum Kind: String, TolerantName {
      case track, album, playlist, unknown
    }

    /// The plugin that opened it.
    public var plugin: PluginName
    /// The kind.
    public var kind: Kind
    /// The title.
    public var title: String
    /// The artist, or who made the playlist; nil if unknown.
    public var artist: String? = nil
    /// The tracks in their order, at most 500.
    public var tracks: [DescribedTrack]
  }
}
