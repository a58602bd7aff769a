import Messages
import Model

/// Decides to which device the sound goes: the chosen one while it is available, else the first that works.
struct OutputRouting {
  /// An action for `PlayerDriver`.
  enum Action: Hashable, Sendable {
    /// Send the sound to this device; nil for the output that `LUNARA_AUDIO` chooses.
    case use(String?)
    case report(EngineEvent)
    /// Open the cue again that the output played.
    case reopen
    /// Pause, and report that the output is gone.
    case hold(LunaraError)
    /// Report that no output can be opened.
    case fail
    /// List the devices, now and whenever they change.
    case watchDevices
  }

  /// The device that a person chose; nil for the output that `LUNARA_AUDIO` chooses.
  private(set) var chosen: String?
  /// The device that libmpv was told to use.
  private(set) var current: String?
  /// The driver of the open output.
  private var driver: String?
  /// True if the last list of devices contained the chosen one; nil if no list has contained it yet.
  private var isListed: Bool?
  /// True while a cue is held because its output is gone, and is opened again when an output is available.
  private var isWaiting = false
  private var reported = EngineEvent.output(used: nil, problem: nil)

  init(chosen: String? = nil) {
    self.chosen = chosen
    current = chosen
  }

  /// True while another device than the chosen one is used.
  var isAway: Bool { chosen != nil && current != chosen }

  /// Chooses a device; nil for the output that `LUNARA_AUDIO` chooses.
  mutating func choose(_ name: String?) -> [Action] {
    guard name != chosen || isAway else { return [] }
    chosen = name
    isListed = nil
    guard current != name else { return report() }
    current = name
    return [.use(name)] + (name == nil ? [] : [.watchDevices]) + report()
  }

  /// Handles that an output was opened with a driver; nil if it was closed.
  mutating func opened(_ driver: String?) -> [Action] {
    self.driver = driver
    if driver != nil { isWaiting = false }
    return (chosen == nil || driver == nil ? [] : [.watchDevices]) + report()
  }

  /// Handles a list of the devices. `devices` are those that people are shown; `names` are the names of all devices
  /// that libmpv knows, as a person may have chosen one that is not shown.
  mutating func listed(
    _ devices: [Playback.OutputDevice], named names: Set<String> = [], isPlaying: Bool
  ) -> [Action] {
    let actions: [Action] = [.report(.devices(devices))]
    guard let chosen else { return actions + (isWaiting && !devices.isEmpty ? retry() : []) }
    let isThere = names.contains(chosen) || devices.contains { $0.name == chosen }
    let wasThere = isListed
    // A device that was never listed may still exist: its name may be that of a driver alone.
    if isThere || wasThere != nil { isListed = isThere }
    switch (wasThere, isThere) {
    case (true?, false) where current == chosen:
      // The sound server plays on through another device, where perhaps nobody wants to hear it.
      current = nil
      let lost: [Action] = isPlaying ? [.hold(held)] : []
      return actions + lost + [.use(nil)] + report()
    case (_, true) where isAway:
      current = chosen
      return actions + [.use(chosen)] + report() + (isWaiting ? retry() : [])
    case (_, true) where isWaiting: return actions + retry()
    default: return actions
    }
  }

  /// Handles that the output could not be opened, or is gone.
  mutating func ended(_ listening: Playhead.Listening, _ failure: LunaraError) -> [Action] {
    driver = nil
    let wasChosen = chosen != nil && current == chosen
    let error = wasChosen ? held : failure
    if wasChosen { current = nil }
    let fallback: [Action] = wasChosen ? [.use(nil)] : []
    switch listening {
    case .unheard where wasChosen: return fallback + [.watchDevices] + report() + [.reopen]
    case .unheard: return [.fail] + report()
    case .paused:
      isWaiting = true
      return fallback + [.watchDevices] + report()
    case .playing:
      isWaiting = true
      return fallback + [.hold(error), .watchDevices] + report()
    }
  }

  /// Opens the held cue again, as an output may be available.
  private mutating func retry() -> [Action] {
    isWaiting = false
    return [.reopen]
  }

  private mutating func report() -> [Action] {
    let used = driver.map { current ?? $0 }
    let event = EngineEvent.output(used: used, problem: isAway ? gone : nil)
    guard event != reported else { return [] }
    reported = event
    return [.report(event)]
  }

  /// The error while another device is used.
  private var gone: LunaraError {
    gone("Until it is back another one is used; `lunara output` chooses.")
  }

  /// The error while the sound is paused because the device is gone.
  private var held: LunaraError {
    gone("The music waits; `lunara resume` plays on elsewhere until it is back.")
  }

  private func gone(_ consequence: String) -> LunaraError {
    LunaraError(
      "playback.outputGone", "The sound device \(chosen ?? "that was chosen") is gone. \(consequence)")
  }
}
