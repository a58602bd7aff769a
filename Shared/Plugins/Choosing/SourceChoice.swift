public import Model

/// The choice among the sources that plugins found for a track.
public struct SourceChoice: Sendable {  // memberwise
  /// The reasons why a source is used before others, or not at all.
  public enum Reason: String, TolerantName {
    /// A person chose this plugin for the track now.
    case chosen
    /// A person prefers this plugin for the track.
    case preferred
    /// The plugin comes first in the person's order.
    case order
    /// The plugin is not in the order, and its confidence is the highest of those.
    case confidence
    /// It is another track: its confidence is below the floor.
    case belowFloor
    /// A person said that it is the wrong song.
    case blocked
    /// The plugin is switched off.
    case disabled
    case unknown

    /// True for the reasons why a source is not used.
    public var isRefusal: Bool { [.belowFloor, .blocked, .disabled].contains(self) }
  }

  /// A source with its rank.
  public struct Ranked: Hashable, Sendable {
    /// The source.
    public var source: TrackSource
    /// Its place, from 1; nil for one that is not used.
    public var rank: Int?
    /// Why it has that place, or none.
    public var reason: Reason
  }

  /// The ids of the plugins that are switched on.
  public var enabled: Set<String>
  /// The person's order of plugins, the first one first.
  public var order: [String]
  /// The sources that people called the wrong song.
  public var blocked: Set<BlockedSource> = []

  /// Ranks sources: those that can be used by the track's preferred plugin, the order and the confidence, and behind
  /// them the others. Where all are equal, the sources keep their order.
  ///
  /// - Parameters:
  ///   - sources: the sources that were found.
  ///   - wanted: the track that was looked for.
  ///   - preferred: the plugin that a person prefers for this track; nil for none.
  ///   - chosen: the plugin whose badge a person pressed; it comes first whatever else holds.
  public func rank(
    _ sources: [TrackSource], for wanted: DescribedTrack, preferred: String? = nil, chosen: String? = nil
  ) -> [Ranked] {
    let places = sources.enumerated().map { index, source in
      (key: key(source, index, wanted, preferred, chosen), source: source)
    }
    var rank = 0
    return places.sorted { $0.key < $1.key }.map { key, source in
      guard !key.reason.isRefusal else { return Ranked(source: source, rank: nil, reason: key.reason) }
      rank += 1
      return Ranked(source: source, rank: rank, reason: key.reason)
    }
  }

  /// Returns the first source that can be used; nil for none.
  public func choose(
    _ sources: [TrackSource], for wanted: DescribedTrack, preferred: String? = nil, chosen: String? = nil
  ) -> TrackSource? {
    rank(sources, for: wanted, preferred: preferred, chosen: chosen).first { $0.rank != nil }?.source
  }

  /// The values by which sources are sorted.
  private struct Key: Comparable {
    var reason: Reason
    var group: Int
    var place: Int
    var confidence: Double
    var index: Int

    static func < (one: Key, other: Key) -> Bool {
      (one.group, one.place, -one.confidence, one.index) < (other.group, other.place, -other.confidence, other.index)
    }
  }

  private func key(
    _ source: TrackSource, _ index: Int, _ wanted: DescribedTrack, _ preferred: String?, _ chosen: String?
  ) -> Key {
    let place = order.firstIndex(of: source.plugin)
    func key(_ reason: Reason, _ group: Int) -> Key {
      Key(reason: reason, group: group, place: place ?? order.count, confidence: source.confidence, index: index)
    }
    if source.plugin == chosen { return key(.chosen, 0) }
    if !enabled.contains(source.plugin) { return key(.disabled, 5) }
    if blocked.blocks(source, for: wanted) { return key(.blocked, 4) }
    if source.confidence < MatchConfidence.floor { return key(.belowFloor, 3) }
    if source.plugin == preferred { return key(.preferred, 1) }
    return key(place == nil ? .confidence : .order, 2)
  }
}

/// The order in which plugins are used.
public enum PluginOrder {
  /// The order in which known plugins come while a person has chosen none.
  public static let standard = ["spotify", "applemusic", "bandcamp", "soundcloud", "localfiles", "youtube"]

  /// Returns an order with a plugin that was switched on: before the first one that comes later in the standard order,
  /// and else at the end. One that has a place keeps it.
  public static func adding(_ plugin: String, to order: [String]) -> [String] {
    guard !order.contains(plugin) else { return order }
    var order = order
    let later = standard.firstIndex(of: plugin).map { Set(standard[($0 + 1)...]) } ?? []
    order.insert(plugin, at: order.firstIndex(where: later.contains) ?? order.endIndex)
    return order
  }
}
