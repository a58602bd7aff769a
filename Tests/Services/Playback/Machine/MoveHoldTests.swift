import Messages
import Model
import Testing

@testable import lunara_playback

/// Commands and interruptions while a room's sound is held for a move.
struct MoveHoldTests {
  private let den = RoomName(from: "den")

  /// A room that played and is now held.
  private func held() throws -> (room: RoomMachineHarness, first: CueID) {
    var room = try RoomMachineHarness(tracks: 3)
    let first = room.playFirst()
    _ = try room.machine.offerMove("m", to: den, at: room.now)
    room.pass(10)
    try room.machine.holdForMove("m", at: room.now)
    room.sound(.halted(first, Milliseconds(10_000), .pause))
    _ = room.engineCommands()
    return (room, first)
  }

  private func callOff(_ room: inout RoomMachineHarness) throws {
    _ = room.machine.endMove("m", done: false, at: room.now)
    try room.command(.mute(false))
  }

  @Test func aPauseIsKeptInWhicheverRoomTheQueueEndsUp() throws {
    var (room, _) = try held()
    try room.command(.pause)
    #expect(room.machine.movedWhenHeld(at: room.now)?.isPlaying == false)
    try callOff(&room)
    #expect(room.engineCommands().isEmpty && room.state.state == .paused)
  }

  @Test func aPauseHoldsOverARestart() throws {
    var (before, _) = try held()
    try before.command(.pause)
    var room = try RoomMachineHarness(restoring: 3)
    room.machine.restore(before.machine.moves.state.stored, at: room.now)
    #expect(room.machine.movedWhenHeld(at: room.now)?.isPlaying == false)
    // A pause may also come after the restart.
    room.machine.restore(try held().room.machine.moves.state.stored, at: room.now)
    #expect(room.machine.movedWhenHeld(at: room.now)?.isPlaying == true)
    try room.command(.pause)
    #expect(room.machine.movedWhenHeld(at: room.now)?.isPlaying == false)
  }

  @Test func theSleepTimerPausesAHeldRoom() throws {
    var (room, _) = try held()
    try room.command(.sleep(after: .zero))
    room.passToDeadline()
    #expect(room.machine.movedWhenHeld(at: room.now)?.isPlaying == false)
    try callOff(&room)
    #expect(room.engineCommands().isEmpty)
  }

  @Test(arguments: Interruption.allCases)
  func anInterruptionKeepsItQuietUntilBothAreOver(_ reason: Interruption) throws {
    for endsFirst in [true, false] {
      var (room, _) = try held()
      room.interrupt(reason)
      #expect(room.state.interruption == reason.name)
      // The target room may play during an interruption of this room.
      #expect(room.machine.movedWhenHeld(at: room.now)?.isPlaying == true)
      if endsFirst { room.interruptionOver(reason) } else { try callOff(&room) }
      #expect(!room.engineCommands().contains(.pause(false)), "\(endsFirst)")
      if endsFirst { try callOff(&room) } else { room.interruptionOver(reason) }
      #expect(room.engineCommands() == [.pause(false)], "\(endsFirst)")
      #expect(room.state.interruption == nil)
    }
  }

  @Test func anOutputThatIsAwayForLongKeepsItQuiet() throws {
    var (room, _) = try held()
    room.interrupt(.output)
    room.passToDeadline()
    try callOff(&room)
    room.interruptionOver(.output)
    #expect(room.engineCommands().isEmpty && room.state.state == .paused)
  }

  @Test func aPersonWhoPausesAnInterruptedRoomHasItStayPaused() throws {
    var (room, _) = try held()
    room.interrupt(.sleep)
    try room.command(.pause)
    room.interruptionOver(.sleep)
    try callOff(&room)
    #expect(room.engineCommands().isEmpty && room.state.state == .paused)
  }

  @Test func aCancelledMoveLeavesTheRoomInterruptible() throws {
    var (room, first) = try held()
    room.pass(31)
    try room.command(.resume)
    room.sound(.flowing(first, Milliseconds(10_000)))
    _ = room.engineCommands()
    room.interrupt(.unplugged)
    #expect(room.engineCommands() == [.pause(true)])
  }

  @Test func theHeldPositionDoesNotAdvance() throws {
    var room = try RoomMachineHarness(tracks: 3)
    room.playFirst()
    _ = try room.machine.offerMove("m", to: den, at: room.now)
    room.pass(10)
    try room.machine.holdForMove("m", at: room.now)
    // The engine has not reported the position where the sound held.
    room.passToDeadline()
    #expect(room.machine.movedWhenHeld(at: room.now)?.position == Milliseconds(10_000))
    room.pass(5)
    #expect(room.machine.movedWhenHeld(at: room.now)?.position == Milliseconds(10_000))
    #expect(room.machine.progress(at: room.now).position == Milliseconds(10_000))
  }
}
