import Messages
import Model
import Testing

@testable import lunara_nowplaying

struct NoticeBoardTests {
  private let second: Int64 = 1_000_000

  private func scene(_ number: Int?, _ state: PlaybackState = .playing, isComplete: Bool = true) -> RoomScene {
    let state = roomState(state, item: number.map { item($0) })
    var scene = RoomScene(
      properties: PlayerProperties(state: state, around: .init()), anchor: PositionAnchor(), isComplete: isComplete,
      item: state.item, cover: isComplete ? "file:///c.jpg" : nil)
    if case .error(let error) = state.state { scene.problem = error }
    return scene
  }

  @Test func whatPlaysAtTheStartIsNothingNew() {
    var board = NoticeBoard(.all)
    #expect(board.observe([room("den"): scene(1)], at: 0) == [])
    #expect(board.observe([room("den"): scene(1)], at: second) == [])
  }

  @Test func aNewTrackIsToldOfOnceWithItsCover() {
    var board = NoticeBoard(.all)
    _ = board.observe([room("den"): scene(1)], at: 0)
    #expect(board.observe([room("den"): scene(2, isComplete: false)], at: second) == [])
    #expect(board.due == second + NoticeBoard.patience)
    #expect(
      board.observe([room("den"): scene(2)], at: second + 5) == [
        Notification(item(2), in: room("den"), cover: "file:///c.jpg")
      ])
    #expect(board.due == nil)
    #expect(board.observe([room("den"): scene(2)], at: 2 * second) == [])
  }

  @Test func aCoverIsNotWaitedForLong() {
    var board = NoticeBoard(.all)
    _ = board.observe([room("den"): scene(1)], at: 0)
    _ = board.observe([room("den"): scene(2, isComplete: false)], at: second)
    #expect(
      board.observe([room("den"): scene(2, isComplete: false)], at: 2 * second) == [
        Notification(item(2), in: room("den"), cover: nil)
      ])
  }

  @Test func aTrackThatIsPassedOverIsNotToldOf() {
    var board = NoticeBoard(.all)
    _ = board.observe([room("den"): scene(1)], at: 0)
    _ = board.observe([room("den"): scene(2, isComplete: false)], at: second)
    _ = board.observe([room("den"): scene(3, .paused)], at: second + 1)
    #expect(board.observe([room("den"): scene(3, .paused)], at: 9 * second) == [])
  }

  @Test func whyARoomCanPlayNoMoreIsToldOnce() {
    var board = NoticeBoard(.all)
    let error = LunaraError("playback.failed", "No <sound> & no light.")
    _ = board.observe([room("den"): scene(1)], at: 0)
    let told = board.observe([room("den"): scene(1, .error(error))], at: second)
    #expect(told == [Notification(error, in: room("den"))])
    #expect(told.first?.body == "No &lt;sound&gt; &amp; no light." && told.first?.title == "Lunara (den)")
    #expect(board.observe([room("den"): scene(1, .error(error))], at: 2 * second) == [])
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
