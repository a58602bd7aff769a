// Generated from Playback+Output.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file

extension Playback.OutputState {
  public init(
    devices: [Playback.OutputDevice] = [], chosen: String? = nil, used: String? = nil,
    levelling: Playback.Levelling = .off, preamp: Double = 0, startVolume: Int? = nil, maximumVolume: Int = 100,
    resumesAfterCrash: Bool = false, resumesLongTracks: Bool? = nil, _: Void = ()
  ) {
    self.devices = devices
    self.chosen = chosen
    self.used = used
    self.levelling = levelling
    self.preamp = preamp
    self.startVolume = startVolume
    self.maximumVolume = maximumVolume
    self.resumesAfterCrash = resumesAfterCrash
    self.resumesLongTracks = resumesLongTracks
  }
}

extension Playback.OutputDevice {
  public init(name: String, title: String, _: Void = ()) {
    self.name = name
    self.title = title
  }
}

extension Playback.SetOutput {
  public init(
    device: String? = nil, levelling: Playback.Levelling? = nil, preamp: Double? = nil, startVolume: Int? = nil,
    maximumVolume: Int? = nil, resumesAfterCrash: Bool? = nil, resumesLongTracks: Bool? = nil, _: Void = ()
  ) {
    self.device = device
    self.levelling = levelling
    self.preamp = preamp
    self.startVolume = startVolume
    self.maximumVolume = maximumVolume
    self.resumesAfterCrash = resumesAfterCrash
    self.resumesLongTracks = resumesLongTracks
  }
}
