import Messages
import Model
import Testing

@testable import lunara_playback

/// An item that was just loaded with a path on this host is played from there, without a question first.
struct AudioLocatorTests {
  private static let path = LocalPath("/own/1.flac")

  private func load() throws -> RoomMachineHarness {
    var room = try RoomMachineHarness(tracks: 0)
    try room.loadFresh(3, .numbered(1, path: Self.path))
    return room
  }

  @Test func whatIsHereIsPlayedAtOnce() throws {
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
  func aPathThatCannotBeReadIsAskedAbout(code: String) throws {
    var room = try load()
    guard case .play(let cue, _)? = room.engineCommands().last else { return #expect(Bool(false)) }
    room.sound(.failed(cue.id, LunaraError(code, "It is elsewhere.")))
    #expect(room.facts == [])
    room.answerFinds(only: 1) { _ in .success(.file(LocalPath("/moved/1.flac"))) }
    guard case .play(let again, paused: false)? = room.engineCommands().last else { return #expect(Bool(false)) }
    #expect(again.locator == .file(LocalPath("/moved/1.flac")))
    // What the router says is the last word.
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
