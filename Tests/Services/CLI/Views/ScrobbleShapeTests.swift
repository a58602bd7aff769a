import Messages
import Model
import Testing

@testable import lunara

/// The shape of scrobbles.
struct ScrobbleShapeTests {
  @Test func theShape() {
    let entry = Scrobble.Entry(
      listen: ListenID(rawValue: "l1"), room: RoomName(from: "den"), track: Sample.track("t1", "Last Tram"),
      startedAt: Sample.moment, heard: Milliseconds(31_500),
      destinations: [.init(service: "lastfm", account: "ada", state: "pending", attempts: 2, answer: nil)])
    #expect(
      "\(entry.json)"
        == #"{"listen":"l1","room":"den","id":"files:t1","track":"Last Tram","artist":"Nova","album":"Night Lines","#
        + #""startedAt":"2023-11-14T22:13:20.000000Z","heardSeconds":31.5,"destinations":["#
        + #"{"service":"lastfm","account":"ada","state":"pending","attempts":2,"answer":null}],"withheld":null,"isLoved":null}"#
    )
  }

  @Test func aFinishedRefresh() {
    let end = Library.SyncFinished(
      source: "files", counts: .init(new: 3, changed: 1, unchanged: 40, deleted: 0, seconds: 1.25))
    #expect("\(end.json)" == #"{"source":"files","new":3,"changed":1,"unchanged":40,"deleted":0,"seconds":1.25}"#)
    #expect(end.line == "files: 3 new, 1 changed, 40 unchanged, 0 deleted, in 1.3 s\n")
  }
}
