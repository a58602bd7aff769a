import Messages
import Model

extension Golden {
  static let scrobble = [
    Golden(
      Scrobble.ListenCounted(subject: Samples.subject, heard: Milliseconds(94_000)),
      #"""
      {"heard":94000,"subject":{"item":{"entry":"e2","origin":{"node":"cli@main"},"track":{"album":"",
      "albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2",
      "title":"Two"}},"listen":"l1","room":"kitchen","startedAt":"2026-11-20T14:30:00.123456Z"}}
      """#),
    Golden(Scrobble.OutboxState(counted: 12, pending: 3, failed: 1), #"{"counted":12,"failed":1,"pending":3}"#),
    Golden(
      Scrobble.ListScrobbles(filter: .pending, limit: 20, after: "c2"), #"{"after":"c2","filter":"pending","limit":20}"#
    ),
    Golden(Scrobble.ListScrobbles(), #"{"filter":"all","limit":50}"#),
    Golden(
      to: Scrobble.ListScrobbles.self,
      Library.Page(
        items: [
          Scrobble.Entry(
            listen: ListenID(rawValue: "l1"), room: Samples.kitchen, track: Samples.bareTrack,
            startedAt: Samples.moment, heard: Milliseconds(94_000),
            destinations: [
              .init(service: "lastfm", account: "ann", state: "failed", attempts: 2, answer: "Invalid session"),
              .init(service: "listenbrainz", account: "ann", state: "pending", attempts: 0, answer: nil),
            ])
        ], next: "c3"),
      #"""
      {"items":[{"destinations":[{"account":"ann","answer":"Invalid session","attempts":2,"service":"lastfm",
      "state":"failed"},{"account":"ann","attempts":0,"service":"listenbrainz","state":"pending"}],
      "heard":94000,"listen":"l1","room":"kitchen","startedAt":"2026-11-20T14:30:00.123456Z",
      "track":{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],
      "id":"files:t2","title":"Two"}}],"next":"c3"}
      """#),
    Golden(
      Scrobble.OutboxState(
        counted: 12, pending: 3, failed: 1,
        accounts: [
          .init(
            service: "lastfm", account: "ann", address: "https://a/2.0/", isOn: true, state: "signed-out", pending: 3,
            failed: 1, error: LunaraError("scrobble.signedOut", "m", cause: "c"))
        ], privateUntil: Samples.moment, failedLoves: 2),
      #"""
      {"accounts":[{"account":"ann","address":"https://a/2.0/","error":{"cause":"c","code":"scrobble.signedOut",
      "message":"m"},"failed":1,"isFromSettings":false,"isOn":true,"pending":3,"service":"lastfm",
      "state":"signed-out"}],"counted":12,"failed":1,"failedLoves":2,"pending":3,"privateUntil":"2026-11-20T14:30:00.123456Z"}
      """#),
  ]
}
