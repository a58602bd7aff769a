import Messages
import Model

extension Golden {
  private static let shelf = Discovery.ShelfState(
    generation: 9, albums: 2, dial: 3, isReading: true, problem: Samples.failure)
  private static let shelfText =
    #"""
    {"albums":2,"dial":3,"generation":9,"isReading":true,"problem":{"cause":"ENOENT","code":"library.fileMissing",
    "message":"The file /m/1.flac is gone."}}
    """#
  private static let name = Samples.wallName
  private static let nameText = #"{"dial":3,"first":50,"genre":"rock","seed":7,"subcategories":["rock-punk"]}"#
  private static let tile = Samples.tile
  private static let tileText =
    #"""
    {"art":"files:x1","artist":"Ada","artistID":"files:r1","evidence":{"addedAt":"2026-11-20T14:30:00.123456Z",
    "favourite":"Red","favouritesOfArtist":1,"genre":"Punk","lastPlayedAt":"2026-11-20T14:30:00.123456Z",
    "likedArtists":4,"listeners":673,"notedAt":"2026-11-20T14:30:00.123456Z","place":2,"plays":3,"rating":9},
    "id":"files:a1","isOnShelf":true,
    "reason":"Not played for 14 months.","signal":"history","title":"Blue","year":1971}
    """#

  static let discovery = [
    Golden(shelf, shelfText),
    Golden(
      Discovery.ReadWall(after: "c", seed: 7, dial: 3, count: 50, genre: "rock", subcategories: ["punk"]),
      #"{"after":"c","count":50,"dial":3,"genre":"rock","seed":7,"subcategories":["punk"]}"#),
    Golden(Discovery.ReadWall(), "{}"),
    Golden(
      to: Discovery.ReadWall.self, Discovery.Wall(name: name, tiles: [tile], next: "c", round: 2, endsRound: true),
      #"{"endsRound":true,"name":"# + nameText + #","next":"c","round":2,"tiles":["# + tileText + "]}"),
    Golden(
      Discovery.ListNextAlbums(wall: name, after: AlbumID(source: "files", native: "a1")),
      #"{"after":"files:a1","limit":5,"wall":"# + nameText + "}"),
    Golden(
      to: Discovery.ListNextAlbums.self,
      Discovery.NextAlbums(albums: [AlbumID(source: "files", native: "a2")], hasMore: true),
      #"{"albums":["files:a2"],"hasMore":true}"#),
    Golden(
      Discovery.ListSimilarAlbums(album: AlbumID(source: "files", native: "a1"), limit: 20),
      #"{"album":"files:a1","limit":20}"#),
    Golden(
      to: Discovery.ListSimilarAlbums.self, Discovery.SimilarAlbums(items: [tile]), #"{"items":["# + tileText + "]}"),
    Golden(
      Discovery.ShowLess(album: AlbumID(source: "files", native: "a1"), isTakenBack: true),
      #"{"album":"files:a1","isTakenBack":true}"#),
    Golden(to: Discovery.ShowLess.self, Done(), "{}"),
    Golden(Discovery.ListGenres(), "{}"),
    Golden(
      to: Discovery.ListGenres.self,
      Discovery.GenreList(
        genres: [
          .init(
            id: "rock", name: "Rock", albums: 3, subcategories: [.init(id: "rock-punk", name: "Punk", albums: 1)])
        ], tagged: 4, matched: 3, unmatched: [.init(tag: "Odd", albums: 1)]),
      #"""
      {"genres":[{"albums":3,"id":"rock","name":"Rock","subcategories":[{"albums":1,"id":"rock-punk","name":"Punk"}]}],
      "matched":3,"tagged":4,"unmatched":[{"albums":1,"tag":"Odd"}]}
      """#),
    Golden(Discovery.AssignTag(tag: "Odd", genre: "rock"), #"{"genre":"rock","tag":"Odd"}"#),
    Golden(to: Discovery.AssignTag.self, Done(), "{}"),
    Golden(Discovery.SetDial(dial: 4), #"{"dial":4}"#),
    Golden(to: Discovery.SetDial.self, Done(), "{}"),
    Golden(Discovery.ReadDiagnostics(), "{}"),
    Golden(
      to: Discovery.ReadDiagnostics.self,
      Discovery.Diagnostics(
        shelf: shelf, played: 1, rated: 2, tagged: 3, matched: 4, likes: 5, dislikes: 6, both: 0, heldBack: 7, walls: 8,
        dials: [.init(dial: 1, name: "My Crate", shares: [.init(signal: .new, percent: 5, ofFifty: 2)])],
        sources: [.init(name: "library", readAt: Samples.moment, items: 2, problem: Samples.failure)]),
      #"""
      {"both":0,"dials":[{"dial":1,"name":"My Crate","shares":[{"ofFifty":2,"percent":5,"signal":"new"}]}],
      "dislikes":6,"heldBack":7,"likes":5,"matched":4,"played":1,"rated":2,"shelf":
      """# + shelfText + #"""
        ,"sources":[{"items":2,"name":"library","problem":{"cause":"ENOENT","code":"library.fileMissing",
        "message":"The file /m/1.flac is gone."},"readAt":"2026-11-20T14:30:00.123456Z"}],"tagged":3,"walls":8}
        """#),
    Golden(
      Library.ListAlbumFeatures(after: "c", limit: 20, ids: [AlbumID(source: "files", native: "a1")]),
      #"{"after":"c","ids":["files:a1"],"limit":20}"#),
    Golden(Library.ListAlbumFeatures(), #"{"limit":500}"#),
    Golden(
      to: Library.ListAlbumFeatures.self,
      Library.AlbumFeaturesPage(
        generation: 9,
        items: [
          .init(
            id: AlbumID(source: "files", native: "a1"), title: "Blue", artist: "Ada",
            artistID: ArtistID(source: "files", native: "r1"), year: 1971, tags: ["Folk"], addedAt: Samples.moment,
            rating: Rating(rawValue: 9), plays: 3, lastPlayedAt: Samples.moment, firstPlayedAt: Samples.moment,
            art: ArtID(source: "files", native: "x1"), releaseGroup: "g1", notedAt: Samples.moment,
            listeners: 673)
        ], next: "c2"),
      #"""
      {"generation":9,"items":[{"addedAt":"2026-11-20T14:30:00.123456Z","art":"files:x1","artist":"Ada",
      "artistID":"files:r1","firstPlayedAt":"2026-11-20T14:30:00.123456Z","id":"files:a1",
      "lastPlayedAt":"2026-11-20T14:30:00.123456Z","listeners":673,"notedAt":"2026-11-20T14:30:00.123456Z","plays":3,
      "rating":9,"releaseGroup":"g1","tags":["Folk"],
      "title":"Blue","year":1971}],"next":"c2"}
      """#),
  ]
}

extension Samples {
  static let wallName = Discovery.WallName(
    seed: 7, dial: 3, first: 50, genre: "rock", subcategories: ["rock-punk"])
  static let tile = Discovery.Tile(
    id: AlbumID(source: "files", native: "a1"), title: "Blue", artist: "Ada",
    artistID: ArtistID(source: "files", native: "r1"), year: 1971, art: ArtID(source: "files", native: "x1"),
    signal: .history, reason: "Not played for 14 months.",
    evidence: .init(
      genre: "Punk", lastPlayedAt: moment, plays: 3, rating: Rating(rawValue: 9), addedAt: moment,
      place: 2, favouritesOfArtist: 1, likedArtists: 4, favourite: "Red", listeners: 673, notedAt: moment))
}
