// Generated from Playback+Modes.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Playback.Modes {
  public init(
    repeats: Playback.Repeat = .off, order: Playback.Order = .queued, stopsAfterCurrent: Bool = false,
    stopsAfterAlbum: Bool? = nil, sleepsAt: Timestamp? = nil, isMuted: Bool = false, maximumVolume: Int = 100,
    _: Void = ()
  ) {
    self.repeats = repeats
    self.order = order
    self.stopsAfterCurrent = stopsAfterCurrent
    self.stopsAfterAlbum = stopsAfterAlbum
    self.sleepsAt = sleepsAt
    self.isMuted = isMuted
    self.maximumVolume = maximumVolume
  }
}

extension Playback.SetTitle {
  public init(title: String?, _: Void = ()) { self.title = title }
}
