import Messages
import Model

extension Golden {
  private static let filter = Library.PlayFilter(
    track: TrackID(source: "files", native: "t2"), album: AlbumID(source: "files", native: "a1"),
    artist: ArtistID(source: "files", native: "r1"), room: Samples.kitchen, since: Samples.moment,
    until: Samples.moment)
  private static let filterText = #"""
    {"album":"files:a1","artist":"files:r1","room":"kitchen","since":"2026-11-20T14:30:00.123456Z","track":"files:t2",
    "until":"2026-11-20T14:30:00.123456Z"}
    """#

  static let history = [
    Golden(
      Library.ListPlays(filter: filter, after: "c1", limit: 20),
      #"{"after":"c1","filter":"# + filterText + #","limit":20}"#),
    Golden(Library.ListPlays(), #"{"filter":{},"limit":50}"#),
    Golden(
      to: Library.ListPlays.self, .init(items: [Samples.play], next: "c2"),
      #"""
      {"items":[{"counted":true,"heard":94000,"listen":"l1","room":"kitchen","skipped":false,
      "startedAt":"2026-11-20T14:30:00.123456Z","track":{"album":"","albumArtist":"","albumID":"files:a1",
      "artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2","title":"Two"}}],"next":"c2"}
      """#),
    Golden(
      Library.CountPlays(filter: filter, by: .album, limit: 20),
      #"{"by":"album","filter":"# + filterText + #","limit":20}"#),
    Golden(
      to: Library.CountPlays.self,
      .init(rows: [
        .init(key: "files:a1", title: "Blue", plays: 3, skips: 1, lastPlayedAt: Samples.moment),
        .init(key: "files:a2", title: "Kind", plays: 0, skips: 1, lastPlayedAt: nil),
      ]),
      #"""
      {"rows":[{"key":"files:a1","lastPlayedAt":"2026-11-20T14:30:00.123456Z","plays":3,"skips":1,
      "title":"Blue"},{"key":"files:a2","plays":0,"skips":1,"title":"Kind"}]}
      """#),
  ]
}
