extension Playback {
  /// The output of a room and its limits of loudness. Published on every change.
  public struct OutputState: State, Hashable {
    public static let kind = "playback.output"
    /// False: a machine that replaces this one has other devices.
    public static let isKept = false
    /// The available outputs, as last listed; empty before the first listing, for which the player has to be loaded.
    public var devices: [OutputDevice] = []
    /// The name of the chosen output; nil for the first that works.
    public var chosen: String? = nil
    /// The name of the output in use; nil while none is open.
    public var used: String? = nil
    /// The loudness by which sound is levelled.
    public var levelling: Levelling = .off
    /// The gain that is added when sound is levelled, in dB.
    public var preamp: Double = 0
    /// The volume at the start of the service, in percent; nil for the last volume.
    public var startVolume: Int? = nil
    /// The largest volume that can be set, in percent.
    public var maximumVolume: Int = 100
    /// True if a room that was killed while it played, at most ten minutes ago, resumes by itself; true unless a person
    /// switched it off. A room stays paused after an orderly end, after a boot of its machine, and after a second crash
    /// within a minute at the same track.
    public var resumesAfterCrash: Bool = false
    /// True if a track of 20 minutes or more goes on where the room left it; nil if the room cannot do that.
    public var resumesLongTracks: Bool? = nil
  }

  /// A device to which sound can be sent.
  public struct OutputDevice: Codable, Hashable, Sendable {
    /// libmpv's name for it, `DRIVER/DEVICE`.
    public var name: String
    /// The driver's description.
    public var title: String
  }

  /// Lists the outputs, for which the player is loaded.
  public struct ReadOutput: ReadRequest {
    public static let kind = "playback.read-output"
    /// The outputs and settings as they are now.
    public typealias Answer = OutputState

    public init() {}
  }

  /// Changes the output settings of a room. Settings that are nil are kept.
  public struct SetOutput: CommandRequest {
    public static let kind = "playback.set-output"
    /// The settings afterwards; refused with `playback.stopping`, `playback.badSetting`, `playback.notStored`.
    public typealias Answer = OutputState
    /// The name of one of the room's outputs or of its driver; `auto` for the first that works.
    public var device: String? = nil
    /// The loudness by which sound is levelled.
    public var levelling: Levelling? = nil
    /// The gain that is added when sound is levelled, in dB; clamped to -15 to 15.
    public var preamp: Double? = nil
    /// The volume at the start of the service, in percent; -1 for the last volume.
    public var startVolume: Int? = nil
    /// The largest volume that can be set, in percent; clamped to 1 to 100.
    public var maximumVolume: Int? = nil
    /// True if a room that crashed while it played resumes automatically, within ten minutes at most.
    public var resumesAfterCrash: Bool? = nil
    /// True if a track of 20 minutes or more goes on where the room left it, false if it begins anew. False forgets
    /// where tracks were left.
    public var resumesLongTracks: Bool? = nil
  }
}
