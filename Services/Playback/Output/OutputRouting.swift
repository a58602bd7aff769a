import Messages
import Model

/// Which device the sound goes to: the one that was chosen while it is there, else the first that works. A pure state
/// machine.
struct OutputRouting {
  /// What is to be done.
  enum Action: Hashable, Sendable {
    /// Send the sound to this device; nil as `LUNARA_AUDIO` says.
    case use(String?)
    /// Tell who listens to the engine.
    case report(EngineEvent)
    /// Open once more what the output played.
    case takeUp
    /// Hold the sound, and tell that its output is gone.
    case lose(LunaraError)
    /// Tell that no output can be opened.
    case fail
    /// Tell of devices, now and whenever they change.
    case watch
  }

  /// The device that was asked for; nil for what `LUNARA_AUDIO` says.
  private(set) var chosen: String?
  /// The device that libmpv was told to use.
  private(set) var current: String?
  /// The driver of the output that is open.
  private var driver: String?
  /// Whether the chosen device was there when the devices were looked at last; nil where it never was.
  private var isListed: Bool?
  /// Whether the sound was held because its output was gone, and may be taken up when one is there.
  private var isWaiting = false
  private var told = EngineEvent.output(used: nil, trouble: nil)

  /// Starts with a device.
  init(chosen: String? = nil) {
    self.chosen = chosen
    current = chosen
  }

  /// Whether something else than what was chosen is used.
  var isAway: Bool { chosen != nil && current != chosen }

  /// A device was chosen.
  mutating func choose(_ name: String?) -> [Action] {
    guard name != chosen || isAway else { return [] }
    chosen = name
    isListed = nil
    guard current != name else { return tell() }
    current = name
    return [.use(name)] + (name == nil ? [] : [.watch]) + tell()
  }

  /// An output was opened with this driver, or the one there was is closed.
  mutating func opened(_ driver: String?) -> [Action] {
    self.driver = driver
    if driver != nil { isWaiting = false }
    return (chosen == nil || driver == nil ? [] : [.watch]) + tell()
  }

  /// The devices were looked at.
  ///
  /// - Parameter names: all that libmpv can be told, of which `devices` are those that a person is shown. Somebody may
  ///   have chosen another one.
  mutating func listed(
    _ devices: [Playback.OutputDevice], named names: Set<String> = [], isPlaying: Bool
  ) -> [Action] {
    let actions: [Action] = [.report(.devices(devices))]
    guard let chosen else { return actions + (isWaiting && !devices.isEmpty ? retry() : []) }
    let isThere = names.contains(chosen) || devices.contains { $0.name == chosen }
    let wasThere = isListed
    // A device that no list knows may be there all the same: a driver's name, or one of its own making.
    if isThere || wasThere != nil { isListed = isThere }
    switch (wasThere, isThere) {
    case (true?, false) where current == chosen:
      // The sound server plays on elsewhere, where perhaps nobody wants to hear it.
      current = nil
      let lost: [Action] = isPlaying ? [.lose(held)] : []
      return actions + lost + [.use(nil)] + tell()
    case (_, true) where isAway:
      current = chosen
      return actions + [.use(chosen)] + tell() + (isWaiting ? retry() : [])
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
    case .unheard where wasChosen: return fallback + [.watch] + tell() + [.takeUp]
    case .unheard: return [.fail] + tell()
    case .paused:
      isWaiting = true
      return fallback + [.watch] + tell()
    case .playing:
      isWaiting = true
      return fallback + [.lose(error), .watch] + tell()
    }
  }

  /// Opens what is held once more, to see whether there is sound again.
  private mutating func retry() -> [Action] {
    isWaiting = false
    return [.takeUp]
  }

  private mutating func tell() -> [Action] {
    let used = driver.map { current ?? $0 }
    let event = EngineEvent.output(used: used, trouble: isAway ? gone : nil)
    guard event != told else { return [] }
    told = event
    return [.report(event)]
  }

  /// For as long as something else is used, whether music plays or waits.
  private var gone: LunaraError {
    gone("Until it is back another one is used; `lunara output` chooses.")
  }

  /// Where the sound is held for it.
  private var held: LunaraError {
    gone("The music waits; `lunara resume` plays on elsewhere until it is back.")
  }

  private func gone(_ consequence: String) -> LunaraError {
    LunaraError(
      "playback.outputGone", "The sound device \(chosen ?? "that was chosen") is gone. \(consequence)")
  }
}
