public import Model
import Text

/// The ids by which services know a track, by the names of the members in which plugins give them.
public enum SourceID: String, CaseIterable, Codable, Hashable, Sendable {
  // The order says which of several counts where a person blocks a source.
  case youtube = "youtubeId"
  case spotifyURI = "spotifyUri"
  case spotify = "spotifyId"
  case bandcamp = "bandcampUrl"
  case soundcloudID = "soundcloudId"
  case soundcloud = "soundcloudUrl"
  case appleMusic = "appleMusicId"
  case file = "filePath"
  case own = "id"
}

/// A track that a plugin found for a wanted one: a place where it can sound.
public struct TrackSource: Codable, Hashable, Sendable {  // memberwise
  /// The id of the plugin.
  public var plugin: String
  /// The title that the plugin gives.
  public var title: String
  /// The artist that the plugin gives.
  public var artist: String
  /// The album; nil if unknown.
  public var album: String? = nil
  /// The length; nil if unknown.
  public var duration: Milliseconds? = nil
  /// The International Standard Recording Code; nil if unknown.
  public var isrc: String? = nil
  /// The address of a picture of the cover; nil if there is none.
  public var cover: String? = nil
  /// The ids of the services, by the members of `SourceID`.
  public var ids: [String: String] = [:]
  /// The confidence that it is the wanted track, from 0 to 1 (`MatchConfidence`).
  public var confidence: Double

  /// The service's id that tells this source from others of its plugin; nil if it has none.
  public var sourceID: String? { SourceID.allCases.lazy.compactMap { ids[$0.rawValue] }.first }

  /// Chooses among the tracks that one plugin found: those with the same names in the normal form come first, then
  /// those whose length is nearest, then those that the plugin named first. Returns nil for none.
  ///
  /// - Parameters:
  ///   - found: the tracks that the plugin found.
  ///   - wanted: the track that is looked for.
  ///   - blocked: the sources that people called the wrong song; they give way to the others.
  public static func best(
    of found: [TrackSource], for wanted: DescribedTrack, blocked: Set<BlockedSource> = []
  ) -> TrackSource? {
    let names = MatchConfidence.Names(artist: wanted.artist, title: wanted.title)
    let allowed = blocked.isEmpty ? found : found.filter { !blocked.blocks($0, for: wanted) }
    let found = allowed.isEmpty ? found : allowed
    let fitting = found.filter { $0.confidence >= MatchConfidence.floor }
    let ranked = (fitting.isEmpty ? found : fitting).enumerated().map { index, source in
      let isSame = MatchConfidence.Names(artist: source.artist, title: source.title) == names
      return (isOther: isSame ? 0 : 1, distance: source.distance(to: wanted), index: index, source: source)
    }
    return ranked.min { ($0.isOther, $0.distance, $0.index) < ($1.isOther, $1.distance, $1.index) }?.source
  }

  /// The difference of the lengths in milliseconds; the largest number where one of them is not known.
  private func distance(to wanted: DescribedTrack) -> Int64 {
    guard let duration, let other = wanted.duration, duration > .zero, other > .zero else { return .max }
    return abs(duration.rawValue - other.rawValue)
  }
}

/// A source that a person called the wrong song: it is not used for this track again.
public struct BlockedSource: Codable, Hashable, Sendable {
  /// The id of the plugin.
  public let plugin: String
  /// The artist that was looked for, in lower case.
  public let artist: String
  /// The title that was looked for, in lower case.
  public let title: String
  /// The service's id of what was found.
  public let sourceID: String

  /// The names of a track by which sources are blocked.
  public struct Names: Hashable, Sendable {
    /// The artist, in lower case.
    public let artist: String
    /// The title, in lower case.
    public let title: String

    /// Returns the names of a track.
    public init(of wanted: DescribedTrack) {
      artist = wanted.artist.lowercased().trimmed
      title = wanted.title.lowercased().trimmed
    }
  }

  /// Creates the block of a source that is known by its id.
  public init(plugin: String, sourceID: String, names: Names) {
    self.plugin = plugin
    self.sourceID = sourceID
    artist = names.artist
    title = names.title
  }

  /// Creates the block of a source for a track; nil for a source without an id, which cannot be told from others.
  public init?(_ source: TrackSource, for wanted: DescribedTrack) {
    guard let id = source.sourceID else { return nil }
    self.init(plugin: source.plugin, sourceID: id, names: Names(of: wanted))
  }
}

extension Set<BlockedSource> {
  /// Returns true if a source is the wrong song for a track. SoundCloud's are known by their ids, and by their
  /// addresses where these were blocked.
  public func blocks(_ source: TrackSource, for wanted: DescribedTrack) -> Bool {
    guard !isEmpty, let block = BlockedSource(source, for: wanted) else { return false }
    if contains(block) { return true }
    guard let id = source.ids[SourceID.soundcloudID.rawValue], block.sourceID == id,
      let address = source.ids[SourceID.soundcloud.rawValue]
    else { return false }
    return contains(BlockedSource(plugin: source.plugin, sourceID: address, names: BlockedSource.Names(of: wanted)))
  }
}
