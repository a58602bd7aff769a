extension Playback {
  /// The output of a room and its limits of loudness. Published on every change.
  public struct OutputState: State, Hashable {
    public static let kind = "playback.output"
    /// A machine that replaces this one has other devices.
    public static let isKept = false
    /// The outputs there are, as last seen; empty before the first look, as looking needs the player to be loaded.
    public var devices: [OutputDevice]
    /// The name of the one that was chosen; nil for the first that works.
    public var chosen: String?
    /// The name of the one that sound goes to; nil while none is open.
    public var used: String?
    /// The loudness mode.
    public var levelling: Levelling
    /// The gain that is added to evened-out levels, in dB.
    public var preamp: Double
    /// The volume at the start of the service, in percent; nil for the one of last time.
    public var startVolume: Int?
    /// The volume that is not exceeded, in percent.
    public var maximumVolume: Int
    /// True if a room that crashed while it played resumes by itself, within ten minutes at most.
    public var resumesAfterCrash: Bool

    public init(
      devices: [OutputDevice] = [], chosen: String? = nil, used: String? = nil, levelling: Levelling = .off,
      preamp: Double = 0, startVolume: Int? = nil, maximumVolume: Int = 100, resumesAfterCrash: Bool = false
    ) {
      self.devices = devices
      self.chosen = chosen
      self.used = used
      self.levelling = levelling
      self.preamp = preamp
      self.startVolume = startVolume
      self.maximumVolume = maximumVolume
      self.resumesAfterCrash = resumesAfterCrash
    }
  }

  /// Something that sound can go to.
  public struct OutputDevice: Codable, Hashable, Sendable {
    /// libmpv's name for it, `DRIVER/DEVICE`.
    public var name: String
    /// The description by the driver.
    public var title: String

    public init(name: String, title: String) {
      self.name = name
      self.title = title
    }
  }

  /// Reads where sound can go. Loads the player to look.
  public struct ReadOutput: ReadRequest {
    public static let kind = "playback.read-output"
    /// The outputs as they are now.
    public typealias Answer = OutputState

    public init() {}
  }

  /// Changes how a room sounds. What is nil stays.
  public struct SetOutput: CommandRequest {
    public static let kind = "playback.set-output"
    /// The settings afterwards.
    public typealias Answer = OutputState
    /// The output to use, by name; `auto` for the first that works.
    public var device: String?
    /// The loudness mode.
    public var levelling: Levelling?
    /// The gain that is added to evened-out levels, in dB from -15 to 15; values outside are clamped.
    public var preamp: Double?
    /// The volume at the start, in percent; -1 for the one of last time.
    public var startVolume: Int?
    /// The volume that is not exceeded, in percent; clamped to 1 to 100.
    public var maximumVolume: Int?
    /// True if a room that crashed while it played resumes by itself, within ten minutes at most.
    public var resumesAfterCrash: Bool?

    public init(
      device: String? = nil, levelling: Levelling? = nil, preamp: Double? = nil, startVolume: Int? = nil,
      maximumVolume: Int? = nil, resumesAfterCrash: Bool? = nil
    ) {
      self.device = device
      self.levelling = levelling
      self.preamp = preamp
      self.startVolume = startVolume
      self.maximumVolume = maximumVolume
      self.resumesAfterCrash = resumesAfterCrash
    }
  }
}
