import Client
import Messages
import Model
import Testing

@testable import Bus

/// The shapes that readers rely on, as text.
@Suite struct ShapeTests {
  private func json(_ value: some JSONRepresentable) -> String {
    String(decoding: value.json.bytes(.leftOut), as: UTF8.self)
  }

  private func status(
    _ state: Playback.RoomState, age: Int64 = 0, said: Timestamp? = nil
  ) throws -> RoomStatus {
    let one = try observed(state, by: "playback@kitchen", age: age, said: said)
    return RoomStatus(one, at: one.readAt)
  }

  @Test func anAlbumPage() {
    #expect(
      json(Library.Page(items: [album(1)], next: nil))
        == #"{"items":[{"addedAt":"2023-11-14T22:13:20.000000Z","art":"files:p1","artist":"Ada","durationSeconds":400.5,"genres":["Folk"],"id":"files:a1","title":"Album 1","trackCount":2,"year":1991}],"next":null}"#
    )
  }

  @Test func anAlbumWithItsTracks() {
    #expect(
      json(Library.AlbumPage(album: album(2, art: false), tracks: [track(1, of: album(2))], moods: ["Calm"]))
        == #"{"addedAt":"2023-11-14T22:13:20.000000Z","artist":"Ada","durationSeconds":400.5,"genres":["Folk"],"id":"files:a2","moods":["Calm"],"next":null,"styles":[],"title":"Album 2","trackCount":2,"tracks":[{"album":"Album 2","albumArtist":"Ada","albumID":"files:a2","art":"files:p2","artist":"Ada","disc":1,"durationSeconds":200.25,"genres":[],"id":"files:t1","number":1,"title":"Track 1"}],"year":1992}"#
    )
  }

  @Test func aRoomThatPlays() throws {
    #expect(
      json(try status(roomState(at: 12_500)))
        == #"{"away":false,"durationSeconds":200.25,"entry":"e1","name":"kitchen","positionSeconds":12.5,"queueRevision":3,"rate":1,"state":"playing","title":null,"track":{"album":"Album 1","albumArtist":"Ada","albumID":"files:a1","art":"files:p1","artist":"Ada","disc":1,"durationSeconds":200.25,"genres":[],"id":"files:t1","number":1,"title":"Track 1"},"volume":60}"#
    )
  }

  @Test func aRoomThatIsIdle() throws {
    #expect(
      json(try status(roomState(.idle, at: 0, rate: 0, item: nil)))
        == #"{"away":false,"durationSeconds":null,"entry":null,"name":"kitchen","positionSeconds":0,"queueRevision":3,"rate":0,"state":"idle","title":null,"track":null,"volume":60}"#
    )
  }

  @Test func aRoomWithAnErrorSaysWhy() throws {
    let state = roomState(.error(LunaraError("playback.fileMissing", "It is gone.")), rate: 0)
    let text = json(try status(state))
    #expect(text.contains(#""state":"error""#))
    #expect(text.contains(#""message":"It is gone.""#))
    #expect(text.contains(#""code":"playback.fileMissing""#))
  }

  @Test func aRoomSaysWhatItDoesByItselfAndInHowLong() throws {
    let now = Timestamp(seconds: 1_700_000_000)
    var state = roomState(.error(LunaraError("playback.noSound", "No sound.")), rate: 0, item: nil)
    state.modes = Playback.Modes(
      repeats: .one, order: .tracks, stopsAfterCurrent: true, sleepsAt: now - Milliseconds(-60_000), isMuted: true,
      maximumVolume: 70)
    state.retriesAt = now - Milliseconds(-8000)
    state.notice = LunaraError("playback.outputAway", "The DAC is gone.")
    state.interruption = "output"
    let text = json(try status(state, said: now))
    #expect(
      text.contains(
        #""modes":{"maxVolume":70,"muted":true,"order":"tracks","repeat":"one","stopsAfterCurrent":true}"#))
    #expect(text.contains(#""retriesInSeconds":8,"sleepsInSeconds":60,"#))
    #expect(text.contains(#""notice":{"code":"playback.outputAway","message":"The DAC is gone."}"#))
    #expect(text.contains(#""interruption":"output""#))
    let late = json(try status(state, age: 9000, said: now))
    #expect(late.contains(#""retriesInSeconds":0,"#))
  }

  @Test func aQueueWithoutPaths() {
    #expect(
      json(RoomQueue(queueState(current: nil, count: 1), of: kitchen, position: .zero))
        == #"{"continues":false,"count":1,"current":null,"first":0,"items":[{"album":"Album 1","albumID":"files:a1","art":"files:p1","artist":"Ada","durationSeconds":200.25,"entry":"e1","id":"files:t1","title":"Track 1"}],"positionSeconds":0,"revision":3,"room":"kitchen"}"#
    )
  }

  @Test func theProgressOfARefresh() {
    var state = catalogueState
    state.sources[0].problems = []
    state.sources[0].progress = Library.Progress(done: 250, total: 1000, rate: 312.5)
    let text = json(state)
    #expect(text.contains(#""progress":{"done":250,"rate":312.5,"total":1000}"#))
    state.sources[0].progress = Library.Progress(done: 3, total: nil)
    #expect(json(state).contains(#""progress":{"done":3}"#))
  }

  @Test func anError() {
    #expect(
      json(LunaraError("web.notFound", "No.", cause: "why").failureJSON)
        == #"{"error":{"cause":"why","code":"web.notFound","message":"No."}}"#)
  }
}
