import Messages
import Model
import Testing

@testable import lunara_playback

/// An item that was loaded with a path on this host is played from that path, without a request to the router.
struct AudioLocatorTests {
  private static let path = LocalPath("/own/1.flac")

  private func load() throws -> RoomMachineHarness {
    var room = try RoomMachineHarness(tracks: 0)
    try room.loadFresh(3, .numbered(1, path: Self.path))
    return room
  }

  @Test func aLocalFileIsPlayedWithoutARequest() throws {
    var room = try load()
    guard case .play(let cue, paused: false)? = room.engineCommands().last else { return #expect(Bool(false)) }
    #expect(cue.locator == .file(Self.path))
    #expect(room.state.item == .numbered(1, path: Self.path) && room.state.state == .buffering)
    room.sound(.began(cue.id))
    room.sound(.flowing(cue.id, .zero))
    #expect(room.facts == ["started 1"])
    room.answerFinds()
    #expect(room.engineCommands().prepared == [2])
  }

  @Test(arguments: ["playback.fileMissing", "playback.fileUnreadable"])
  func anUnreadablePathIsAskedForAtTheRouter(code: String) throws {
    var room = try load()
    guard case .play(let cue, _)? = room.engineCommands().last else { return #expect(Bool(false)) }
    room.sound(.failed(cue.id, LunaraError(code, "It is elsewhere.")))
    #expect(room.facts == [])
    room.answerFinds(only: 1) { _ in .success(.file(LocalPath("/moved/1.flac"))) }
    guard case .play(let again, paused: false)? = room.engineCommands().last else { return #expect(Bool(false)) }
    #expect(again.locator == .file(LocalPath("/moved/1.flac")))
    // A path that the router gave is not asked for again.
    room.sound(.failed(again.id, LunaraError(code, "It is elsewhere.")))
    #expect(room.facts == ["failed 1 \(code)"])
  }

  @Test func aFileThatIsNoAudioFailsAtOnce() throws {
    var room = try load()
    guard case .play(let cue, _)? = room.engineCommands().last else { return #expect(Bool(false)) }
    room.sound(.failed(cue.id, LunaraError("playback.notAudio", "It is noise.")))
    #expect(room.facts == ["failed 1 playback.notAudio"])
  }

  @Test func anErrorBeforeIsForgotten() throws {
    var room = try RoomMachineHarness(tracks: 1)
    room.machine.fail(LunaraError("playback.noOutput", "There is none."), at: room.now)
    try room.loadFresh(1, .numbered(1, path: Self.path))
    #expect(room.engineCommands().last?.isPlay == true)
  }
}

/// Tracks whose location takes long to find.
struct SlowLocatingTests {
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
    // The room gave up twice, and retried once in between, with a single request.
    #expect(room.asked == [1] && room.seconds > 16)
    room.answerFinds(only: 1)
    #expect(room.engineCommands().contains { $0.isPlay })
  }

  @Test func theLocationIsRequestedAgainAfterATimeout() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.passToDeadline()
    room.answerFinds(only: 1) { _ in .failure(LunaraError("bus.timeout", "slow")) }
    #expect(room.asked == [])
    room.passToDeadline()
    #expect(room.asked == [1] && room.state.state == .buffering)
  }

  @Test(arguments: ["library.sourceAway", "library.otherServer", "bus.unreachable"])
  func theLocationIsRequestedAgainAfterAnUnusableAnswer(code: String) throws {
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
