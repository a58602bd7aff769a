import Messages
import Model

struct SleepTimer: Hashable, Sendable {
  var at: MonotonicTime
  /// The same time by the wall clock, which is still valid after a restart or the host's sleep.
  var date: Timestamp

  static let fade = Milliseconds(10_000)
  static let limit = Milliseconds(24 * 3_600_000)
}

/// The volume of a room, and the sleep timer that fades it out. Changes return the command for the engine; nil for
/// none.
struct VolumeControl: Hashable, Sendable {
  /// The volume that a person set, in percent.
  private(set) var percent: Int
  private(set) var isMuted: Bool
  /// True while the sleep timer has lowered the volume.
  private(set) var isFaded = false
  var timer: SleepTimer?

  /// Sets the volume to the nearest one from 0 to `maximum`.
  mutating func set(_ percent: Int, maximum: Int) -> EngineCommand? {
    let percent = max(0, min(maximum, percent))
    guard percent != self.percent || isFaded else { return nil }
    self.percent = percent
    isFaded = false
    return .volume(percent, over: .zero)
  }

  mutating func mute(_ isMuted: Bool) -> EngineCommand? {
    guard isMuted != self.isMuted else { return nil }
    self.isMuted = isMuted
    return .mute(isMuted)
  }

  /// Fades out within a time, for the sleep timer.
  mutating func fadeOut(over length: Milliseconds) -> EngineCommand {
    isFaded = true
    return .volume(0, over: length)
  }

  /// Restores the volume that the sleep timer has lowered.
  mutating func restore() -> EngineCommand? {
    guard isFaded else { return nil }
    isFaded = false
    return .volume(percent, over: .zero)
  }
}

/// The output of a room: people's settings, and the engine's reports about devices.
struct OutputControl: Hashable, Sendable {
  var settings: OutputSettings
  private(set) var devices: [Playback.OutputDevice] = []
  /// The device in use; nil if none is open.
  private(set) var used: String?
  /// The reason why another device than the chosen one is used.
  private(set) var problem: LunaraError?

  /// Sets the list of devices; returns true if it has changed.
  mutating func set(devices: [Playback.OutputDevice]) -> Bool {
    defer { self.devices = devices }
    return devices != self.devices
  }

  /// Returns true if a device must be listed to be chosen: `auto` need not, nor the device that is chosen already.
  func mustBeListed(_ name: String) -> Bool { name != "auto" && name != settings.device }

  /// Throws `playback.badSetting` if no listed device has this name, nor a driver of this name.
  func requireListed(_ name: String, in room: RoomName) throws(LunaraError) {
    guard !devices.contains(where: { $0.name == name || $0.name.hasPrefix(name + "/") }) else { return }
    let names = devices.prefix(Self.namedDevices).map(\.name) + (devices.count > Self.namedDevices ? ["…"] : [])
    throw LunaraError(
      "playback.badSetting",
      devices.isEmpty
        ? "\(room) has no output \(name): it found none. Connect a device or start the sound server, then try again."
        : "\(room) has no output \(name). It has \(names.joined(separator: ", ")); auto is the first that works.")
  }

  /// The number of devices that an error names.
  private static let namedDevices = 20

  /// Sets the device in use and its problem; returns which of the two have changed.
  mutating func set(used: String?, problem: LunaraError?) -> (used: Bool, problem: Bool) {
    defer {
      self.used = used
      self.problem = problem
    }
    return (used != self.used, problem != self.problem)
  }

  /// Returns the gain for a track, in dB; nil for no change.
  func gain(of track: PreparedTrack) -> Double? {
    track.item.flatMap {
      settings.levelling.gain(
        of: $0.track, before: track.neighbours.before, after: track.neighbours.after, preamp: settings.preamp)
    }
  }
}
