import Messages
import Model

extension Golden {
  static let catalogue =
    [
      Golden(
        Library.ListTracks(after: "c1", limit: 50, sort: .random, seed: 9),
        #"{"after":"c1","limit":50,"seed":9,"sort":"random"}"#),
      Golden(
        to: Library.ListTracks.self, .init(items: [Samples.measuredTrack], next: "c2"),
        #"""
        {"items":[{"album":"Blue","albumArtist":"Joni","albumID":"plex:a3","artist":"Joni",
        "artistIDs":["one","two"],"disc":1,"duration":90000,"genres":[],"id":"plex:t5","isrc":"USRE17100017","levels":{"albumGain":-7.25,"albumPeak":0.875,
        "trackGain":-6.5,"trackPeak":0.75},"rating":7,"releaseGroupID":"group","section":"2",
        "title":"Carey"}],"next":"c2"}
        """#),
      Golden(Library.ReadTrack(id: TrackID(source: "files", native: "t2")), #"{"id":"files:t2"}"#),
      Golden(
        to: Library.ReadTrack.self,
        Library.TrackDetail(
          track: Samples.bareTrack,
          copies: [
            .init(
              id: TrackID(source: "files", native: "t2"), format: "flac", isLossless: true,
              audio: AudioProperties(codec: "flac", bitRate: 900, sampleRate: 44_100, bitDepth: 16, channels: 2),
              path: LocalPath("/a b.flac")),
            .init(id: TrackID(source: "plex", native: "t9"), format: nil, isLossless: false),
          ]),
        #"""
        {"copies":[{"audio":{"bitDepth":16,"bitRate":900,"channels":2,"codec":"flac","sampleRate":44100},"format":"flac",
        "id":"files:t2","isLossless":true,"path":"file:///a%20b.flac"},{"id":"plex:t9","isLossless":false}],
        "track":{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],
        "id":"files:t2","title":"Two"}}
        """#),
      Golden(
        to: Library.ReadTrack.self, creditedTrack,
        #"""
        {"copies":[],"credits":[{"artist":"files:r4","instrument":"piano","name":"Gould","role":"performer"}],
        "facts":{"beatsPerMinute":120.5,"isExplicit":false,"moods":["Calm"],"originalDate":"1956"},"guessed":["title","number"],"hasLyrics":true,
        "track":{"album":"","albumArtist":"","albumID":"files:a1","artist":"","artists":[{"id":"files:r4","name":"Gould"},
        {"name":"X"}],"composer":"Bach","disc":1,"duration":0,"genres":[],"id":"files:t2","title":"Two",
        "work":{"composer":{"name":"Bach"},"movement":"Aria","number":1,"title":"Variations","total":32}}}
        """#),
      Golden(
        Library.ReadArtist(id: ArtistID(source: "plex", native: "r7"), after: "c1"),
        #"{"after":"c1","id":"plex:r7"}"#),
      Golden(
        to: Library.ReadArtist.self,
        Library.ArtistPage(
          artist: Samples.picturedArtist, summary: "Sings.", genres: ["Folk"], albums: [Samples.bareAlbum], next: "c2",
          moods: ["Wistful"], styles: ["Chamber Folk"],
          appearances: [.init(role: .composer, albums: 2, tracks: 4)]),
        #"""
        {"albums":[{"addedAt":"2026-11-20T14:30:00.123456Z","artist":"","duration":0,"genres":[],"id":"plex:7",
        "title":"","trackCount":0}],"appearances":[{"albums":2,"role":"composer","tracks":4}],"artist":{"albumCount":1,"aliases":["Roberta Joan Anderson"],"art":"plex:x9","id":"plex:r7","name":"Joni","roles":["artist","composer"],"trackCount":4},
        "genres":["Folk"],"moods":["Wistful"],"next":"c2","styles":["Chamber Folk"],"summary":"Sings."}
        """#),
    ] + gathered

  /// A track with everything that tags may say of it.
  private static var creditedTrack: Library.TrackDetail {
    let gould = ArtistID(source: "files", native: "r4")
    var facts = TrackFacts()
    (facts.beatsPerMinute, facts.isExplicit, facts.moods, facts.originalDate) = (120.5, false, ["Calm"], "1956")
    var track = Samples.bareTrack
    track.artists = [ArtistName(name: "Gould", id: gould), ArtistName(name: "X")]
    track.composer = "Bach"
    track.work = Work(title: "Variations", composer: ArtistName(name: "Bach"), movement: "Aria", number: 1, total: 32)
    return Library.TrackDetail(
      track: track, copies: [],
      credits: [Credit(role: .performer, name: "Gould", artist: gould, instrument: "piano")], facts: facts,
      hasLyrics: true, guessed: [.title, .number])
  }

  private static let gathered = [
    Golden(Library.ListCollections(after: "c1", limit: 50), #"{"after":"c1","limit":50}"#),
    Golden(Library.ListCollections(limit: 50, sort: .items), #"{"limit":50,"sort":"items"}"#),
    Golden(
      to: Library.ListCollections.self, .init(items: [Samples.collection, Samples.bareCollection], next: "c2"),
      #"""
      {"items":[{"art":"plex:x1","id":"plex:c3","isPinned":true,"itemCount":2,"summary":"Now",
      "title":"Current Vibes"},{"id":"plex:c4","isPinned":false,"itemCount":0,"title":""}],"next":"c2"}
      """#),
    Golden(
      Library.ReadCollection(id: CollectionID(source: "plex", native: "c3"), after: "c1"),
      #"{"after":"c1","id":"plex:c3"}"#),
    Golden(
      to: Library.ReadCollection.self,
      Library.CollectionPage(
        collection: Samples.bareCollection, albums: [Samples.bareAlbum], artists: [Samples.artist],
        tracks: [Samples.bareTrack], next: "c2"),
      #"""
      {"albums":[{"addedAt":"2026-11-20T14:30:00.123456Z","artist":"","duration":0,"genres":[],"id":"plex:7",
      "title":"","trackCount":0}],"artists":[{"albumCount":3,"id":"files:p1","name":"Ärzte"}],
      "collection":{"id":"plex:c4","isPinned":false,"itemCount":0,"title":""},"next":"c2",
      "tracks":[{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,
      "genres":[],"id":"files:t2","title":"Two"}]}
      """#),
    Golden(Library.ListPlaylists(after: "c1", limit: 50), #"{"after":"c1","limit":50}"#),
    Golden(
      to: Library.ListPlaylists.self, .init(items: [Samples.playlist, Samples.barePlaylist], next: "c2"),
      #"""
      {"items":[{"art":"plex:x2","duration":180000,"id":"plex:p4","isEditable":false,"isSmart":true,"note":"Sent","revision":7,
      "summary":"Long roads","title":"Drive","trackCount":2},{"duration":0,"id":"plex:p5","isSmart":false,"title":"","trackCount":0}],"next":"c2"}
      """#),
    Golden(
      Library.ReadPlaylist(id: PlaylistID(source: "plex", native: "p4"), after: "c1"),
      #"{"after":"c1","id":"plex:p4"}"#),
    Golden(
      to: Library.ReadPlaylist.self,
      Library.PlaylistPage(playlist: Samples.barePlaylist, tracks: [Samples.bareTrack], next: "c2"),
      #"""
      {"next":"c2","playlist":{"duration":0,"id":"plex:p5","isSmart":false,"title":"","trackCount":0},
      "tracks":[{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,
      "genres":[],"id":"files:t2","title":"Two"}]}
      """#),
  ]
}
