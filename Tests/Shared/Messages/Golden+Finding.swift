import Messages
import Model

/// Orders in both directions, tracks by position, and what a search finds beside items.
extension Golden {
  static let finding: [Golden] = [
    Golden(
      Library.ListAlbums(sort: .rating, isReversed: true), #"{"isReversed":true,"limit":100,"sort":"rating"}"#),
    Golden(
      Library.ReadAlbumWindow(sort: .plays, isReversed: true, first: 40),
      #"{"first":40,"isReversed":true,"limit":100,"sort":"plays"}"#),
    Golden(Library.IndexAlbums(sort: .title, isReversed: true), #"{"isReversed":true,"sort":"title"}"#),
    Golden(Library.ListTracks(sort: .title, isReversed: true), #"{"isReversed":true,"limit":100,"sort":"title"}"#),
    Golden(
      Library.ListNextAlbums(
        list: Library.AlbumList(sort: .title, isReversed: true), after: AlbumID(source: "files", native: "a1")),
      #"{"after":"files:a1","limit":4,"list":{"isReversed":true,"sort":"title"}}"#),
    Golden(Library.ReadTrackWindow(), #"{"first":0,"limit":100,"sort":"name"}"#),
    Golden(
      Library.ReadTrackWindow(
        sort: .random, isReversed: true, seed: 9, tags: [.init(kind: .genre, name: "Jazz")], first: 40, limit: 60),
      #"""
      {"first":40,"isReversed":true,"limit":60,"seed":9,"sort":"random","tags":[{"kind":"genre","name":"Jazz"}]}
      """#),
    Golden(
      to: Library.ReadTrackWindow.self,
      .init(total: 41, first: 40, items: [Samples.bareTrack], seed: 9, generation: 4),
      #"""
      {"first":40,"generation":4,"items":[{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,
      "duration":0,"genres":[],"id":"files:t2","title":"Two"}],"seed":9,"total":41}
      """#),
    Golden(
      Library.IndexTracks(sort: .year, isReversed: true, tags: [.init(kind: .genre, name: "Jazz")]),
      #"{"isReversed":true,"sort":"year","tags":[{"kind":"genre","name":"Jazz"}]}"#),
    Golden(
      to: Library.IndexTracks.self, .init(total: 1, generation: 4, marks: [.init(name: "4.5", first: 0, count: 1)]),
      #"{"generation":4,"marks":[{"count":1,"first":0,"name":"4.5"}],"total":1}"#),
    Golden(
      to: Library.Search.self,
      Library.SearchResults(
        artists: [Samples.artist], albums: [], tracks: [],
        best: .init(kind: .artist, id: PlayableID(source: "files", native: "p1")),
        tags: [.init(name: "Jazz", albums: 2, kind: .genre)],
        people: [.init(role: .composer, albums: 1, tracks: 3, person: ArtistName(name: "Ben"))],
        searchedWords: "night"),
      #"""
      {"albums":[],"artists":[{"albumCount":3,"id":"files:p1","name":"Ärzte"}],"best":{"id":"files:p1","kind":"artist"},
      "people":[{"albums":1,"person":{"name":"Ben"},"role":"composer","tracks":3}],"searchedWords":"night",
      "tags":[{"albums":2,"kind":"genre","name":"Jazz"}],"tracks":[]}
      """#),
  ]
}
