import Messages
import Model
import Testing

@testable import lunara_playback

/// Servers that need long to say where a track is.
struct SlowFindTests {
  @Test func anAnswerThatComesAfterTheRoomGaveUpIsTaken() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.passToDeadline()
    guard case .error(let error) = room.state.state else { return #expect(Bool(false)) }
    #expect(error.code == "playback.noSound" && room.asked == [1] && room.seconds == 8)
    room.pass(1)
    _ = room.engineCommands()
    room.answerFinds(only: 1)
    #expect(room.state.state == .buffering)
    #expect(room.engineCommands().contains { $0.isPlay })
    room.playFirst()
    #expect(room.state.state == .playing && room.state.notice == nil)
  }

  @Test func theNextTryWaitsForTheSameAnswer() throws {
    var room = try RoomMachineHarness(tracks: 2)
    for _ in 0..<4 { room.passToDeadline() }
    // Twice given up, and tried again in between.
    #expect(room.asked == [1] && room.seconds > 16)
    room.answerFinds(only: 1)
    #expect(room.engineCommands().contains { $0.isPlay })
  }

  @Test func itIsAskedForAnewWhereThereWasNone() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.passToDeadline()
    room.answerFinds(only: 1) { _ in .failure(LunaraError("bus.timeout", "slow")) }
    #expect(room.asked == [])
    room.passToDeadline()
    #expect(room.asked == [1] && room.state.state == .buffering)
  }

  @Test(arguments: ["library.sourceAway", "bus.unreachable"])
  func itIsAskedForAnewAfterAnAnswerThatIsNone(code: String) throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.answerFinds(only: 1) { _ in .failure(LunaraError(code, "away")) }
    #expect(room.asked == [])
    for _ in 0..<3 where room.asked.isEmpty { room.passToDeadline() }
    #expect(room.asked == [1])
  }

  @Test func whoPausesMeanwhileHearsNothingAndPlaysOnAtOnce() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.passToDeadline()
    try room.command(.pause)
    _ = room.engineCommands()
    room.answerFinds(only: 1)
    #expect(room.engineCommands().isEmpty && room.state.state == .paused)
    try room.command(.resume)
    #expect(room.engineCommands().contains { $0.isPlay } && room.asked.first != 1)
  }
}
