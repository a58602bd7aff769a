import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

/// A whole room, from commands to audible sound, with every message between its parts delayed at random.
///
/// Whatever commands come and however the messages interleave: the room never falls silent without an error in its
/// state, the listens it records agree with what was heard, and a queue without further commands plays to its end.
struct RoomSimulationTests {
  private struct World {
    var random: Seeded
    var now = Now(moment: MonotonicTime(nanoseconds: 0), date: Timestamp(seconds: 1000))
    var machine: RoomMachine
    var playhead = Playhead(pace: .steady(1))
    var player: SimulatedPlayer
    var commands: [EngineCommand] = []
    var orders: [PlayerCommand] = []
    var reports: [EngineReport] = []
    var finds: [(id: CueID, row: Int64)] = []
    var facts: [RoomFact] = []
    /// The stored checkpoint.
    var stored = Checkpoint()
    var interruptions = 0
    /// The time since when the room has had no sound, and the total heard until then.
    var missing: (since: MonotonicTime, heard: Milliseconds)?
    /// True while no command is sent.
    var isLeftAlone = false
    /// The number of tracks of which each file is the image; 1 for files of one track.
    let tracksOfFile: Int64

    init(seed: UInt64, tracksOfFile: Int64 = 1) {
      self.tracksOfFile = tracksOfFile
      random = Seeded(seed)
      var lengths: [LocalPath: Milliseconds] = [:]
      // Rows are numbered from 1. Every fifth cannot be played, every seventh is shorter than the output's buffer, and
      // every eighth is longer than the room waits for sound.
      for row in 1...400 where row % 5 != 0 {
        let length = Int64(row % 8 == 0 ? 16_000 : 2000 + row * 37 % 9000)
        lengths[LocalPath("/\(row)")] = Milliseconds(row % 7 == 0 ? 150 : length)
      }
      if tracksOfFile > 1 {
        lengths = [:]
        // Every fifth image cannot be played, and every third is shorter than its last track says.
        for image in 0..<(400 / tracksOfFile) where image % 5 != 4 {
          let end = Self.end(of: (image + 1) * tracksOfFile, tracksOfFile)
          lengths[LocalPath("/image-\(image)")] = Milliseconds(end - (image % 3 == 2 ? 1000 : 0))
        }
      }
      player = SimulatedPlayer(lengths: lengths)
      machine = RoomMachine(
        room: .kitchen, pace: .steady(1), restoring: Checkpoint(), queue: Queue(), boot: "this boot", at: now,
        drawing: { ListenID.random() })
      collect()
    }

    /// Returns the end of a row in its image, in ms. Every seventh track is shorter than the output's buffer.
    private static func end(of row: Int64, _ tracksOfFile: Int64) -> Int64 {
      let first = (row - 1) / tracksOfFile * tracksOfFile + 1
      return (first...row).reduce(0) { $0 + ($1 % 7 == 0 ? 150 : 1000 + $1 * 37 % 5000) }
    }

    /// Returns the location of a row.
    func locator(of row: Int64) -> Library.Locator {
      guard tracksOfFile > 1 else { return .file(LocalPath("/\(row)")) }
      let image = (row - 1) / tracksOfFile
      let start = row - 1 == image * tracksOfFile ? 0 : Self.end(of: row - 1, tracksOfFile)
      let isLast = row % tracksOfFile == 0
      return .file(
        LocalPath("/image-\(image)"),
        segment: AudioSegment(start: start, end: isLast ? nil : Self.end(of: row, tracksOfFile), sampleRate: 1000))
    }

    mutating func collect() {
      for effect in machine.removeEffects() {
        switch effect {
        case .engine(let command): commands.append(command)
        case .find(let id, let row, _, _): finds.append((id, row))
        case .record(let more):
          facts += more
          stored = machine.checkpoint(at: now)
        case .recordProgress: stored.progress = machine.progress(at: now)
        case .publish, .publishOutput, .dropPrefetched, .findAlbumEnd: break
        }
      }
      checkSilence()
    }

    /// Checks that a room which reports missing sound is right.
    mutating func checkSilence() {
      if let since = machine.silentSince {
        if missing?.since != since { missing = (since, player.total) }
        return
      }
      defer { missing = nil }
      guard case .failed(let failure) = machine.phase, failure.error.code == "playback.noSound", let missing else {
        return
      }
      // Sound may be heard for as long as its report is on the way.
      #expect(player.total - missing.heard < Milliseconds(1000), "it sounded for \(player.total - missing.heard)")
    }

    /// Kills the room and the player with it, and starts a new room from the stored state.
    mutating func restartAfterKill() {
      let lost = machine.position(at: now) - stored.progress.position
      // The position is stored every 0.9 s, and reports of it are delayed here.
      #expect(stored.row == machine.queue.currentSlot?.row && abs(lost.rawValue) < 2500, "\(lost) are lost")
      (commands, orders, reports, finds) = ([], [], [], [])
      player.perform(.stop)
      player.perform(.pause(false))
      player.signals = []
      playhead = Playhead(pace: .steady(1))
      let wasPlaying = (machine.isEngaged || machine.retry != nil) && machine.wantsSound
      stored.output.resumesAfterCrash = Bool.random(using: &random)
      let isLoop = stored.resumption.map { $0.row == stored.row && now.date - $0.date <= Checkpoint.crashLoopLimit }
      machine = RoomMachine(
        room: .kitchen, pace: .steady(1), restoring: stored, queue: machine.queue,
        current: stored.row.map { .numbered(Int($0), seconds: 0) }, boot: "this boot", at: now,
        drawing: { ListenID.random() })
      #expect((machine.isEngaged) == (wasPlaying && stored.output.resumesAfterCrash && isLoop != true))
      collect()
    }

    mutating func perform(_ actions: [Playhead.Action]) {
      for action in actions {
        switch action {
        case .report(let event): reports.append(EngineReport(event: event, at: now.moment))
        case .fail(let cue, _):
          reports.append(EngineReport(event: .failed(cue.id, LunaraError("playback.notAudio", "no")), at: now.moment))
        case .outputEnded: Issue.record("the output failed")
        case .player(let command): orders.append(command)
        }
      }
    }

    /// Delivers one message, or lets a little time pass.
    mutating func step() {
      switch Int.random(in: 0..<9, using: &random) {
      case 0: if !commands.isEmpty { perform(playhead.handle(commands.removeFirst(), at: now.moment)) }
      case 1: if !orders.isEmpty { player.perform(orders.removeFirst()) }
      case 2: if !player.signals.isEmpty { perform(playhead.handle(player.signals.removeFirst(), at: now.moment)) }
      case 3, 4:
        guard !reports.isEmpty else { return }
        let report = reports.removeFirst()
        machine.handle(report.event, at: now.at(report.at))
      case 5:
        guard !finds.isEmpty else { return }
        let find = finds.remove(at: Int.random(in: 0..<finds.count, using: &random))
        machine.found(find.id, .numbered(Int(find.row), seconds: 0), at: now)
        // Now and then the router does not answer for a moment.
        let isAway = Int.random(in: 0..<12, using: &random) == 0
        machine.located(
          find.id,
          isAway ? .failure(LunaraError("bus.unreachable", "away")) : .success(locator(of: find.row)), at: now)
      case 6: _ = player.step()
      default:
        let time = Milliseconds(Int64.random(in: 1...20, using: &random))
        now.moment = now.moment + time
        now.date = Timestamp(microseconds: now.date.microseconds + time.rawValue * 1000)
        player.pass(time)
        perform(playhead.wake(at: now.moment))
        if let deadline = machine.deadline, now.moment >= deadline { machine.wake(at: now) }
      }
      collect()
    }

    /// Sends a random command.
    mutating func act() throws {
      let count = machine.queue.slots.count
      let index = count > 0 ? Int.random(in: 0..<count, using: &random) : 0
      interruptions += 1
      switch Int.random(in: 0..<32, using: &random) {
      case 0, 1: if machine.queue.nextRow < 350 { try load([.now, .next, .later][index % 3]) }
      case 2: try machine.handle(.next, at: now)
      case 3: try machine.handle(.previous, at: now)
      case 4: try machine.handle(.pause, at: now)
      case 5, 6, 7: if count > 0 { try machine.handle(.resume, at: now) }
      case 8:
        if !machine.tracks.isEmpty {
          try machine.handle(.seek(to: Milliseconds(Int64.random(in: 0...9000, using: &random))), at: now)
        }
      case 9: if count > 0 { try edit { try $0.remove(at: index) } }
      case 10: if count > 0 { try edit { try $0.move(from: index, to: count - 1 - index) } }
      case 11: if count > 0 { try machine.handle(.jump(to: index), at: now) }
      case 12: if count > 0 { try machine.handle(.toggle, at: now) }
      case 13: try machine.handle(.repeats([.off, .one, .all][index % 3]), at: now)
      case 14: try machine.handle(.stopAfterCurrent(index % 2 == 0), at: now)
      case 15, 16:
        let order = [Playback.Order.queued, .tracks, .albums][Int.random(in: 0..<3, using: &random)]
        try edit { $0.order(order, seed: UInt64(index), albums: [:]) }
      case 17: try edit { queue in queue.remove(Set(queue.slots.map(\.row).filter { $0 % 4 == Int64(index % 4) })) }
      case 18: try machine.handle(.sleep(after: index % 2 == 0 ? nil : Milliseconds(Int64(index) * 300)), at: now)
      case 19: try machine.handle(.mute(index % 2 == 0), at: now)
      case 20: try machine.handle(.volume(index * 7 - 20), at: now)
      case 21, 22: machine.interrupt(Interruption.allCases[index % 3], at: now)
      case 23, 24, 25: machine.interruptionOver(Interruption.allCases[index % 3], at: now)
      case 26, 27:
        interruptions += 5
        restartAfterKill()
      // A key that is pressed twice by mistake.
      case 28, 29, 30:
        isLeftAlone = count > 0 && index % 2 == 0
        if count > 0 { for _ in 0..<2 { try machine.handle(.toggle, at: now) } }
      default: if index % 5 == 0 { try machine.handle(.stop, at: now) }
      }
      collect()
    }

    mutating func load(_ mode: Playback.LoadMode) throws {
      var queue = machine.queue
      let loaded = try queue.load(Int.random(in: 1...6, using: &random), mode)
      machine.apply(queue, starts: loaded.starts, at: now)
    }

    mutating func edit(_ change: (inout Queue) throws -> [Queue.Change]) throws {
      var queue = machine.queue
      _ = try change(&queue)
      // A change of the stored queue that makes another item current stores position zero.
      if queue.currentSlot?.row != stored.row { stored.progress.position = .zero }
      stored.row = queue.currentSlot?.row
      machine.apply(queue, starts: false, at: now)
    }
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func aRoomNeverFallsSilentAndItsListensAreWhatWasHeard(seed: UInt64) async throws {
    try await play(World(seed: seed))
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func theSameIsTrueForTracksThatAreSegmentsOfFiles(seed: UInt64) async throws {
    try await play(World(seed: seed, tracksOfFile: 8))
  }

  private func play(_ world: World) async throws {
    var world = world
    try world.load(.now)
    for _ in 0..<60 {
      for _ in 0..<Int.random(in: 1...600, using: &world.random) { world.step() }
      // Nothing is done for longer than the room waits for sound.
      if world.isLeftAlone { for _ in 0..<4500 { world.step() } }
      world.isLeftAlone = false
      try world.act()
      checkFailure(world.machine)
      // Lets other tests run, which share two threads with this one.
      await Task.yield()
    }
    // Without further commands the room plays its queue to the end.
    try world.machine.handle(.repeats(.off), at: world.now)
    try world.machine.handle(.stopAfterCurrent(false), at: world.now)
    try world.machine.handle(.sleep(after: nil), at: world.now)
    if world.machine.queue.current == nil { try world.load(.now) }
    world.collect()
    var steps = 0
    while !world.machine.isIdle, steps < 400_000 {
      checkFailure(world.machine)
      if !world.machine.isEngaged || !world.machine.wantsSound { try world.machine.handle(.next, at: world.now) }
      if world.machine.isEngaged, !world.machine.wantsSound {
        try world.machine.handle(.resume, at: world.now)
      }
      world.collect()
      world.step()
      steps += 1
      if steps % 1000 == 0 { await Task.yield() }
    }
    #expect(world.machine.isIdle, "stuck with \(world.machine.tracks.map(\.stage)) after \(steps) steps")
    try check(world)
  }

  /// Checks that a room which cannot play retries, or shows an error that a person can act on.
  private func checkFailure(_ machine: RoomMachine) {
    // A room with an interruption in its state makes no sound.
    #expect(machine.interruptions.reasons.isEmpty || !machine.wantsSound)
    guard case .failed(let failure) = machine.phase else { return }
    let error = failure.error
    #expect(error.code == "playback.tooManyFailures" || machine.retry?.due != nil, "\(error)")
    #expect(machine.deadline != nil || machine.retry == nil)
  }

  /// Checks that the facts are consistent, and agree with what was heard.
  private func check(_ world: World) throws {
    var open: ListenID?
    var amounts: [ListenID: Milliseconds] = [:]
    var heard: [LocalPath: Milliseconds] = [:]
    for fact in world.facts {
      switch fact {
      case .failed: break
      case .started(let subject):
        #expect(open == nil && amounts[subject.listen] == nil)
        open = subject.listen
        amounts[subject.listen] = .zero
      case .heard(let subject, let amount):
        #expect(open == subject.listen && amounts[subject.listen, default: .zero] < amount)
        amounts[subject.listen] = amount
      case .ended(let subject, let amount, _):
        #expect(open == subject.listen && amounts[subject.listen, default: .zero] <= amount)
        open = nil
        heard[LocalPath("/\(subject.item.track.number ?? 0)"), default: .zero] += amount
      }
    }
    #expect(open == nil)
    let journaled = heard.values.reduce(Milliseconds.zero, +)
    let truth = world.player.heard.values.reduce(Milliseconds.zero, +)
    // Commands and reports cross on the way: each may shift the heard time by as long as messages take.
    let blur = Int64(world.interruptions) * 400
    #expect(abs((journaled - truth).rawValue) < blur, "journaled \(journaled), heard \(truth)")
  }
}
