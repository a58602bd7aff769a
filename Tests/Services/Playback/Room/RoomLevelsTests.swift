import Messages
import Model
import Testing

@testable import lunara_playback

/// Which levels a room gives to its tracks.
struct RoomLevelsTests {
  @Test func levelsGoIntoCuesAndAChangeOfThemIntoThePreparedOne() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.levels = Levels(trackGain: -7)
    try room.set(Playback.SetOutput(levelling: .track))
    room.answerFinds()
    let cues = room.engineCommands().cues
    #expect(cues.map(\.gain) == [-7, -7])
    try room.set(Playback.SetOutput(preamp: 2))
    #expect(room.engineCommands().cues.map(\.gain) == [-5])
    try room.set(Playback.SetOutput(levelling: .off))
    #expect(room.engineCommands().cues.map(\.gain) == [nil])
  }

  @Test func theTracksBesideDecideAboutTheLevelHoweverTheyCameThere() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.levels = Levels(trackGain: -7, albumGain: -3)
    room.playFirst()
    _ = room.engineCommands()
    // Nobody read what stands beside the next one so far.
    try room.set(Playback.SetOutput(levelling: .smart))
    room.neighbours.before = QueueItem.numbered(1).track
    room.answerFinds()
    #expect(room.engineCommands().cues.last?.gain == -3)
    room.neighbours.before?.albumID = AlbumID(source: "files", native: "other")
    room.edit { try $0.move(from: 0, to: 0) }
    room.answerFinds()
    #expect(room.engineCommands().cues.map(\.gain) == [-7])
    room.edit { try $0.move(from: 0, to: 0) }
    room.answerFinds()
    #expect(room.engineCommands().cues.isEmpty)
  }
}
