import Model

/// One player with those who decide about it: the playhead what is heard, the routing where.
struct Stage {
  let player: MPVPlayer
  private var playhead: Playhead
  private var routing: OutputRouting
  private let output: AudioOutput
  private let report: (EngineEvent) -> Void

  init(
    player: MPVPlayer, playhead: Playhead, routing: OutputRouting, output: AudioOutput,
    report: @escaping (EngineEvent) -> Void
  ) {
    self.player = player
    self.playhead = playhead
    self.routing = routing
    self.output = output
    self.report = report
  }

  /// Whether nothing is open, and nothing is held to be opened again.
  var isSilent: Bool { playhead.pending == nil && playhead.segments.isEmpty && playhead.held == nil }

  /// When to call `lookUp` next if nothing else happens; nil for never.
  var deadline: MonotonicTime? { playhead.deadline }

  /// Looks where things are, if that is due.
  mutating func lookUp(at now: MonotonicTime) { perform(playhead.lookUp(at: now), at: now) }

  /// Carries out a command.
  mutating func take(_ command: EngineCommand, at now: MonotonicTime) {
    switch command {
    case .output(let name): perform(routing.choose(name), at: now)
    case .listDevices:
      player.watchDevices()
      player.askDevices()
    case .play, .pause(false):
      if routing.isAway { player.askDevices() }
      perform(playhead.handle(command, at: now), at: now)
    case .prepare, .pause, .seek, .stop, .volume, .mute: perform(playhead.handle(command, at: now), at: now)
    }
  }

  /// Takes what libmpv said.
  mutating func take(_ signal: PlayerSignal, at now: MonotonicTime) {
    switch signal {
    case .output(let driver): perform(routing.opened(driver), at: now)
    case .devices(let devices, let names):
      perform(routing.listed(devices, named: names, isPlaying: !isSilent && !playhead.isPaused), at: now)
    default: perform(playhead.handle(signal, at: now), at: now)
    }
  }

  private mutating func perform(_ actions: [Playhead.Action], at now: MonotonicTime) {
    for action in actions {
      switch action {
      case .player(let command): player.perform(command)
      case .report(let event): report(event)
      case .fail(let cue, let ending):
        report(.failed(cue.id, CueFailure.explain(cue, ending, complaint: player.complaint)))
      case .outputEnded(let listening): perform(routing.ended(listening, failure), at: now)
      }
    }
  }

  private mutating func perform(_ actions: [OutputRouting.Action], at now: MonotonicTime) {
    for action in actions {
      switch action {
      case .use(let device): player.use(device)
      case .report(let event): report(event)
      case .takeUp: perform(playhead.takeUp(), at: now)
      case .lose(let error):
        perform(playhead.handle(.pause(true), at: now), at: now)
        report(.outputLost(error))
      case .fail: report(.outputFailed(failure))
      case .watch: player.watchDevices()
      }
    }
  }

  private var failure: LunaraError { output.failure(cause: player.complaint) }
}
