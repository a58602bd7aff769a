import Messages
import Model

extension Golden {
  static let ratings = [
    Golden(
      Library.Rate(id: PlayableID(source: "plex", native: "a3"), rating: Rating(rawValue: 7)),
      #"{"id":"plex:a3","rating":7}"#),
    Golden(Library.Rate(id: PlayableID(source: "plex", native: "a3"), rating: nil), #"{"id":"plex:a3"}"#),
    Golden(to: Library.Rate.self, Done(), #"{}"#),
    Golden(
      Library.ImportRatings(folder: LocalPath("/m/Jazz"), replaces: true, isDryRun: true),
      #"{"folder":"file:///m/Jazz","isDryRun":true,"replaces":true}"#),
    Golden(
      to: Library.ImportRatings.self,
      Library.ImportedRatings(found: 7, rated: 3, same: 1, kept: 2, unclear: 1, atServers: 0),
      #"{"atServers":0,"found":7,"kept":2,"rated":3,"same":1,"unclear":1}"#),
    Golden(
      Library.ImportPlays(folder: LocalPath("/m/Jazz"), isDryRun: true),
      #"{"folder":"file:///m/Jazz","isDryRun":true}"#),
    Golden(
      to: Library.ImportPlays.self, Library.ImportedPlays(found: 7, raised: 3, same: 4, plays: 61),
      #"{"found":7,"plays":61,"raised":3,"same":4}"#),
    Golden(Library.UndoImport(of: .plays, isDryRun: true), #"{"isDryRun":true,"of":"plays"}"#),
    Golden(
      to: Library.UndoImport.self,
      Library.UndoneImport(undone: 3, kept: 1, importedAt: Timestamp(seconds: 1_700_000_000)),
      #"{"importedAt":"2023-11-14T22:13:20.000000Z","kept":1,"undone":3}"#),
    Golden(
      Library.ImportListens(
        name: "i", listens: [.init(startedAt: Timestamp(seconds: 1_700_000_000), title: "T", artist: "A")],
        isLast: true),
      #"{"isLast":true,"listens":[{"artist":"A","startedAt":"2023-11-14T22:13:20.000000Z","title":"T"}],"name":"i"}"#),
    Golden(
      to: Library.ImportListens.self, Scrobble.Imported(added: 1, known: 2), #"{"added":1,"known":2}"#),
    Golden(Library.UndoListenImport(), #"{}"#),
    Golden(
      to: Library.UndoListenImport.self,
      Library.UndoneListenImport(removed: 3, importedAt: Timestamp(seconds: 1_700_000_000)),
      #"{"importedAt":"2023-11-14T22:13:20.000000Z","removed":3}"#),
    Golden(
      Library.RatingChanged(
        id: PlayableID(source: "files", native: "t2"), rating: Rating(rawValue: 10), track: Samples.bareTrack),
      #"""
      {"id":"files:t2","rating":10,"track":{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,
      "duration":0,"genres":[],"id":"files:t2","title":"Two"}}
      """#),
    Golden(
      Library.RatingChanged(id: PlayableID(source: "plex", native: "a3"), rating: nil), #"{"id":"plex:a3"}"#),
    Golden(
      Library.AlbumPlayed(album: AlbumID(source: "plex", native: "a3"), at: Timestamp(seconds: 1_700_000_000)),
      #"{"album":"plex:a3","at":"2023-11-14T22:13:20.000000Z"}"#),
    Golden(
      Library.Pin(id: CollectionID(source: "plex", native: "c3"), isPinned: true),
      #"{"id":"plex:c3","isPinned":true}"#),
    Golden(to: Library.Pin.self, Done(), #"{}"#),
    Golden(
      Library.CatalogueChanged(
        generation: 4, albums: [AlbumID(source: "plex", native: "a3")],
        removed: [AlbumID(source: "files", native: "a9")]),
      #"{"albums":["plex:a3"],"generation":4,"isWide":false,"removed":["files:a9"]}"#),
  ]
}
