import HTTP
import Messages
import Model
import Plugins
import ServiceKit
import System
import Text

/// Finds the places where described tracks can sound: asks the plugins, keeps what they found, ranks it, and gives
/// rooms an address.
actor SourceFinder {
  /// The deadlines of calls.
  enum Deadline {
    static let search = Duration.seconds(10)
    static let lookup = Duration.seconds(15)
    static let playlist = Duration.seconds(60)
  }

  /// The tracks that plugins found for a wanted one, and the plugins that failed.
  struct Finding: Sendable {
    var found: [FoundTrack]
    var failures: [Resolver.PluginFailure] = []
  }

  /// An address that a room can play, and the time when it was given.
  struct Stream {
    var address: StreamAddress
    var foundAt: Milliseconds
  }

  /// Plugins that are being asked for a track, for everybody who waits for the answer.
  struct Asking {
    var number: Int
    var task: Task<Finding, any Error>
    var waiting = 0
  }

  /// The key of the answer that a plugin's file gave for a track.
  struct Key: Hashable {
    var track: String
    var file: String

    init(_ track: String, _ plugin: PluginRegistry.Usable) {
      self.track = track
      file = plugin.file.digest
    }
  }

  /// The most addresses and hits of searches that are remembered.
  static let memoryLimit = 5000

  let registry: PluginRegistry
  let cache: SourceCache
  let decisions: SourceDecisions
  let soundCloud: SoundCloudStreams
  let log: Log
  /// Reads pages of YouTube and Bandcamp; nil if no person has named a program for that.
  let pageReader: PageReader?
  let limiters = (usual: CallLimiter(.usual), apple: CallLimiter(.own))
  var asking: [String: Asking] = [:]
  var lastAsking = 0
  var streams: [Key: Stream] = [:]
  var hits: [Key: FoundTrack] = [:]
  var searches: [String: (hits: Resolver.SearchHits, at: Milliseconds)] = [:]
  /// The plugins whose function `play` gave nothing that a room can play.
  var linkOnly: Set<String> = []

  init(
    registry: PluginRegistry, cache: SourceCache, decisions: SourceDecisions, soundCloud: SoundCloudStreams, log: Log,
    pageReader: PageReader? = nil
  ) {
    self.registry = registry
    self.cache = cache
    self.decisions = decisions
    self.log = log
    self.soundCloud = soundCloud
    self.pageReader = pageReader
  }

  /// Returns the ranked sources of a track.
  func sources(of wanted: DescribedTrack, isFresh: Bool = false) async throws -> Resolver.SourceList {
    let plugins = try await resolvers()
    let finding = try await find(wanted, plugins, isFresh: isFresh)
    let ranked = try await rank(finding.found, for: wanted, plugins)
    var sources: [Resolver.Source] = []
    for (one, found) in ranked { sources.append(await described(found, one, plugins)) }
    return .init(sources: sources, failures: finding.failures)
  }

  private func described(
    _ found: FoundTrack, _ one: SourceChoice.Ranked, _ plugins: [PluginRegistry.Usable]
  ) async -> Resolver.Source {
    let source = one.source
    let plugin = plugins.first { $0.file.id == source.plugin }
    let name =
      if let plugin { plugin.name } else {
        Resolver.PluginName(id: source.plugin, name: await registry.name(of: source.plugin))
      }
    return Resolver.Source(
      plugin: name, color: plugin?.file.content.manifest.color ?? "#888888", kind: kind(of: found, plugin),
      confidence: source.confidence, rank: one.rank, reason: one.reason.rawValue, title: source.title,
      artist: source.artist, album: source.album, duration: source.duration, cover: source.cover, url: found.page,
      sourceID: source.sourceID, hasPreview: found.preview == nil ? nil : true)
  }

  /// Returns the way in which a source can sound, as far as that is known before it is tried.
  private func kind(of found: FoundTrack, _ plugin: PluginRegistry.Usable?) -> Resolver.SourceKind {
    if let plugin, let kind = soundCloud.kind(of: found, by: plugin) { return kind }
    if found.isStream || pageReader != nil && found.readablePage != nil { return .stream }
    return plugin?.has("play") == true && !linkOnly.contains(found.source.plugin) ? .stream : .link
  }

  /// Stores a decision of a person, and returns the sources afterwards. A plugin whose source is the wrong song may
  /// have another one, so it is asked again.
  func decide(_ request: Resolver.DecideSource) async throws -> Resolver.SourceList {
    try await decisions.decide(request)
    let concernsHits = [.block, .unblock, .forget].contains(request.verdict)
    return try await sources(of: request.described, isFresh: concernsHits)
  }

  /// Returns the plugins that find music and may be run, in the person's order.
  ///
  /// - Throws: `resolver.noPlugins` where there is none.
  func resolvers() async throws -> [PluginRegistry.Usable] {
    let plugins = try await registry.usable().filter(\.file.content.isResolver)
    guard !plugins.isEmpty else {
      throw LunaraError(
        "resolver.noPlugins",
        "No plugin that finds music is switched on. `lunara plugins` lists those that are installed.")
    }
    return plugins
  }

  /// Ranks what was found for a track: first the source that its person chose for it.
  func rank(
    _ found: [FoundTrack], for wanted: DescribedTrack, _ plugins: [PluginRegistry.Usable]
  ) async throws -> [(SourceChoice.Ranked, FoundTrack)] {
    let decided = try await decisions.read(for: wanted)
    let ids = plugins.map(\.file.id)
    let choice = SourceChoice(enabled: Set(ids), order: ids, blocked: decided.blocked)
    let ranked = choice.rank(
      found.map(\.source), for: wanted, preferred: decided.preferred, chosen: wanted.choice?.plugin)
    return ranked.compactMap { one in found.first { $0.source == one.source }.map { (one, $0) } }
  }
}
