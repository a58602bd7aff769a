import Messages
import Model
import Testing

@testable import lunara_playback

/// A room with nothing current, in which a person plays on.
struct RoomRestTests {
  @Test(arguments: [Playback.Transport.Action.resume, .toggle])
  func whatWasStoppedBeginsAgain(_ action: Playback.Transport.Action) throws {
    var room = try RoomMachineHarness(tracks: 3, startAt: 1)
    room.playFirst()
    room.pass(9)
    try room.command(.stop)
    // Wherever it is by now.
    room.edit { try $0.move(from: 1, to: 2) }
    _ = room.engineCommands()
    try room.command(action)
    #expect(room.state.state == .buffering && room.machine.queue.current == 2)
    room.playFirst()
    #expect(room.state.item == .numbered(2) && room.state.position.offset == .zero)
    #expect(room.facts.suffix(2) == ["ended 2 skipped", "started 2"])
    // Twice is as once.
    try room.command(.resume)
    #expect(room.machine.queue.current == 2 && room.state.state == .playing)
  }

  @Test func aQueueThatWasPlayedToItsEndBeginsAnewOrWithWhatCameSince() throws {
    for adds in [false, true] {
      var room = try RoomMachineHarness(tracks: 2, startAt: 1)
      let last = room.playFirst()
      room.sound(.ended(last, Milliseconds(60_000)))
      #expect(room.state.state == .idle)
      if adds { _ = try room.load(2, .later) }
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
