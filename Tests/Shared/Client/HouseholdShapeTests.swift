import Client
import Messages
import Model
import TestSupport
import Testing

/// The JSON of queues, histories and refreshes.
struct HouseholdShapeTests {
  private let den = RoomName(from: "den")

  @Test func aQueue() {
    var state = Playback.QueueState(
      revision: 3, count: 2, current: 1, first: 0, items: [Sample.item("e1", "One"), Sample.item("e2", "Two")])
    let queue = RoomQueue(state, of: den, position: Milliseconds(1500))
    #expect(
      "\(queue.json)".hasPrefix(
        #"{"room":"den","current":1,"items":[{"entry":"e1","place":1,"id":"files:t-e1","title":"One","artist":"Nova","#
          + #""album":"Night Lines","albumID":"files:a1","durationSeconds":60,"art":null,"described":false,"choice":null,"#
          + #""continued":null}"#))
    #expect(
      "\(queue.json)".hasSuffix(
        #"],"positionSeconds":1.5,"order":null,"repeat":null,"continues":false,"revision":3,"count":2,"first":0,"#
          + #""nextIndex":null,"continuation":null}"#))
    #expect(queue.coming.isEmpty)
    state.continuation = Playback.Continuation(
      list: Library.AlbumList(sort: .random, seed: 7, tag: Library.Tag(kind: .genre, name: "Jazz")),
      after: AlbumID(source: "files", native: "a1"))
    (state.current, state.nextIndex) = (nil, 1)
    #expect(
      String(decoding: RoomQueue(state, of: den).json.bytes(.leftOut), as: UTF8.self).hasSuffix(
        #""continues":true,"revision":3,"count":2,"first":0,"nextIndex":1,"#
          + #""continuation":{"sort":"random","seed":7,"tag":{"kind":"genre","name":"Jazz"}}}"#))
    (state.items, state.nextIndex, state.continuation, state.count) = ([], nil, nil, 0)
    #expect(
      String(decoding: RoomQueue(state, of: den).json.bytes(.leftOut), as: UTF8.self)
        == #"{"room":"den","current":null,"items":[],"continues":false,"revision":3,"count":0,"first":0}"#)
  }

  @Test func aScrobble() {
    let entry = Scrobble.Entry(
      listen: ListenID(rawValue: "l1"), room: den, track: Sample.track("t1", "Last Tram"),
      startedAt: Sample.moment, heard: Milliseconds(31_500),
      destinations: [.init(service: "lastfm", account: "ada", state: "pending", attempts: 2, answer: nil)])
    #expect(
      "\(entry.json)"
        == #"{"listen":"l1","room":"den","id":"files:t1","albumID":"files:a1","track":"Last Tram","artist":"Nova","#
        + #""album":"Night Lines","art":null,"startedAt":"2023-11-14T22:13:20.000000Z","heardSeconds":31.5,"#
        + #""destinations":[{"service":"lastfm","account":"ada","state":"pending","attempts":2,"answer":null}],"#
        + #""withheld":null,"isLoved":null}"#)
  }

  @Test func aFinishedRefresh() {
    let counts = Library.SyncCounts(
      new: 3, changed: 1, unchanged: 40, deleted: 0, seconds: 1.25, unused: 7, ignored: 2)
    #expect(
      "\(Library.SyncFinished(source: "files", counts: counts).json)"
        == #"{"source":"files","new":3,"changed":1,"unchanged":40,"deleted":0,"seconds":1.25,"#
        + #""unused":7,"ignored":2}"#)
    #expect(
      "\(Library.RefreshRun(startedAt: Sample.moment, counts: counts).json)"
        == #"{"startedAt":"2023-11-14T22:13:20.000000Z","new":3,"changed":1,"unchanged":40,"deleted":0,"seconds":1.25}"#
    )
  }

  @Test func theProgressOfARefresh() {
    func text(_ progress: Library.Progress) -> String { String(decoding: progress.json.bytes(.leftOut), as: UTF8.self) }
    #expect(text(Library.Progress(done: 250, total: 1000, rate: 312.5)) == #"{"done":250,"total":1000,"rate":312.5}"#)
    #expect(text(Library.Progress(done: 3, total: nil)) == #"{"done":3}"#)
  }

  @Test func anError() {
    let error = LunaraError("web.notFound", "No.", cause: "why")
    #expect("\(error.failureJSON)" == #"{"error":{"code":"web.notFound","message":"No.","cause":"why"}}"#)
  }
}
