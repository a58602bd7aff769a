import Messages
import Model
import Testing

@testable import lunara_playback

/// A room without a current item that gets a command to play.
struct IdleRoomTests {
  @Test(arguments: [Playback.Transport.Action.resume, .toggle])
  func aStoppedTrackBeginsAgain(_ action: Playback.Transport.Action) throws {
    var room = try RoomMachineHarness(tracks: 3, startAt: 1)
    room.playFirst()
    room.pass(9)
    try room.command(.stop)
    // The track is found although it was moved in the queue.
    room.edit { try $0.move(from: 1, to: 2) }
    _ = room.engineCommands()
    try room.command(action)
    #expect(room.state.state == .buffering && room.machine.queue.current == 2)
    room.playFirst()
    #expect(room.state.item == .numbered(2) && room.state.position.offset == .zero)
    #expect(room.facts.suffix(2) == ["ended 2 skipped", "started 2"])
    // A second resume changes nothing.
    try room.command(.resume)
    #expect(room.machine.queue.current == 2 && room.state.state == .playing)
  }

  @Test func aQueueThatWasPlayedToItsEndBeginsAnewOrWithWhatCameSince() throws {
    for adds in [false, true] {
      var room = try RoomMachineHarness(tracks: 2, startAt: 1)
      let last = room.playFirst()
      room.sound(.ended(last, Milliseconds(60_000)))
      #expect(room.state.state == .idle && room.machine.startIndexWhenIdle == nil)
      if adds { _ = try room.load(2, .later) }
      #expect(room.machine.startIndexWhenIdle == (adds ? 2 : nil))
      try room.command(.resume)
      #expect(room.machine.queue.current == (adds ? 2 : 0) && room.state.state == .buffering)
    }
  }

  @Test func whereTheStoppedTrackIsGoneTheFirstBegins() throws {
    var room = try RoomMachineHarness(tracks: 3, startAt: 1)
    room.playFirst()
    try room.command(.stop)
    room.edit { try $0.remove(at: 1) }
    try room.command(.resume)
    #expect(room.machine.queue.current == 0)
  }

  @Test func aRestartIsNoUseOfARoom() throws {
    var room = RoomMachineHarness(
      restoring: Checkpoint(progress: .init(takenAt: Timestamp(seconds: 400))), tracks: 1)
    #expect(room.state.position.takenAt == Timestamp(seconds: 400))
    // The volume is stored as well, which does not change the time of the last use.
    try room.command(.volume(40))
    #expect(room.machine.progress(at: room.now).takenAt == Timestamp(seconds: 400))
    try room.command(.resume)
    room.playFirst()
    room.pass(5)
    try room.command(.pause)
    #expect(room.state.position.takenAt == room.now.date)
    #expect(try RoomMachineHarness(tracks: 0).state.use(saidAt: room.now.date, age: .zero).sinceUsed == nil)
  }

  @Test func anEmptyQueueSaysSo() throws {
    var room = try RoomMachineHarness(tracks: 0)
    for action: Playback.Transport.Action in [.resume, .toggle] {
      let error = #expect(throws: LunaraError.self) { try room.command(action) }
      #expect(error?.code == "playback.nothingQueued")
    }
    try room.command(.pause)
    try room.command(.stop)
    try room.command(.next)
    #expect(room.state.state == .idle)
  }
}

/// A room whose queue ended before the next albums of its continuation arrived.
struct RoomContinuationTests {
  /// A room that plays the last item of a queue with a continuation.
  private func atTheEnd(of tracks: Int = 1) throws -> (room: RoomMachineHarness, last: CueID) {
    var room = try RoomMachineHarness(tracks: tracks, startAt: tracks - 1)
    room.machine.queue.continuation = Playback.Continuation(
      list: Library.AlbumList(), after: AlbumID(source: "files", native: "a"))
    return (room, room.playFirst())
  }

  private func roomAtTheEndOfItsQueue() throws -> RoomMachineHarness {
    var (room, last) = try atTheEnd()
    room.sound(.ended(last, Milliseconds(60_000)))
    #expect(room.state.state == .idle && room.machine.wantsMore)
    return room
  }

  @Test(arguments: [Interruption.sleep, nil])
  func itDoesNotStartByItselfAfterAPauseOrASleep(of interruption: Interruption?) throws {
    var room = try roomAtTheEndOfItsQueue()
    if let interruption { room.interrupt(interruption) } else { try room.command(.pause) }
    #expect(!room.machine.wantsMore && room.machine.deadline == nil)
  }

  @Test func aRoomWaitsTenMinutesForMoreAlbums() throws {
    var room = try roomAtTheEndOfItsQueue()
    room.pass(599)
    room.machine.wake(at: room.now)
    #expect(room.machine.wantsMore)
    room.shows = 0
    room.passToDeadline()
    #expect(room.seconds == 600 && !room.machine.wantsMore && room.shows == 1 && room.machine.deadline == nil)
  }

  @Test func itIsWaitedForAfterALastTrackThatCannotBePlayed() throws {
    var (room, last) = try atTheEnd()
    room.sound(.failed(last, LunaraError("playback.notAudio", "no")))
    #expect(room.state.state == .idle && room.machine.wantsMore)
  }

  @Test func itIsWaitedForAfterALastTrackThatIsRemoved() throws {
    var (room, _) = try atTheEnd(of: 2)
    room.edit { try $0.remove(at: 1) }
    #expect(room.state.state == .idle && room.machine.wantsMore)
    (room, _) = try atTheEnd(of: 2)
    room.edit { $0.clear() }
    #expect(!room.machine.wantsMore)
  }

  @Test func aResumeAsksForMoreAlbumsAgain() throws {
    var room = try roomAtTheEndOfItsQueue()
    try room.command(.pause)
    room.pass(3600)
    try room.command(.resume)
    #expect(room.machine.wantsMore && room.machine.continuationRow == 2 && room.state.state == .idle)
    // The item that was queued meanwhile plays at once.
    _ = try room.load(1, .later)
    try room.command(.toggle)
    #expect(room.machine.queue.current == 1 && room.state.state == .buffering && !room.machine.isWaitingForMore)
  }

  @Test func aRoomThatWasToStopOrWasPausedWaitsForNothing() throws {
    for command: Playback.Transport.Action in [.stopAfterCurrent(true), .pause] {
      var (room, last) = try atTheEnd()
      try room.command(command)
      room.sound(.ended(last, Milliseconds(60_000)))
      #expect(!room.machine.wantsMore)
    }
  }
}
