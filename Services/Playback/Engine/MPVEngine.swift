import CPlatform
import Model
import Synchronization
import System

/// The engine based on libmpv. One thread waits for the player's events. It starts with the first sound and ends after
/// a long silence, so that a room that does not play uses little memory.
final class MPVEngine: Engine {
  let pace: Pace
  let reports: AsyncStream<EngineReport>

  private struct SharedState {
    var commands: [EngineCommand] = []
    var start: MPVPlayer.Start
    var isRunning = false
    var isClosed = false
    /// Wakes the thread; nil if the thread has no player to wait for.
    var wake: (@Sendable () -> Void)?
    var closing: [CheckedContinuation<Void, Never>] = []
  }

  private let output: AudioOutput
  private let linger: Milliseconds
  /// The size of freed heap memory that is kept for the next file while there is a player, in bytes. libmpv probes each
  /// file with a buffer of 10 MiB that it clears first (demux_lavf.c); new pages for that buffer would take half of the
  /// time in which a file is opened.
  static let keptHeap: Int32 = 12 << 20
  private let library: String
  private let shared: Mutex<SharedState>
  private let continuation: AsyncStream<EngineReport>.Continuation

  /// Creates an engine that has not yet loaded libmpv or opened an output. The player is ended after a silence of
  /// `linger`; the volume is in percent; further `options` of libmpv are for tests.
  init(
    output: AudioOutput, volume: Int = 100, isMuted: Bool = false, device: String? = nil,
    linger: Milliseconds = Milliseconds(120_000), library: String = "libmpv.so.2", options: [(String, String)] = []
  ) {
    self.output = output
    self.linger = linger
    self.library = library
    pace = output.pace
    shared = Mutex(
      SharedState(start: MPVPlayer.Start(volume: volume, isMuted: isMuted, device: device, options: options)))
    (reports, continuation) = AsyncStream.makeStream()
  }

  func send(_ command: EngineCommand) {
    let mustStart = shared.withLock { shared in
      guard !shared.isClosed else { return false }
      shared.start.apply(command)
      // Without a player there is nothing to pause, stop or set; the next player starts with the stored settings.
      if !shared.isRunning, !command.startsPlayer { return false }
      shared.commands.append(command)
      shared.wake?()
      defer { shared.isRunning = true }
      return !shared.isRunning
    }
    if mustStart { start() }
  }

  func close() async {
    await withCheckedContinuation { (closed: CheckedContinuation<Void, Never>) in
      let isRunning = shared.withLock { shared in
        shared.isClosed = true
        if shared.isRunning { shared.closing.append(closed) }
        shared.wake?()
        return shared.isRunning
      }
      if !isRunning {
        continuation.finish()
        closed.resume()
      }
    }
  }

  private func start() {
    // The closure retains the engine until the thread ends.
    do throws(Errno) { try SystemThread.start("player") { self.run() } } catch {
      shared.withLock { $0.commands = [] }
      fail(
        LunaraError(
          "playback.engineFailed", "The player's thread could not be started. Resume to try again.", cause: error))
      ended()
    }
  }

  /// Runs on the thread: creates and serves players as long as there are commands.
  private func run() {
    repeat {
      do {
        let start = shared.withLock { $0.start }
        lunara_keep_heap_of(Self.keptHeap)
        let player = try MPVPlayer(MPVLibrary(library), output: output, start: start)
        shared.withLock { $0.wake = player.wake }
        serve(player, start)
        // A player that is being ended must not be woken.
        shared.withLock { $0.wake = nil }
      } catch {
        shared.withLock { $0.commands = [] }
        fail(LunaraError(error))
      }
      lunara_keep_heap_small()
      lunara_trim_heap()
    } while !ended()
  }

  /// Records that the thread ends. Returns false if commands have arrived meanwhile.
  @discardableResult
  private func ended() -> Bool {
    let closing = shared.withLock { shared -> [CheckedContinuation<Void, Never>]? in
      guard shared.commands.isEmpty || shared.isClosed else { return nil }
      shared.isRunning = false
      return shared.isClosed ? shared.closing : []
    }
    guard let closing else { return false }
    if shared.withLock({ $0.isClosed }) { continuation.finish() }
    for closed in closing { closed.resume() }
    return true
  }

  private func fail(_ error: LunaraError) {
    continuation.yield(EngineReport(event: .outputFailed(error), at: .now()))
  }

  /// Drives one player until the engine is closed, the player ends by itself, or it was silent for `linger`.
  private func serve(_ player: MPVPlayer, _ start: MPVPlayer.Start) {
    var driver = PlayerDriver(
      player: player, playhead: Playhead(pace: pace, playsOn: output.takesSoundInTime, volume: start.volume),
      routing: OutputRouting(chosen: start.device),
      output: output, report: { [continuation] in continuation.yield(EngineReport(event: $0, at: .now())) })
    var silentSince: MonotonicTime? = MonotonicTime.now()
    while true {
      let (commands, isClosed) = shared.withLock { shared in
        defer { shared.commands = [] }
        return (shared.commands, shared.isClosed)
      }
      if isClosed { return }
      for command in commands { driver.perform(command, at: .now()) }
      let now = MonotonicTime.now()
      driver.wake(at: now)
      silentSince = driver.isSilent ? silentSince ?? now : nil
      if let silentSince, now - silentSince >= linger { return }
      let due = [driver.playhead.deadline, silentSince.map { $0 + linger }].compactMap { $0 }.min()
      guard let signal = player.next(within: due.map { max(0, now.seconds(until: $0)) } ?? -1) else { continue }
      driver.handle(signal, at: .now())
      if signal == .shutdown {
        return fail(LunaraError("playback.engineFailed", "The player ended by itself. Resume to try again."))
      }
    }
  }
}

/// Drives one player: carries out the decisions of the playhead about sound, and those of the routing about the output.
struct PlayerDriver {
  let player: MPVPlayer
  var playhead: Playhead
  var routing: OutputRouting
  let output: AudioOutput
  let report: (EngineEvent) -> Void

  /// True if nothing is open, and no cue waits to be opened again.
  var isSilent: Bool { playhead.pending == nil && playhead.openCues.isEmpty && playhead.held == nil }

  mutating func wake(at now: MonotonicTime) { perform(playhead.wake(at: now), at: now) }

  mutating func perform(_ command: EngineCommand, at now: MonotonicTime) {
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

  mutating func handle(_ signal: PlayerSignal, at now: MonotonicTime) {
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
      case .reopen: perform(playhead.reopenHeld(), at: now)
      case .hold(let error):
        perform(playhead.handle(.pause(true), at: now), at: now)
        report(.outputLost(error))
      case .fail: report(.outputFailed(failure))
      case .watchDevices: player.watchDevices()
      }
    }
  }

  private var failure: LunaraError { output.failure(cause: player.complaint) }
}
