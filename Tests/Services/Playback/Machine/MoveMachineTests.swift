import Messages
import Model
import Testing

@testable import lunara_playback

/// Moves between rooms, with a fake engine and a fake clock.
struct MoveMachineTests {
  private let den = RoomName(from: "den")

  private func moved(_ position: Int64, playing: Bool = true) -> Playback.Moved {
    Playback.Moved(
      revision: 7, count: 2, current: 0, position: Milliseconds(position), isPlaying: playing,
      listen: Playback.ListenMark(
        listen: ListenID(rawValue: "theirs"), startedAt: Timestamp(seconds: 900), heard: Milliseconds(position)),
      modes: Playback.Modes(repeats: .all), continuation: nil)
  }

  /// A room to which a move is prepared, and the cue that its engine got.
  private func prepared(_ room: inout RoomMachineHarness, at position: Int64) throws -> CueID {
    #expect(try room.machine.prepareMove("m", part: 0, items: 2, isLast: true))
    room.machine.arrive("m", moved(position), .numbered(1), at: room.now)
    room.machine.arrivalLocated("m", .success(.file(LocalPath("/1"))), at: room.now)
    return try #require(room.machine.moves.arrival?.track.id)
  }

  private func commit(_ room: inout RoomMachineHarness, at position: Int64, playing: Bool = true) throws {
    var queue = room.machine.queue
    _ = try queue.replace(with: moved(position, playing: playing), originalPlaces: [])
    try room.machine.commitMove("m", moved(position, playing: playing), queue, .numbered(1), at: room.now)
    room.pass(0)
    try room.command(.volume(room.state.volume))
  }

  @Test func aHeldRoomSaysExactlyWhereAndIsAPersonsAgainAfterHalfAMinute() throws {
    var room = try RoomMachineHarness(tracks: 3)
    let first = room.playFirst()
    _ = room.engineCommands()
    let offered = try room.machine.offerMove("m", to: den, at: room.now)
    #expect(offered.isPlaying && offered.count == 3 && room.machine.moving?.heldAt == nil)
    #expect(room.state.state == .playing)
    room.pass(10)
    try room.machine.holdForMove("m", at: room.now)
    #expect(room.machine.movedWhenHeld(at: room.now) == nil)
    room.sound(.halted(first, Milliseconds(10_020), .pause))
    #expect(room.engineCommands() == [.pause(true)])
    let held = try #require(room.machine.movedWhenHeld(at: room.now))
    #expect(held.position == Milliseconds(10_020) && held.isPlaying)
    #expect(held.listen?.heard == Milliseconds(10_020))
    #expect(throws: LunaraError.self) { try room.command(.resume) }
    #expect(throws: LunaraError.self) { try room.command(.next) }
    try room.command(.pause)
    room.pass(31)
    try room.command(.resume)
    #expect(room.engineCommands() == [.pause(false)] && room.machine.moving == nil)
    #expect(throws: LunaraError.self) { try room.machine.holdForMove("m", at: room.now) }
  }

  @Test func aMoveThatIsCalledOffGoesOnOnlyWherePlayed() throws {
    for isPlaying in [true, false] {
      var room = try RoomMachineHarness(tracks: 3)
      let first = room.playFirst()
      if !isPlaying { try room.command(.pause) }
      _ = try room.machine.offerMove("m", to: den, at: room.now)
      try room.machine.holdForMove("m", at: room.now)
      room.sound(.halted(first, .zero, .pause))
      _ = room.engineCommands()
      _ = room.machine.endMove("m", done: false, at: room.now)
      try room.command(.volume(20))
      #expect(room.engineCommands().contains(.pause(false)) == isPlaying)
    }
  }

  @Test func aQueueThatMovedAwayEndsNoListen() throws {
    var room = try RoomMachineHarness(tracks: 3)
    room.playFirst()
    _ = try room.machine.offerMove("m", to: den, at: room.now)
    try room.machine.holdForMove("m", at: room.now)
    _ = room.machine.endMove("m", done: true, at: room.now)
    try room.command(.volume(20))
    #expect(room.state.state == .idle && room.machine.queue.slots.isEmpty && room.machine.meter.listen == nil)
    #expect(room.facts == ["started 1"])
  }

  @Test func theRoomToWhichPausedMusicMovedIsTheOneThatWasUsedLast() throws {
    var left = try RoomMachineHarness(tracks: 3)
    left.playFirst()
    try left.command(.pause)
    left.pass(60)
    _ = try left.machine.offerMove("m", to: den, at: left.now)
    try left.machine.holdForMove("m", at: left.now)
    var entered = try RoomMachineHarness(tracks: 0)
    entered.pass(60)
    let cue = try prepared(&entered, at: 40_000)
    entered.sound(.began(cue))
    try commit(&entered, at: 40_000, playing: false)
    left.pass(1)
    _ = left.machine.endMove("m", done: true, at: left.now)
    try left.command(.volume(20))
    let uses = [left, entered].map { $0.state.use(saidAt: left.now.date, age: .zero) }
    let (kitchen, den) = (RoomName(from: "kitchen"), den)
    let choice = RoomChoice(live: [kitchen, den], uses: [kitchen: uses[0], den: uses[1]])
    #expect(try choice.room(for: nil) == den)
    #expect(left.state.position.offset == .zero)
  }

  @Test func whatIsPreparedIsHeldOpenAndGoesOnWhereItIsCommitted() throws {
    var room = try RoomMachineHarness(tracks: 0)
    let cue = try prepared(&room, at: 40_000)
    room.sound(.began(cue))
    guard case .play(let opened, paused: true)? = room.engineCommands().last(where: \.isPlay) else {
      return #expect(Bool(false))
    }
    #expect(opened.id == cue && opened.start == Milliseconds(40_000) && room.state.state == .idle)
    #expect(room.machine.moves.arrival?.answer == .some(nil))
    try commit(&room, at: 40_150)
    #expect(room.engineCommands().prefix(2) == [.seek(cue, to: Milliseconds(40_150)), .pause(false)])
    #expect(room.state.position.offset == Milliseconds(40_150) && room.state.item == .numbered(1))
    #expect(room.machine.queue.repeats == .all)
    room.sound(.flowing(cue, Milliseconds(40_150)))
    #expect(room.facts.isEmpty && room.state.listen?.listen == ListenID(rawValue: "theirs"))
    #expect(room.state.state == .playing)
  }

  @Test func aPausedMoveStaysPausedAtItsPosition() throws {
    var room = try RoomMachineHarness(tracks: 0)
    let cue = try prepared(&room, at: 40_000)
    room.sound(.began(cue))
    _ = room.engineCommands()
    try commit(&room, at: 40_000, playing: false)
    #expect(!room.engineCommands().contains(.pause(false)))
    #expect(room.state.state == .paused && room.state.position.offset == Milliseconds(40_000))
  }

  @Test func aPreparedMoveIsForgottenAfterAWhile() throws {
    var room = try RoomMachineHarness(tracks: 0)
    let cue = try prepared(&room, at: 0)
    room.sound(.began(cue))
    _ = room.engineCommands()
    room.passToDeadline()
    #expect(room.engineCommands() == [.stop] && room.machine.moves.arrival == nil)
    #expect(throws: LunaraError.self) { try commit(&room, at: 0) }
    #expect(room.state.state == .idle)
  }

  @Test func somebodyWhoPlaysThereMeanwhileTakesThePlayerAndTheMoveOpensItAnew() throws {
    var room = try RoomMachineHarness(tracks: 0)
    let cue = try prepared(&room, at: 0)
    room.sound(.began(cue))
    _ = try room.load(2, .now)
    room.playFirst()
    #expect(room.machine.moves.arrival?.stage == .located)
    _ = room.engineCommands()
    try commit(&room, at: 500)
    guard case .play(let again, paused: false)? = room.engineCommands().first(where: \.isPlay) else {
      return #expect(Bool(false))
    }
    #expect(again.start == Milliseconds(500))
    #expect(room.facts.last == "ended 1 skipped")
  }

  @Test func aTrackThatOpensTooLateIsClosedAgain() throws {
    var room = try RoomMachineHarness(tracks: 0)
    let cue = try prepared(&room, at: 0)
    _ = room.engineCommands()
    room.passToDeadline()
    #expect(room.seconds == 8 && room.engineCommands().last == .stop)
    guard case .some(.some(let error)) = room.machine.moves.arrival?.answer else { return #expect(Bool(false)) }
    #expect(error.code == "playback.noSound")
    // The track starts after the move has failed.
    room.sound(.began(cue))
    #expect(room.machine.moves.arrival?.stage == .failed(error))
  }

  @Test func anotherMoveIsNotCalledOffByTheOneBefore() throws {
    var room = try RoomMachineHarness(tracks: 0)
    let cue = try prepared(&room, at: 0)
    room.sound(.began(cue))
    _ = room.engineCommands()
    #expect(try room.machine.prepareMove("other", part: 0, items: 1, isLast: false))
    #expect(room.machine.moves.arrival == nil)
    room.pass(60)
    room.machine.wake(at: room.now)
    #expect(try room.machine.prepareMove("other", part: 1, items: 1, isLast: true))
    #expect(room.machine.moves.state.incoming?.isWhole == true)
    try room.command(.mute(false))
    #expect(room.engineCommands() == [.stop])
  }

  @Test func aMoveOfATrackThatCannotBeOpenedIsRefused() throws {
    var room = try RoomMachineHarness(tracks: 0)
    let cue = try prepared(&room, at: 0)
    room.sound(.failed(cue, LunaraError("playback.notAudio", "no")))
    #expect(room.machine.moves.arrival?.answer == .some(LunaraError("playback.notAudio", "no")))
  }

  @Test func aPreparedStreamGivesWayToItsFileOnceThatIsFetched() throws {
    var room = try RoomMachineHarness(tracks: 3)
    room.answerFinds(only: 1)
    let first = try #require(room.machine.tracks.first?.id)
    room.sound(.began(first))
    room.sound(.flowing(first, .zero))
    room.answerFinds { .success(.url("http://server/\($0)", headers: [:])) }
    _ = room.engineCommands()
    room.machine.prefetchSettled(QueueItem.numbered(3).track.id, isFetched: true, at: room.now)
    try room.command(.volume(50))
    room.answerFinds()
    #expect(room.engineCommands().prepared == [])
    room.machine.prefetchSettled(QueueItem.numbered(2).track.id, isFetched: true, at: room.now)
    try room.command(.volume(60))
    room.answerFinds()
    #expect(room.engineCommands().prepared == [2])
  }
}
