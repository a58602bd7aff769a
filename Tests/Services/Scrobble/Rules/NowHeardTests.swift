import Messages
import Model
import Testing

@testable import lunara_scrobble

struct NowHeardTests {
  private func room(_ name: String, _ listen: String?, isPlaying: Bool = true) -> NowHeard.Room {
    NowHeard.Room(
      room: RoomName(from: name), isPlaying: isPlaying, track: listen.map { _ in subject("x").item.track },
      hearing: listen)
  }

  private func heard(_ name: String) -> NowHeard.Change {
    .heard(subject("x").item.track, in: RoomName(from: name))
  }

  @Test func aTrackIsToldOnceHoweverOftenItsRoomSaysSo() {
    var now = NowHeard()
    #expect(now.take([room("den", "a", isPlaying: false)]) == nil)
    #expect(now.take([room("den", "a")]) == heard("den"))
    #expect(now.take([room("den", "a")]) == nil)
    #expect(now.take([room("den", "b")]) == heard("den"))
    #expect(now.take([room("den", "b", isPlaying: false)]) == .nothing)
    #expect(now.take([room("den", nil)]) == nil)
  }

  @Test func theRoomThatBeganLastIsHeard() {
    var now = NowHeard()
    #expect(now.take([room("den", "a")]) == heard("den"))
    #expect(now.take([room("bath", "b"), room("den", "a")]) == heard("bath"))
    #expect(now.take([room("bath", "b", isPlaying: false), room("den", "a")]) == heard("den"))
  }

  @Test func aMoveToAnotherRoomTellsNothingAnew() {
    var now = NowHeard()
    #expect(now.take([room("den", "a")]) == heard("den"))
    #expect(now.take([room("den", "a"), room("bath", "a")]) == nil)
    #expect(now.take([room("bath", "a")]) == nil)
  }
}
