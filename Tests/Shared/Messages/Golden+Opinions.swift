import Messages
import Model

extension Golden {
  private static let blue = AlbumID(source: "files", native: "a1")
  private static let failureText =
    #"{"cause":"ENOENT","code":"library.fileMissing","message":"The file /m/1.flac is gone."}"#

  static let opinions = [
    Golden(Library.SetOpinion(id: blue, opinion: .like), #"{"id":"files:a1","opinion":"like"}"#),
    Golden(Library.SetOpinion(id: blue, opinion: nil), #"{"id":"files:a1"}"#),
    Golden(to: Library.SetOpinion.self, Library.OpinionBefore(before: .dislike), #"{"before":"dislike"}"#),
    Golden(
      Library.ListOpinions(opinion: .like, after: "c", limit: 50), #"{"after":"c","limit":50,"opinion":"like"}"#),
    Golden(
      to: Library.ListOpinions.self,
      Library.OpinionPage(
        items: [
          Library.AlbumOpinion(
            id: blue, title: "Blue", artist: "Ada", year: 1971, art: ArtID(source: "files", native: "x1"),
            opinion: .like, at: Samples.moment, isHere: false,
            problems: [.init(service: "plex", error: Samples.failure)])
        ], next: "c"),
      #"""
      {"items":[{"art":"files:x1","artist":"Ada","at":"2026-11-20T14:30:00.123456Z","id":"files:a1","isHere":false,
      "opinion":"like","problems":[{"error":
      """# + failureText + #","service":"plex"}],"title":"Blue","year":1971}],"next":"c"}"#),
    Golden(Library.ReadOpinions(since: 7, after: "c"), #"{"after":"c","since":7}"#),
    Golden(
      to: Library.ReadOpinions.self,
      Library.OpinionIDs(
        revision: 9, likes: [blue], dislikes: [AlbumID(source: "files", native: "a2")], next: "c"),
      #"{"dislikes":["files:a2"],"isSame":false,"likes":["files:a1"],"next":"c","revision":9}"#),
    Golden(
      Library.OpinionChanged(
        id: blue, opinion: .dislike, title: "Blue", artist: "Ada", releaseGroup: "bf7ec9fe-0ee8-4a4b-aa5c-94ddcdb9e5a4"),
      #"""
      {"artist":"Ada","id":"files:a1","opinion":"dislike","releaseGroup":"bf7ec9fe-0ee8-4a4b-aa5c-94ddcdb9e5a4",
      "title":"Blue"}
      """#),
    Golden(Library.ReadOpinionSharing(), "{}"),
    Golden(
      to: Library.ReadOpinionSharing.self,
      Library.OpinionSharing(
        services: [
          .init(
            service: "plex", title: "Plex", sends: "A like rates it.", isOn: true, waiting: 2, failed: 1,
            problem: Samples.failure)
        ]),
      #"{"services":[{"failed":1,"isOn":true,"problem":"# + failureText
        + #","sends":"A like rates it.","service":"plex","title":"Plex","waiting":2}]}"#),
    Golden(Library.SetOpinionSharing(service: "plex", isOn: false), #"{"isOn":false,"service":"plex"}"#),
    Golden(to: Library.SetOpinionSharing.self, Done(), "{}"),
    Golden(Library.RetryOpinions(service: "plex"), #"{"service":"plex"}"#),
    Golden(to: Library.RetryOpinions.self, Done(), "{}"),
    Golden(Library.ListSimilarAlbums(id: blue, limit: 10), #"{"id":"files:a1","limit":10}"#),
    Golden(to: Library.ListSimilarAlbums.self, Library.SimilarAlbums(albums: [blue]), #"{"albums":["files:a1"]}"#),
  ]
}
