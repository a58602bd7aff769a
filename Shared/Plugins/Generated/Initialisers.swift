// Generated from Shared/Plugins by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension SourceChoice {
  public init(enabled: Set<String>, order: [String], blocked: Set<BlockedSource> = [], _: Void = ()) {
    self.enabled = enabled
    self.order = order
    self.blocked = blocked
  }
}

extension TrackSource {
  public init(
    plugin: String, title: String, artist: String, album: String? = nil, duration: Milliseconds? = nil,
    isrc: String? = nil, cover: String? = nil, ids: [String: String] = [:], confidence: Double, _: Void = ()
  ) {
    self.plugin = plugin
    self.title = title
    self.artist = artist
    self.album = album
    self.duration = duration
    self.isrc = isrc
    self.cover = cover
    self.ids = ids
    self.confidence = confidence
  }
}

extension PluginConsent.Server {
  public init(setting: String, address: String, _: Void = ()) {
    self.setting = setting
    self.address = address
  }
}

extension RequestLimiter.Limits {
  public init(atOnce: Int, gap: Milliseconds, errorLimit: Int?, pause: Milliseconds, _: Void = ()) {
    self.atOnce = atOnce
    self.gap = gap
    self.errorLimit = errorLimit
    self.pause = pause
  }
}
