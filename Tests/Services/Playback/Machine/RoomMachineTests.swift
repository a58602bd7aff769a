import Messages
import Model
import Testing

@testable import lunara_playback

/// The decisions of a room, with a fake engine and a fake clock.
struct RoomMachineTests {
  @Test func aLoadStartsWithBufferingAndPlaysWhenSoundFlows() throws {
    var room = try RoomMachineHarness(tracks: 3)
    #expect(room.state.state == .buffering)
    #expect(room.engineCommands() == [.volume(100, over: .zero), .pause(true)])
    room.answerFinds()
    #expect(room.state.item == .numbered(1))
    guard case .play(let cue, paused: false)? = room.engineCommands().first else { return #expect(Bool(false)) }
    #expect(cue.locator == .file(LocalPath("/1")) && cue.start == .zero)
    room.sound(.flowing(cue.id, .zero))
    #expect(room.state.state == .playing && room.state.position.rate == 1)
    #expect(room.facts == ["started 1"])
  }

  @Test func theStoredListenMatchesTheStoredPosition() throws {
    var room = try RoomMachineHarness(tracks: 2)
    let first = room.playFirst()
    room.pass(1)
    room.sound(.position(first, Milliseconds(1000)))
    // A change of the volume between two position reports of the engine stores the position as well.
    room.pass(Milliseconds(700))
    try room.command(.volume(30))
    let stored = room.machine.checkpoint(at: room.now).progress
    #expect(stored.position == Milliseconds(1700) && stored.heard == Milliseconds(1700))
  }

  @Test func exactlyOneTrackIsPreparedAndItIsTheNext() throws {
    var room = try RoomMachineHarness(tracks: 4)
    room.playFirst()
    #expect(room.engineCommands().prepared == [2])
    room.edit { try $0.remove(at: 1) }
    room.answerFinds()
    #expect(room.engineCommands().prepared == [nil, 3])
    room.edit { try $0.move(from: 2, to: 1) }
    room.answerFinds()
    #expect(room.engineCommands().prepared == [nil, 4])
    // A change further down the queue sends nothing to the engine.
    _ = try room.load(1, .later)
    room.answerFinds()
    #expect(room.engineCommands().isEmpty)
    room.edit { queue in
      var changes: [Queue.Change] = []
      while queue.slots.count > 1 { changes += try queue.remove(at: 1) }
      return changes
    }
    #expect(room.engineCommands().prepared == [nil])
  }

  @Test func theNextPlaysWithoutAWordToTheEngine() throws {
    var room = try RoomMachineHarness(tracks: 3)
    let first = room.playFirst()
    let second = try #require(room.machine.tracks.last?.id)
    _ = room.engineCommands()
    room.sound(.decoding(second))
    room.answerFinds()
    // While the first track is still heard, the third is prepared, and the state shows the first.
    #expect(room.engineCommands().prepared == [3])
    #expect(room.state.item == .numbered(1))
    room.sound(.ended(first, Milliseconds(60_000)))
    room.sound(.began(second))
    room.sound(.flowing(second, .zero))
    #expect(room.engineCommands().isEmpty)
    #expect(room.state.item == .numbered(2) && room.state.state == .playing)
    #expect(room.facts == ["started 1", "ended 1 finished", "started 2"])
  }

  @Test func atTheEndTheRoomIsIdleAndKeepsItsQueue() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    room.sound(.ended(first, Milliseconds(60_000)))
    #expect(room.state.state == .idle && room.state.item == nil && room.state.position.rate == 0)
    #expect(room.machine.queue.slots.count == 1 && room.machine.queue.current == nil)
    #expect(room.machine.deadline == nil)
  }

  @Test func aPreparedTrackThatComesTooLateIsPlayedOutright() throws {
    var room = try RoomMachineHarness(tracks: 2)
    let first = room.playFirst()
    let second = try #require(room.machine.tracks.last?.id)
    _ = room.engineCommands()
    room.sound(.ended(first, Milliseconds(60_000)))
    room.sound(.exhausted(second))
    guard case .play(let cue, paused: false)? = room.engineCommands().first else { return #expect(Bool(false)) }
    #expect(cue.locator == .file(LocalPath("/2")))
  }

  @Test func eightSecondsWithoutSoundAreAnErrorThatResumeTriesAgain() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    room.pass(30)
    room.sound(.halted(first, Milliseconds(30_000), .starved))
    #expect(room.state.state == .buffering)
    room.passToDeadline()
    guard case .error(let error) = room.state.state else { return #expect(Bool(false), "\(room.state.state)") }
    #expect(error.code == "playback.noSound" && error.message.contains("Title 1"))
    #expect(room.seconds == 38)
    #expect(room.engineCommands().last == .stop)
    #expect(room.state.position.offset == Milliseconds(30_000) && room.state.item == .numbered(1))
    try room.command(.resume)
    room.answerFinds()
    guard case .play(let cue, paused: false)? = room.engineCommands().last(where: \.isPlay) else {
      return #expect(Bool(false))
    }
    #expect(cue.start == Milliseconds(30_000))
    room.sound(.flowing(cue.id, Milliseconds(30_000)))
    // The listen is the same.
    #expect(room.facts.filter { $0.hasPrefix("started") }.count == 1)
    #expect(room.state.state == .playing)
  }

  @Test func aPauseThatIsUndoneAtOnceIsNoMissingSound() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    try room.command(.pause)
    try room.command(.resume)
    for second in 1...9 as ClosedRange<Int64> {
      room.pass(1)
      room.machine.wake(at: room.now)
      room.sound(.position(first, Milliseconds(second * 1000)))
    }
    #expect(room.state.state == .playing)
    #expect(room.state.retriesAt == nil)
  }

  @Test func aPauseIsNoBuffering() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    try room.command(.pause)
    room.sound(.halted(first, Milliseconds(10), .pause))
    #expect(room.machine.deadline == nil)
    #expect(room.state.state == .paused)
  }

  @Test func aShortJumpIsNotShownAsBuffering() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    try room.command(.seek(to: Milliseconds(20_000)))
    #expect(room.state.state == .playing && room.state.position.offset == Milliseconds(20_000))
    #expect(room.state.position.rate == 0)
    room.sound(.halted(first, Milliseconds(5), .seek))
    #expect(room.state.position.offset == Milliseconds(20_000))
    room.passToDeadline()
    #expect(room.state.state == .buffering)
    room.sound(.flowing(first, Milliseconds(20_000)))
    #expect(room.state.state == .playing)
  }

  @Test func aRouterThatIsAwayIsAskedAgain() throws {
    var room = try RoomMachineHarness(tracks: 1)
    room.answerFinds { _ in .failure(LunaraError("bus.unreachable", "away")) }
    #expect(room.state.state == .buffering && room.facts.isEmpty)
    room.passToDeadline()
    #expect(room.seconds == 1)
    room.answerFinds()
    #expect(room.engineCommands().contains { $0.isPlay })
  }

  @Test func aRouterThatStaysAwayIsAnErrorThatSaysSo() throws {
    var room = try RoomMachineHarness(tracks: 1)
    for _ in 0..<9 where room.state.state == .buffering {
      room.answerFinds { _ in .failure(LunaraError("bus.unreachable", "away")) }
      room.passToDeadline()
    }
    guard case .error(let error) = room.state.state else { return #expect(Bool(false), "\(room.state.state)") }
    #expect(error.cause?.contains("bus.unreachable") == true)
    #expect(room.seconds == 8)
    #expect(room.facts.isEmpty)
  }

  @Test func aNextTrackThatCannotBeFoundIsNoConcernBeforeItsTurn() throws {
    var room = try RoomMachineHarness(tracks: 3)
    room.answerFinds(only: 1)
    let first = try #require(room.machine.tracks.first?.id)
    room.sound(.began(first))
    room.sound(.flowing(first, .zero))
    room.answerFinds { _ in .failure(LunaraError("library.fileMissing", "gone")) }
    #expect(room.state.state == .playing && room.facts == ["started 1"])
    #expect(room.machine.deadline == nil)
    room.sound(.ended(first, Milliseconds(60_000)))
    room.answerFinds {
      $0 == 2 ? .failure(LunaraError("library.fileMissing", "gone")) : .success(.file(LocalPath("/3")))
    }
    room.answerFinds()
    #expect(room.facts == ["started 1", "ended 1 finished", "failed 2 library.fileMissing"])
    #expect(room.state.item == .numbered(3))
  }

  @Test func afterAFailureNothingReplacesTheTrackThatIsToFollow() throws {
    var room = try RoomMachineHarness(tracks: 3)
    room.answerFinds()
    let ids = room.machine.tracks.map(\.id)
    _ = room.engineCommands()
    room.sound(.failed(ids[0], LunaraError("playback.fileMissing", "gone")))
    room.answerFinds()
    #expect(room.engineCommands().isEmpty)
    // The third track is prepared only after the engine has started to decode the second.
    room.sound(.decoding(ids[1]))
    room.answerFinds()
    #expect(room.engineCommands().prepared == [3])
  }

  @Test func soundBetweenFailuresResetsTheirCount() throws {
    var room = try RoomMachineHarness(tracks: 6)
    for _ in 0..<3 {
      for _ in 0..<1 {
        room.answerFinds()
        room.sound(.failed(try #require(room.machine.tracks.first?.id), LunaraError("playback.notAudio", "no")))
      }
      room.answerFinds()
      let id = try #require(room.machine.tracks.first?.id)
      room.sound(.flowing(id, .zero))
      #expect(room.state.state == .playing)
      room.sound(.ended(id, Milliseconds(60_000)))
    }
    #expect(room.state.state == .idle)
  }

  @Test func aLostOutputKeepsThePlaceAndTheListen() throws {
    var room = try RoomMachineHarness(tracks: 2)
    let first = room.playFirst()
    room.pass(12)
    room.sound(.position(first, Milliseconds(12_000)))
    room.sound(.outputFailed(LunaraError("playback.noOutput", "gone")))
    #expect(room.state.state.name == "error" && room.state.position.offset == Milliseconds(12_000))
    #expect(room.facts == ["started 1", "heard 1 12000"])
    #expect(room.machine.meter.listen != nil)
  }

  @Test func previousRestartsAfterThreeSecondsAndElseGoesBack() throws {
    var room = try RoomMachineHarness(tracks: 3, startAt: 1)
    let first = room.playFirst()
    room.sound(.position(first, Milliseconds(3001)))
    try room.command(.previous)
    #expect(room.state.item == .numbered(2) && room.state.position.offset == .zero)
    room.sound(.flowing(first, .zero))
    try room.command(.previous)
    #expect(room.machine.queue.current == 0)
    #expect(room.facts.contains("ended 2 skipped"))
    try room.command(.previous)
    #expect(room.machine.queue.current == 0)
  }

  @Test func nextKeepsAPauseAndJumpPlays() throws {
    var room = try RoomMachineHarness(tracks: 3)
    room.playFirst()
    try room.command(.pause)
    try room.command(.next)
    room.answerFinds()
    #expect(room.state.state == .paused && room.state.item == .numbered(2))
    guard case .play(_, paused: true)? = room.engineCommands().last(where: \.isPlay) else {
      return #expect(Bool(false))
    }
    try room.command(.jump(to: 2))
    room.answerFinds()
    guard case .play(_, paused: false)? = room.engineCommands().last(where: \.isPlay) else {
      return #expect(Bool(false))
    }
  }

  @Test func lateEventsOfAnEarlierTrackChangeNothing() throws {
    var room = try RoomMachineHarness(tracks: 3)
    let first = room.playFirst()
    try room.command(.next)
    room.answerFinds()
    let before = room.state
    let facts = room.facts
    for event: EngineEvent in [
      .position(first, Milliseconds(50_000)), .flowing(first, .zero), .ended(first, Milliseconds(60_000)),
      .halted(first, Milliseconds(1), .pause), .failed(first, LunaraError("a.b", "c")), .exhausted(first),
      .duration(first, Milliseconds(5)), .began(first), .reopened(first),
    ] {
      room.sound(event)
    }
    #expect(room.state == before && room.facts == facts)
  }

  @Test func aTrackThatWasReplacedTooLateGivesWayToTheRightOne() throws {
    var room = try RoomMachineHarness(tracks: 3)
    room.playFirst()
    let second = try #require(room.machine.tracks.last?.id)
    // The engine moves on to the second track just as it is removed from the queue.
    room.edit { try $0.remove(at: 1) }
    room.answerFinds()
    room.sound(.decoding(second))
    room.answerFinds()
    #expect(room.state.item == .numbered(3))
    guard case .play(let cue, _)? = room.engineCommands().last(where: \.isPlay) else { return #expect(Bool(false)) }
    #expect(cue.locator == .file(LocalPath("/3")))
    #expect(room.facts.suffix(1) == ["ended 1 finished"])
  }

  @Test func theStateIsPublishedEveryTenSecondsWhileSoundFlows() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    _ = room.engineCommands()
    room.shows = 0
    for second in 1...60 {
      room.pass(1)
      room.sound(.position(first, Milliseconds(Int64(second) * 1000)))
    }
    #expect(room.shows == 6)
  }

  @Test func aPositionThatLeapsIsPublished() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    room.pass(2)
    room.shows = 0
    room.sound(.position(first, Milliseconds(9000)))
    #expect(room.shows == 1)
    #expect(room.state.position.offset == Milliseconds(9000))
  }

  @Test func theVolumeIsBounded() throws {
    var room = try RoomMachineHarness(tracks: 0)
    for (asked, set) in [(-3, 0), (250, 100), (35, 35)] {
      try room.command(.volume(asked))
      #expect(room.state.volume == set)
      #expect(room.engineCommands().last == .volume(set, over: .zero))
    }
    try room.command(.volume(35))
    #expect(room.engineCommands().isEmpty)
  }

  @Test func aJumpPastTheEndIsTheNextTrackAndBeforeTheStartTheStart() throws {
    var room = try RoomMachineHarness(tracks: 2)
    let first = room.playFirst()
    try room.command(.skip(by: Milliseconds(-15_000)))
    #expect(room.engineCommands().contains(.seek(first, to: .zero)))
    try room.command(.seek(to: Milliseconds(Int64.max / 4)))
    #expect(room.state.item == .numbered(2) || room.machine.queue.current == 1)
  }
}
