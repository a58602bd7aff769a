import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

/// A room that pauses and resumes because of interruptions, with a fake clock.
struct InterruptionTests {
  @Test(arguments: Interruption.allCases)
  func aRoomThatPlaysPausesSaysWhyAndPlaysOn(_ reason: Interruption) throws {
    var room = try RoomMachineHarness(tracks: 2)
    let first = room.playFirst()
    room.pass(7)
    _ = room.engineCommands()
    room.interrupt(reason)
    #expect(room.engineCommands() == [.pause(true)])
    #expect(room.state.state == .paused && room.state.interruption == reason.name)
    #expect(room.state.position.offset == Milliseconds(7000) && room.state.position.rate == 0)
    room.sound(.halted(first, Milliseconds(7000), .pause))
    room.pass(5)
    room.interruptionOver(reason)
    #expect(room.engineCommands() == [.pause(false)])
    #expect(room.state.interruption == nil && room.state.state == .playing)
    room.sound(.flowing(first, Milliseconds(7000)))
    // The listen continues, and the time of the interruption does not count as heard.
    #expect(room.facts == ["started 1", "heard 1 7000"])
  }

  @Test(arguments: Interruption.allCases)
  func aRoomWithoutSoundIgnoresInterruptions(_ reason: Interruption) throws {
    let failed: (inout RoomMachineHarness) throws -> Void = {
      $0.sound(.failed(engine: "playback.noOutput"))
      // The room retries by itself until a person pauses it.
      try $0.command(.pause)
    }
    for prepare in [{ try $0.command(.pause) }, { try $0.command(.stop) }, failed] {
      var room = try RoomMachineHarness(tracks: 2)
      room.playFirst()
      try prepare(&room)
      let before = room.state
      _ = room.engineCommands()
      room.interrupt(reason)
      #expect(room.state == before)
      room.interruptionOver(reason)
      #expect(room.state == before && room.engineCommands().isEmpty)
    }
  }

  @Test func aRoomAfterARestartStaysAsItIs() throws {
    var room = try RoomMachineHarness(restoring: 2)
    for reason in Interruption.allCases {
      room.interrupt(reason)
      room.interruptionOver(reason)
    }
    #expect(room.state.state == .paused && room.state.interruption == nil)
    #expect(!room.engineCommands().contains { $0.isPlay || $0 == .pause(false) })
  }

  @Test func aRoomThatStillBuffersPlaysOnAsWell() throws {
    var room = try RoomMachineHarness(tracks: 1)
    room.interrupt(.sleep)
    #expect(room.state.state == .paused && room.state.interruption == "sleep")
    room.answerFinds()
    // The item is found meanwhile, and is opened paused.
    guard case .play(let cue, paused: true)? = room.engineCommands().last else { return #expect(Bool(false)) }
    #expect(room.machine.deadline == nil)
    room.interruptionOver(.sleep)
    #expect(room.engineCommands() == [.pause(false)])
    #expect(room.state.state == .buffering)
    room.sound(.flowing(cue.id, .zero))
    #expect(room.state.state == .playing)
  }

  @Test func missingSoundIsNoErrorWhileTheHostSleeps() throws {
    var room = try RoomMachineHarness(tracks: 1)
    room.pass(7)
    room.interrupt(.sleep)
    room.pass(3600)
    #expect(room.machine.deadline == nil)
    room.interruptionOver(.sleep)
    #expect(room.state.state == .buffering)
    room.passToDeadline()
    #expect(room.seconds == 7 + 3600 + 8)
  }

  @Test(arguments: [
    Playback.Transport.Action.pause, .stop, .next, .previous, .seek(to: Milliseconds(5000)),
    .skip(by: Milliseconds(1000)), .resume, .toggle, .jump(to: 1),
  ])
  func commandsDuringAnInterruptionAreKept(_ action: Playback.Transport.Action) throws {
    for reasons in [[Interruption.sleep], [.output], [.sleep, .output]] {
      var room = try RoomMachineHarness(tracks: 3, startAt: 1)
      room.playFirst()
      for reason in reasons { room.interrupt(reason) }
      room.shows = 0
      try room.command(action)
      room.answerFinds()
      #expect(room.state.interruption == nil && room.shows > 0, "\(action)")
      let state = room.state
      _ = room.engineCommands()
      for reason in reasons { room.interruptionOver(reason) }
      room.pass(60)
      room.passToDeadline()
      #expect(!room.engineCommands().contains(.pause(false)))
      #expect(room.state.state == state.state || room.state.state.name == "error")
    }
  }

  @Test(arguments: Interruption.allCases)
  func aResumeDuringAnInterruptionPlays(_ reason: Interruption) throws {
    for action in [Playback.Transport.Action.resume, .toggle] {
      var room = try RoomMachineHarness(tracks: 1)
      room.playFirst()
      room.interrupt(reason)
      _ = room.engineCommands()
      try room.command(action)
      #expect(room.engineCommands() == [.pause(false)] && room.state.interruption == nil)
    }
  }

  @Test func volumeAndQueueEditsDoNotEndAnInterruption() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.playFirst()
    room.interrupt(.sleep)
    try room.command(.volume(30))
    _ = try room.load(1, .later)
    _ = try room.load(1, .next)
    #expect(room.state.interruption == "sleep")
    _ = room.engineCommands()
    room.interruptionOver(.sleep)
    #expect(room.engineCommands().contains(.pause(false)))
  }

  @Test func aLoadDuringAnInterruptionIsKept() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.playFirst()
    room.interrupt(.sleep)
    _ = try room.load(3, .now)
    #expect(room.state.interruption == nil && room.state.state == .buffering)
    room.answerFinds()
    _ = room.engineCommands()
    room.interruptionOver(.sleep)
    #expect(room.engineCommands().isEmpty)
  }

  @Test func aQueueThatIsClearedOrLosesItsTrackIsNotPlayed() throws {
    for change: (inout Queue) throws -> [Queue.Change] in [{ $0.clear() }, { try $0.remove(at: 0) }] {
      var room = try RoomMachineHarness(tracks: 2)
      room.playFirst()
      room.interrupt(.output)
      room.edit(change)
      room.answerFinds()
      #expect(room.state.interruption == nil)
      _ = room.engineCommands()
      room.interruptionOver(.output)
      #expect(room.engineCommands().isEmpty && room.machine.deadline == nil)
    }
  }

  @Test(arguments: [[Interruption.sleep, .output], [.output, .sleep]])
  func aRoomWaitsForTheEndOfAllInterruptions(_ order: [Interruption]) throws {
    for ending in [order, order.reversed()] {
      var room = try RoomMachineHarness(tracks: 1)
      room.playFirst()
      for reason in order { room.interrupt(reason) }
      // A second report of the same reason changes nothing.
      for reason in order { room.interrupt(reason) }
      #expect(room.state.interruption == order[0].name)
      _ = room.engineCommands()
      room.interruptionOver(ending[0])
      #expect(room.engineCommands().isEmpty)
      #expect(room.state.interruption == ending[1].name && room.state.state == .paused)
      room.interruptionOver(ending[1])
      #expect(room.engineCommands() == [.pause(false)] && room.state.interruption == nil)
    }
  }

  @Test func anOutputThatReturnsInTimePlaysOn() throws {
    var room = try RoomMachineHarness(tracks: 1)
    room.playFirst()
    room.interrupt(.output)
    room.pass(9)
    _ = room.engineCommands()
    room.interruptionOver(.output)
    #expect(room.engineCommands() == [.pause(false)])
    #expect(room.machine.interruptions == Interruptions())
  }

  @Test func headphonesThatArePutBackLaterStartNoMusic() throws {
    var room = try RoomMachineHarness(tracks: 1)
    room.playFirst()
    room.interrupt(.output)
    room.passToDeadline()
    #expect(room.seconds == 10)
    // Until the headphones are back, the state names the reason for the pause.
    #expect(room.state.interruption == "output" && room.machine.deadline == nil)
    room.pass(3600)
    _ = room.engineCommands()
    room.shows = 0
    room.interruptionOver(.output)
    #expect(room.engineCommands().isEmpty && room.state.state == .paused && room.state.interruption == nil)
    #expect(room.shows > 0)
    // A resume continues at the same position.
    try room.command(.resume)
    #expect(room.engineCommands() == [.pause(false)])
  }

  @Test func anOutputThatStaysAwayForLongWinsOverASleep() throws {
    for order in [[Interruption.sleep, .output], [.output, .sleep]] {
      var room = try RoomMachineHarness(tracks: 1)
      room.playFirst()
      for reason in order { room.interrupt(reason) }
      room.passToDeadline()
      _ = room.engineCommands()
      for reason in order { room.interruptionOver(reason) }
      #expect(room.engineCommands().isEmpty && room.state.state == .paused && room.state.interruption == nil)
    }
  }

  @Test func aSecondSleepInARowHoldsAndEndsLikeTheFirst() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    for _ in 0..<2 {
      room.interrupt(.sleep)
      #expect(room.state.interruption == "sleep")
      room.interruptionOver(.sleep)
      room.sound(.flowing(first, .zero))
      #expect(room.state.state == .playing)
    }
  }

  @Test func anEngineThatFailsMeanwhileIsTriedAgainAfterwards() throws {
    var room = try RoomMachineHarness(tracks: 1)
    room.playFirst()
    room.interrupt(.sleep)
    room.sound(.failed(engine: "playback.noOutput"))
    #expect(room.state.state.name == "error" && room.state.interruption == "sleep")
    room.interruptionOver(.sleep)
    room.answerFinds()
    #expect(room.engineCommands().contains { $0.isPlay } && room.state.state == .buffering)
  }

  @Test func theNextTrackOfASleepyHostIsAskedForAnew() throws {
    let url = Library.Locator.url("http://127.0.0.1:1/2", headers: [:], expiresIn: Milliseconds(3_600_000))
    var room = try RoomMachineHarness(tracks: 3)
    room.answerFinds { $0 == 1 ? .success(.file(LocalPath("/1"))) : .success(url) }
    let first = try #require(room.machine.tracks.first?.id)
    room.sound(.flowing(first, .zero))
    room.interrupt(.sleep)
    _ = room.engineCommands()
    room.interruptionOver(.sleep)
    room.answerFinds()
    let commands = room.engineCommands()
    #expect(commands.prepared == [2])
  }

  @Test func aRoomThatTriesAgainByItselfWaitsForTheHostAndThenTriesAtOnce() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    room.pass(3)
    room.sound(.position(first, Milliseconds(3000)))
    room.sound(.failed(engine: "playback.noOutput"))
    #expect(room.state.retriesAt != nil)
    room.interrupt(.sleep)
    #expect(room.state.state == .paused && room.state.interruption == "sleep" && room.state.retriesAt == nil)
    #expect(room.machine.deadline == nil)
    _ = room.engineCommands()
    room.interruptionOver(.sleep)
    room.answerFinds()
    guard case .play(let cue, paused: false)? = room.engineCommands().last(where: \.isPlay) else {
      return #expect(Bool(false))
    }
    #expect(cue.start == Milliseconds(3000) && room.state.state == .buffering)
  }

  @Test(arguments: [Interruption.output, .unplugged])
  func aRoomThatTriesAgainForWantOfAnOutputGoesOnTrying(_ reason: Interruption) throws {
    var room = try RoomMachineHarness(tracks: 1)
    room.playFirst()
    room.sound(.failed(engine: "playback.noOutput"))
    let before = room.state
    room.interrupt(reason)
    #expect(room.state == before && before.retriesAt != nil)
  }

  @Test func aSleepTimerThatRunsOutMeanwhileEndsTheWaiting() throws {
    for reason in Interruption.allCases {
      var room = try RoomMachineHarness(tracks: 1)
      room.playFirst()
      try room.command(.sleep(after: Milliseconds(5000)))
      room.interrupt(reason)
      room.passToDeadline()
      #expect(room.seconds == 5 && room.state.interruption == nil && room.state.modes?.sleepsAt == nil)
      _ = room.engineCommands()
      room.interruptionOver(reason)
      #expect(room.engineCommands().isEmpty && room.state.state == .paused)
    }
  }

  @Test func aSleepTimerRunsOnWhileTheHostSleeps() throws {
    for (hours, isPlaying) in [(Int64(1), true), (3, false)] {
      var room = try RoomMachineHarness(tracks: 1)
      room.playFirst()
      try room.command(.sleep(after: Milliseconds(2 * 3_600_000)))
      room.interrupt(.sleep)
      // The monotonic clock stands still while the host sleeps; only the date moves on.
      room.now.date = Timestamp(microseconds: room.now.date.microseconds + hours * 3_600_000_000)
      _ = room.engineCommands()
      room.interruptionOver(.sleep)
      #expect(room.engineCommands().contains(.pause(false)) == isPlaying)
      #expect(room.state.interruption == nil && (room.state.modes?.sleepsAt == nil) == !isPlaying)
      guard isPlaying, let first = room.machine.tracks.first else { continue }
      room.sound(.flowing(first.id, .zero))
      room.passToDeadline()
      #expect(room.seconds == 3590)
    }
  }

  @Test func theLossOfAnOutputIsToldAndItsReturn() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    room.sound(.output(used: "pulse/usb", problem: nil))
    let error = LunaraError("playback.noOutput", "It is gone.")
    _ = room.engineCommands()
    room.sound(.outputLost(error))
    room.sound(.halted(first, .zero, .pause))
    #expect(room.state.state == .paused && room.state.interruption == "output" && room.state.notice == error)
    // Another output in its place does not end the interruption.
    room.sound(.output(used: "pulse/hdmi", problem: error))
    #expect(room.state.interruption == "output")
    _ = room.engineCommands()
    room.sound(.output(used: "pulse/usb", problem: nil))
    #expect(room.engineCommands() == [.pause(false)] && room.state.interruption == nil && room.state.notice == nil)
  }

  @Test func anyOrderOfEventsEndsWithTheRoomAsSomebodyLeftIt() throws {
    for seed in UInt64(1)...300 {
      var random = Seeded(seed)
      var room = try RoomMachineHarness(tracks: 3)
      room.playFirst()
      /// True if a person expects sound after all interruptions are over.
      var expected = true
      var open: Set<Interruption> = []
      for _ in 0..<12 {
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1:
          let reason = Interruption.allCases.randomElement(using: &random) ?? .sleep
          room.interrupt(reason)
          if expected { open.insert(reason) }
        case 2, 3:
          let reason = Interruption.allCases.randomElement(using: &random) ?? .sleep
          room.interruptionOver(reason)
          open.remove(reason)
        case 4:
          try room.command(.pause)
          (expected, open) = (false, [])
        case 5:
          try room.command(.resume)
          (expected, open) = (true, [])
        default: try room.command(.volume(Int.random(in: 0...100, using: &random)))
        }
        #expect((room.state.interruption != nil) == !open.isEmpty, "seed \(seed)")
        #expect(room.machine.wantsSound == (expected && open.isEmpty), "seed \(seed)")
      }
    }
  }
}

extension EngineEvent {
  fileprivate static func failed(engine code: String) -> EngineEvent {
    .outputFailed(LunaraError(code, "A test."))
  }
}
