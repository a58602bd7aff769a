import Messages
import Model

extension Golden {
  private static let failureText =
    #"{"cause":"ENOENT","code":"library.fileMissing","message":"The file /m/1.flac is gone."}"#
  private static let missingText =
    #"""
    {"art":"cover:https://c.example/1","artist":"Ada","artistID":"files:r1","date":"2026-11-26","isWished":true,
    "links":[{"name":"MusicBrainz","url":"https://musicbrainz.org/release-group/g1"}],"releaseGroup":"g1",
    "source":"ListenBrainz","title":"Blue"}
    """#

  static let outside = [
    Golden(Discovery.ListSources(), "{}"),
    Golden(
      to: Discovery.ListSources.self,
      Discovery.SourceList(
        sources: [
          .init(
            name: "listenbrainz-charts", readAt: Samples.moment, items: 2, problem: Samples.failure,
            outside: .init(
              title: "ListenBrainz", adds: "Charts.", sends: "Nothing.", isOn: true, needs: "An account.",
              nextAt: Samples.moment))
        ], showsMissing: true),
      #"""
      {"showsMissing":true,"sources":[{"items":2,"name":"listenbrainz-charts","outside":{"adds":"Charts.","isOn":true,
      "needs":"An account.","nextAt":"2026-11-20T14:30:00.123456Z","sends":"Nothing.","title":"ListenBrainz"},
      "problem":
      """# + failureText + #","readAt":"2026-11-20T14:30:00.123456Z"}]}"#),
    Golden(Discovery.SetSource(name: "musicbrainz", isOn: true), #"{"isOn":true,"name":"musicbrainz"}"#),
    Golden(to: Discovery.SetSource.self, Done(), "{}"),
    Golden(Discovery.RefreshSource(name: "musicbrainz"), #"{"name":"musicbrainz"}"#),
    Golden(to: Discovery.RefreshSource.self, Done(), "{}"),
    Golden(Discovery.SetMissingAlbums(isOn: true), #"{"isOn":true}"#),
    Golden(to: Discovery.SetMissingAlbums.self, Done(), "{}"),
    Golden(Discovery.SetWish(releaseGroup: "g1", isWished: true), #"{"isWished":true,"releaseGroup":"g1"}"#),
    Golden(to: Discovery.SetWish.self, Done(), "{}"),
    Golden(Discovery.ListWishes(), "{}"),
    Golden(
      to: Discovery.ListWishes.self,
      Discovery.WishList(
        wishes: [.init(album: Samples.missingAlbum, at: Samples.moment, id: AlbumID(source: "files", native: "a1"))]),
      #"{"wishes":[{"album":"# + missingText + #","at":"2026-11-20T14:30:00.123456Z","id":"files:a1"}]}"#),
    Golden(
      to: Discovery.ReadWall.self,
      Discovery.Wall(name: .init(seed: 7, dial: 3, first: 1), tiles: [Samples.missingTile], next: nil),
      #"""
      {"endsRound":false,"name":{"dial":3,"first":1,"seed":7},"round":1,"tiles":[{"artist":"Ada",
      "evidence":{"listens":12,"source":"ListenBrainz"},"isOnShelf":false,"missing":
      """# + missingText + #","reason":"ListenBrainz recommends it to you.","signal":"recommended","title":"Blue"}]}"#),
    Golden(
      Library.ListSimilarAlbums(id: AlbumID(source: "files", native: "a1"), limit: 5), #"{"id":"files:a1","limit":5}"#),
    Golden(
      to: Library.ListSimilarAlbums.self,
      Library.SimilarAlbums(albums: [AlbumID(source: "files", native: "a2")]), #"{"albums":["files:a2"]}"#),
    Golden(
      Scrobble.ReadFromService(
        service: "listenbrainz", path: "1/popularity/release-group", parameters: ["count": "5"], body: "{}"),
      #"""
      {"body":"{}","parameters":{"count":"5"},"path":"1/popularity/release-group","service":"listenbrainz"}
      """#),
    Golden(
      to: Scrobble.ReadFromService.self,
      Scrobble.ServiceAnswer(status: 429, body: "{}", waitsUntil: Samples.moment),
      #"{"body":"{}","status":429,"waitsUntil":"2026-11-20T14:30:00.123456Z"}"#),
  ]
}

extension Samples {
  static let missingAlbum = Discovery.MissingAlbum(
    releaseGroup: "g1", title: "Blue", artist: "Ada", artistID: ArtistID(source: "files", native: "r1"),
    date: "2026-11-26", art: ArtID(source: "cover", native: "https://c.example/1"), source: "ListenBrainz",
    links: [.init(name: "MusicBrainz", url: "https://musicbrainz.org/release-group/g1")], isWished: true)
  static let missingTile = Discovery.Tile(
    id: nil, title: "Blue", artist: "Ada", isOnShelf: false, signal: .recommended,
    reason: "ListenBrainz recommends it to you.", evidence: .init(source: "ListenBrainz", listens: 12),
    missing: missingAlbum)
}
