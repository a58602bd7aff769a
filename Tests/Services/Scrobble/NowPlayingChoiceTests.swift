import Messages
import Model
import ServiceKit
import Testing

@testable import lunara_scrobble

struct NowPlayingChoiceTests {
  private func room(_ name: String, _ listen: String?, isPlaying: Bool = true) -> NowPlayingChoice.Room {
    NowPlayingChoice.Room(
      room: RoomName(from: name), isPlaying: isPlaying, track: listen.map { _ in subject("x").item.track },
      hearing: listen)
  }

  private func heard(_ name: String) -> NowPlayingChoice.Change {
    .playing(subject("x").item.track, in: RoomName(from: name))
  }

  @Test func aTrackIsReportedOnceForManyStatesOfItsRoom() {
    var now = NowPlayingChoice()
    #expect(now.update([room("den", "a", isPlaying: false)]) == nil)
    #expect(now.update([room("den", "a")]) == heard("den"))
    #expect(now.update([room("den", "a")]) == nil)
    #expect(now.update([room("den", "b")]) == heard("den"))
    #expect(now.update([room("den", "b", isPlaying: false)]) == .nothing)
    #expect(now.update([room("den", nil)]) == nil)
  }

  @Test func theRoomThatStartedLastIsReported() {
    var now = NowPlayingChoice()
    #expect(now.update([room("den", "a")]) == heard("den"))
    #expect(now.update([room("bath", "b"), room("den", "a")]) == heard("bath"))
    #expect(now.update([room("bath", "b", isPlaying: false), room("den", "a")]) == heard("den"))
  }

  @Test func aMoveToAnotherRoomIsNotReportedAgain() {
    var now = NowPlayingChoice()
    #expect(now.update([room("den", "a")]) == heard("den"))
    #expect(now.update([room("den", "a"), room("bath", "a")]) == nil)
    #expect(now.update([room("bath", "a")]) == nil)
  }
}
