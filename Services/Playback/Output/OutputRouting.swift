import Messages
import Model

/// Decides to which device the sound goes: the chosen one while it is there, else the first that works.
struct OutputRouting {
  /// Something that `PlayerDriver` is to do.
  enum Action: Hashable, Sendable {
    /// Send the sound to this device; nil as `LUNARA_AUDIO` says.
    case use(String?)
    case report(EngineEvent)
    /// Open again what the output played.
    case reopen
    /// Hold the sound, and report that its output is gone.
    case hold(LunaraError)
    /// Report that no output can be opened.
    case fail
    /// List the devices, now and whenever they change.
    case watchDevices
  }

  /// The device that was asked for; nil for what `LUNARA_AUDIO` says.
  private(set) var chosen: String?
  /// The device that libmpv was told to use.
  private(set) var current: String?
  /// The driver of the output that is open.
  private var driver: String?
  /// True if the chosen device was there when the devices were listed last; nil if it never was.
  private var isListed: Bool?
  /// True while the sound is held because its output is gone, and is opened again when one is there.
  private var isWaiting = false
  private var reported = EngineEvent.output(used: nil, problem: nil)

  init(chosen: String? = nil) {
    self.chosen = chosen
    current = chosen
  }

  /// True while another device than the chosen one is used.
  var isAway: Bool { chosen != nil && current != chosen }

  /// Chooses a device; nil for the one that `LUNARA_AUDIO` says.
  mutating func choose(_ name: String?) -> [Action] {
    guard name != chosen || isAway else { return [] }
    chosen = name
    isListed = nil
    guard current != name else { return report() }
    current = name
    return [.use(name)] + (name == nil ? [] : [.watchDevices]) + report()
  }

  /// An output was opened with a driver, or was closed if that is nil.
  mutating func opened(_ driver: String?) -> [Action] {
    self.driver = driver
    if driver != nil { isWaiting = false }
    return (chosen == nil || driver == nil ? [] : [.watchDevices]) + report()
  }

  /// Handles a list of the devices. `devices` are those that people are shown, `names` the names of all that libmpv
  /// knows, as a person may have chosen a device that is not shown.
  mutating func listed(
    _ devices: [Playback.OutputDevice], named names: Set<String> = [], isPlaying: Bool
  ) -> [Action] {
    let actions: [Action] = [.report(.devices(devices))]
    guard let chosen else { return actions + (isWaiting && !devices.isEmpty ? retry() : []) }
    let isThere = names.contains(chosen) || devices.contains { $0.name == chosen }
    let wasThere = isListed
    // A device that was never listed may exist all the same: it may be the name of a driver alone.
    if isThere || wasThere != nil { isListed = isThere }
    switch (wasThere, isThere) {
    case (true?, false) where current == chosen:
      // The sound server plays on elsewhere, where perhaps nobody wants to hear it.
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

  /// The output could not be opened, or is gone.
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

  /// Opens what is held again, to see if there is sound.
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

  /// The error while the sound is held because the device is gone.
  private var held: LunaraError {
    gone("The music waits; `lunara resume` plays on elsewhere until it is back.")
  }

  private func gone(_ consequence: String) -> LunaraError {
    LunaraError(
      "playback.outputGone", "The sound device \(chosen ?? "that was chosen") is gone. \(consequence)")
  }
}
