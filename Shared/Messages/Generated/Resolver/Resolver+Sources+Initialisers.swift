// Generated from Resolver+Sources.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Resolver.Source {
  public init(
    plugin: Resolver.PluginName, color: String, kind: Resolver.SourceKind, confidence: Double, rank: Int?,
    reason: String, title: String, artist: String, album: String? = nil, duration: Milliseconds? = nil,
    cover: String? = nil, url: String? = nil, sourceID: String? = nil, hasPreview: Bool? = nil, _: Void = ()
  ) {
    self.plugin = plugin
    self.color = color
    self.kind = kind
    self.confidence = confidence
    self.rank = rank
    self.reason = reason
    self.title = title
    self.artist = artist
    self.album = album
    self.duration = duration
    self.cover = cover
    self.url = url
    self.sourceID = sourceID
    self.hasPreview = hasPreview
  }
}

extension Resolver.FindSources {
  public init(described: DescribedTrack, isFresh: Bool = false, _: Void = ()) {
    self.described = described
    self.isFresh = isFresh
  }
}

extension Resolver.SourceList {
  public init(sources: [Resolver.Source], failures: [Resolver.PluginFailure] = [], _: Void = ()) {
    self.sources = sources
    self.failures = failures
  }
}

extension Resolver.Locate {
  public init(described: DescribedTrack, failed: [String]? = nil, _: Void = ()) {
    self.described = described
    self.failed = failed
  }
}

extension Resolver.DecideSource {
  public init(
    described: DescribedTrack, plugin: String, sourceID: String? = nil, verdict: Resolver.Verdict, _: Void = ()
  ) {
    self.described = described
    self.plugin = plugin
    self.sourceID = sourceID
    self.verdict = verdict
  }
}

extension Resolver.Search {
  public init(words: String, plugin: String, _: Void = ()) {
    self.words = words
    self.plugin = plugin
  }
}

extension Resolver.SearchHits {
  public init(plugin: Resolver.PluginName, tracks: [DescribedTrack], _: Void = ()) {
    self.plugin = plugin
    self.tracks = tracks
  }
}

extension Resolver.OpenAddress {
  public init(address: String, _: Void = ()) { self.address = address }
}

extension Resolver.OpenedAddress {
  public init(
    plugin: Resolver.PluginName, kind: Kind, title: String, artist: String? = nil, tracks: [DescribedTrack],
    _: Void = ()
  ) {
    self.plugin = plugin
    self.kind = kind
    self.title = title
    self.artist = artist
    self.tracks = tracks
  }
}
