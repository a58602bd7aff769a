import Messages
import Model
import Testing

@testable import lunara_nowplaying

struct NotificationPolicyTests {
  private let second: Int64 = 1_000_000

  private func snapshot(_ number: Int?, _ state: PlaybackState = .playing, isComplete: Bool = true) -> PlayerSnapshot {
    let state = roomState(state, item: number.map { item($0) })
    var snapshot = PlayerSnapshot(
      properties: PlayerProperties(state: state), anchor: PositionAnchor(), isComplete: isComplete,
      item: state.item, cover: isComplete ? "file:///c.jpg" : nil)
    if case .error(let error) = state.state { snapshot.problem = error }
    return snapshot
  }

  @Test func theTrackPlayingAtTheStartIsNotNotified() {
    var policy = NotificationPolicy(.all)
    #expect(policy.update([room("den"): snapshot(1)], at: 0) == [])
    #expect(policy.update([room("den"): snapshot(1)], at: second) == [])
  }

  @Test func aNewTrackIsToldOfOnceWithItsCover() {
    var policy = NotificationPolicy(.all)
    _ = policy.update([room("den"): snapshot(1)], at: 0)
    #expect(policy.update([room("den"): snapshot(2, isComplete: false)], at: second) == [])
    #expect(policy.due == second + NotificationPolicy.patience)
    #expect(
      policy.update([room("den"): snapshot(2)], at: second + 5) == [
        DesktopNotification(item(2), in: room("den"), cover: "file:///c.jpg")
      ])
    #expect(policy.due == nil)
    #expect(policy.update([room("den"): snapshot(2)], at: 2 * second) == [])
  }

  @Test func markupInNamesIsTextEvenWithCombiningMarks() {
    var item = item(1)
    item.track.artist = "<\u{301}b>Nova<\u{200D}/b> \u{202E}&\u{308}"
    item.track.title = "A\u{9B}B"
    let notification = DesktopNotification(item, in: room("den"), cover: nil)
    #expect(!notification.body.unicodeScalars.contains { "<>\u{202E}".unicodeScalars.contains($0) })
    #expect(notification.body.hasPrefix("&lt;\u{301}b&gt;Nova&lt;\u{200D}/b&gt; \u{FFFD}&amp;\u{308}"))
    #expect(notification.title == "A\u{FFFD}B")
  }

  @Test func aCoverIsNotWaitedForLong() {
    var policy = NotificationPolicy(.all)
    _ = policy.update([room("den"): snapshot(1)], at: 0)
    _ = policy.update([room("den"): snapshot(2, isComplete: false)], at: second)
    #expect(
      policy.update([room("den"): snapshot(2, isComplete: false)], at: 2 * second) == [
        DesktopNotification(item(2), in: room("den"), cover: nil)
      ])
  }

  @Test func aSkippedTrackIsNotNotified() {
    var policy = NotificationPolicy(.all)
    _ = policy.update([room("den"): snapshot(1)], at: 0)
    _ = policy.update([room("den"): snapshot(2, isComplete: false)], at: second)
    _ = policy.update([room("den"): snapshot(3, .paused)], at: second + 1)
    #expect(policy.update([room("den"): snapshot(3, .paused)], at: 9 * second) == [])
  }

  @Test func whyARoomCanPlayNoMoreIsToldOnce() {
    var policy = NotificationPolicy(.all)
    let error = LunaraError("playback.failed", "No <sound> & no light.")
    _ = policy.update([room("den"): snapshot(1)], at: 0)
    let told = policy.update([room("den"): snapshot(1, .error(error))], at: second)
    #expect(told == [DesktopNotification(error, in: room("den"))])
    #expect(told.first?.body == "No &lt;sound&gt; &amp; no light." && told.first?.title == "Lunara (den)")
    #expect(policy.update([room("den"): snapshot(1, .error(error))], at: 2 * second) == [])
  }

  @Test(
    arguments: [
      (nil, false), ("", false), ("0", false), ("off", false), ("1", true), ("on", true), ("den", true),
      ("bath,den", true), ("bath", false),
    ] as [(String?, Bool)])
  func onlyRoomsThatWereChosenAreToldOf(setting: String?, isTold: Bool) {
    #expect(NotifiedRooms(setting).contains(room("den")) == isTold)
  }
}
