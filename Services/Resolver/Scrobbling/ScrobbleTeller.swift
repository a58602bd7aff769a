import Messages
import Model
import ServiceKit

/// Tells one plugin of plays: of each counted listen once, one after the other, and of the track that plays now. Sleeps
/// while there is nothing to tell.
actor ScrobbleTeller {
  /// The time in which a scrobbler answers.
  private static let deadline = Duration.seconds(30)
  /// The most tracks that are remembered as reported.
  private static let memory = 200

  private let outbox: ScrobbleOutbox
  /// Returns the plugin if it may be run now.
  private let plugin: @Sendable () async throws -> PluginRegistry.Usable
  private let failed: @Sendable (LunaraError) async -> Void
  private let log: Log
  private let now: @Sendable () -> ContinuousClock.Instant
  private let loop: WorkLoop

  private var schedule: RetrySchedule
  /// The configuration of the plugin at the last call.
  private var config: PluginValue?
  private var nowPlaying: (hearing: String, play: ToldPlay)?
  private var announced: [String] = []

  init(
    outbox: ScrobbleOutbox, log: Log, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    plugin: @escaping @Sendable () async throws -> PluginRegistry.Usable,
    failed: @escaping @Sendable (LunaraError) async -> Void
  ) {
    self.outbox = outbox
    self.log = log
    self.now = now
    self.plugin = plugin
    self.failed = failed
    loop = WorkLoop(sleep: sleep)
    schedule = RetrySchedule(at: now())
  }

  func start() async { await loop.start(failed: { [log] in log.error($0.error) }) { try await self.round() } }

  /// There may be something new to tell, or the plugin may have changed.
  func wake() async { await loop.wake() }

  /// Tells at once, in spite of earlier failures.
  func retry() async {
    schedule.reset(at: now())
    await wake()
  }

  /// Ends the teller. A listen that is being sent is sent again after the next start.
  func stop() async { await loop.stop() }

  /// Reports the track that has begun to play, unless it was reported before; nil for none.
  func announce(_ playing: (hearing: String, play: ToldPlay)?) async {
    nowPlaying = playing.flatMap { announced.contains($0.hearing) ? nil : $0 }
    if nowPlaying != nil { await wake() }
  }

  private func round() async throws -> WorkLoop.Rest {
    let item = try await outbox.next()
    guard item != nil || nowPlaying != nil else { return .untilWoken }
    let plugin: PluginRegistry.Usable
    do { plugin = try await self.plugin() } catch {
      // It is switched off, or waits for a consent: a change of that wakes this loop.
      nowPlaying = nil
      return .untilWoken
    }
    // With other settings or another token the account may be mended.
    let newConfig = await plugin.config()
    if let config, config != newConfig {
      schedule.reset(at: now())
      try await outbox.resume()
    }
    config = newConfig
    if try await outbox.isRefused() {
      nowPlaying = nil
      return .untilWoken
    }
    let pause = schedule.pause(at: now())
    guard pause <= .zero else {
      if pause > .seconds(30) { nowPlaying = nil }
      return .atMost(pause)
    }
    try await tell(plugin, of: item)
    return .none
  }

  private func tell(_ plugin: PluginRegistry.Usable, of item: ScrobbleOutbox.Item?) async throws {
    let scrobblers: [String]
    do { scrobblers = try await enabledScrobblers(of: plugin) } catch {
      nowPlaying = nil
      try Task.checkCancellation()
      return try await recordFailure(LunaraError(error), of: nil)
    }
    if let playing = nowPlaying {
      nowPlaying = nil
      announced.append(playing.hearing)
      if announced.count > Self.memory { announced.removeFirst() }
      for scrobbler in scrobblers {
        do {
          _ = try await plugin.runner.call(
            "updateNowPlaying", [playing.play.value], within: Self.deadline, scrobbler: scrobbler)
        } catch { log.debug("a plugin did not take the current track", ["reason": LunaraError(error).message]) }
      }
    }
    guard let item else { return }
    // This version cannot send a play that it cannot read.
    guard let play = item.play else { return try await outbox.markSent(item) }
    var toldTo = item.toldTo
    for scrobbler in scrobblers where !toldTo.contains(scrobbler) {
      do {
        _ = try await plugin.runner.call(
          "scrobble", [play.value, .number(Double(play.startedAt.seconds))], within: Self.deadline,
          scrobbler: scrobbler)
      } catch {
        try Task.checkCancellation()
        return try await recordFailure(LunaraError(error), of: item)
      }
      toldTo.insert(scrobbler)
      if scrobblers.count > 1 { try await outbox.store(item, toldTo: toldTo) }
    }
    schedule.succeed()
    // If the disk is full, the plugin must not be told again.
    try await loop.insist(failed: { [log] in log.error($0.error) }) { [outbox] in try await outbox.markSent(item) }
  }

  /// Returns the scrobblers that the plugin has registered and that have an account.
  private func enabledScrobblers(of plugin: PluginRegistry.Usable) async throws -> [String] {
    var enabled: [String] = []
    for scrobbler in try await plugin.runner.registeredScrobblers(await plugin.config(), within: Self.deadline) {
      let answer = try await plugin.runner.call("isEnabled", [], within: Self.deadline, scrobbler: scrobbler)
      if answer.isTrue { enabled.append(scrobbler) }
    }
    guard !enabled.isEmpty else {
      throw LunaraError(
        "resolver.scrobblerOff",
        "\(plugin.file.name) says that it has no account to which plays could be sent. Look at its settings: `lunara plugins settings \(plugin.file.id)`."
      )
    }
    return enabled
  }

  private func recordFailure(_ error: LunaraError, of item: ScrobbleOutbox.Item?) async throws {
    schedule.fail(at: now())
    try await outbox.fail(
      item, error, isOwn: error.code == "resolver.pluginFailed", isRefused: error.code == "resolver.accountRefused")
    await failed(error)
  }
}
