import Messages
import Model

extension Golden {
  static let library = [
    Golden(
      Library.CatalogueState(
        generation: 4, albums: 6, tracks: 60,
        sources: [
          Library.SourceStatus(
            name: "files", kind: "files", health: "scanning", lastRefreshed: Samples.moment, albums: 6, tracks: 60,
            problemCount: 1, problems: [Samples.failure], progress: .init(done: 3, total: 10)),
          Library.SourceStatus(
            name: "plex", kind: "plex", health: "unreachable", lastRefreshed: nil, albums: 0, tracks: 0,
            problemCount: 0, problems: []),
        ]),
      #"""
      {"albums":6,"generation":4,"sources":[{"albums":6,"health":"scanning","kind":"files",
      "lastRefreshed":"2026-11-20T14:30:00.123456Z","name":"files","problemCount":1,
      "problems":[{"cause":"ENOENT","code":"library.fileMissing","message":"The file /m/1.flac is gone."}],
      "progress":{"done":3,"total":10},"tracks":60},{"albums":0,"health":"unreachable","kind":"plex",
      "name":"plex","problemCount":0,"problems":[],"tracks":0}],"tracks":60}
      """#),
    Golden(
      Library.CatalogueState(
        generation: 5, lists: 8, albums: 1, tracks: 1,
        sources: [
          Library.SourceStatus(
            name: "plex", kind: "plex", health: "scanning", lastRefreshed: nil, albums: 1, tracks: 1, problemCount: 0,
            problems: [], progress: .init(done: 3, total: 10, rate: 1.5), address: "http://10.0.0.2:32400",
            method: "delta",
            runs: [
              .init(
                startedAt: Samples.moment,
                counts: .init(new: 1, changed: 2, unchanged: 3, deleted: 4, seconds: 1.25))
            ])
        ]),
      #"""
      {"albums":1,"generation":5,"lists":8,"sources":[{"address":"http://10.0.0.2:32400","albums":1,"health":"scanning",
      "kind":"plex","method":"delta","name":"plex","problemCount":0,"problems":[],
      "progress":{"done":3,"rate":1.5,"total":10},"runs":[{"counts":{"changed":2,"deleted":4,"new":1,
      "seconds":1.25,"unchanged":3},"startedAt":"2026-11-20T14:30:00.123456Z"}],"tracks":1}],"tracks":1}
      """#),
    Golden(
      Library.SyncFinished(
        source: "files", counts: .init(new: 1, changed: 2, unchanged: 3, deleted: 4, seconds: 1.25), refresh: 7),
      #"""
      {"counts":{"changed":2,"deleted":4,"new":1,"seconds":1.25,"unchanged":3},"refresh":7,"source":"files"}
      """#),
    Golden(
      Library.SyncFailed(source: "plex", error: Samples.failure, refresh: 8),
      #"""
      {"error":{"cause":"ENOENT","code":"library.fileMissing","message":"The file /m/1.flac is gone."},
      "refresh":8,"source":"plex"}
      """#),
    Golden(
      Library.ListAlbums(after: "c1", limit: 50, sort: .random, seed: 9),
      #"{"after":"c1","limit":50,"seed":9,"sort":"random"}"#),
    Golden(
      Library.ListAlbums(tags: Samples.tags),
      #"""
      {"limit":100,"sort":"name","tags":[{"kind":"composer","name":"Bach"},{"isExcluded":true,"kind":"type","name":"live"}]}
      """#),
    Golden(Library.ListAlbums(), #"{"limit":100,"sort":"name"}"#),
    Golden(
      Library.ListAlbums(tag: .init(kind: .mood, name: "Wistful"), startingAt: "m"),
      #"{"limit":100,"sort":"name","startingAt":"m","tag":{"kind":"mood","name":"Wistful"}}"#),
    Golden(
      to: Library.ListAlbums.self, .init(items: [Samples.album, Samples.bareAlbum], next: "c2"),
      #"""
      {"items":[{"addedAt":"2026-11-20T14:30:00.123456Z","art":"files:c1","artist":"Ärzte",
      "artistID":"files:p1","duration":421000,"genres":["Jazz","Bop"],"id":"files:a1",
      "lastPlayedAt":"2026-11-20T14:30:00.123456Z","title":"Wörter/\"Quoted\"","trackCount":2,"year":1999},
      {"addedAt":"2026-11-20T14:30:00.123456Z","artist":"","duration":0,"genres":[],"id":"plex:7","title":"",
      "trackCount":0}],"next":"c2"}
      """#),
    Golden(
      to: Library.ListAlbums.self, .init(items: [Samples.ratedAlbum], next: nil),
      #"""
      {"items":[{"addedAt":"2026-11-20T14:30:00.123456Z","artist":"Joni","duration":90000,"genres":[],
      "id":"plex:a3","palette":{"dark":"#010203","first":"#102030","second":"#aabbcc"},"rating":9,
      "title":"Blue","trackCount":1}]}
      """#),
    Golden(
      Library.ReadAlbumWindow(sort: .random, seed: 9, tag: .init(kind: .mood, name: "Wistful"), first: 40, limit: 60),
      #"{"first":40,"limit":60,"seed":9,"sort":"random","tag":{"kind":"mood","name":"Wistful"}}"#),
    Golden(
      Library.ReadAlbumWindow(tags: Samples.tags),
      #"""
      {"first":0,"limit":100,"sort":"name","tags":[{"kind":"composer","name":"Bach"},{"isExcluded":true,"kind":"type","name":"live"}]}
      """#),
    Golden(Library.ReadAlbumWindow(), #"{"first":0,"limit":100,"sort":"name"}"#),
    Golden(
      to: Library.ReadAlbumWindow.self,
      .init(total: 41, first: 40, items: [Samples.bareAlbum], seed: 9, generation: 4),
      #"""
      {"first":40,"generation":4,"items":[{"addedAt":"2026-11-20T14:30:00.123456Z","artist":"","duration":0,
      "genres":[],"id":"plex:7","title":"","trackCount":0}],"seed":9,"total":41}
      """#),
    Golden(
      Library.IndexAlbums(sort: .year, tag: .init(kind: .genre, name: "Jazz"), tags: Samples.tags),
      #"""
      {"sort":"year","tag":{"kind":"genre","name":"Jazz"},"tags":[{"kind":"composer","name":"Bach"},{"isExcluded":true,"kind":"type","name":"live"}]}
      """#),
    Golden(
      to: Library.IndexAlbums.self,
      .init(
        total: 3, generation: 4, marks: [.init(name: "A", first: 0, count: 1), .init(name: "B", first: 1, count: 2)]),
      #"""
      {"generation":4,"marks":[{"count":1,"first":0,"name":"A"},{"count":2,"first":1,"name":"B"}],"total":3}
      """#),
    Golden(Library.ListArtists(after: "c1", limit: 50), #"{"after":"c1","limit":50}"#),
    Golden(Library.ListArtists(role: .composer), #"{"limit":100,"role":"composer"}"#),
    Golden(Library.ListArtists(startingAt: "m"), #"{"limit":100,"startingAt":"m"}"#),
    Golden(
      Library.ListArtists(sort: .albums, isReversed: true), #"{"isReversed":true,"limit":100,"sort":"albums"}"#),
    Golden(
      to: Library.ListArtists.self, .init(items: [Samples.artist], next: "c2"),
      #"{"items":[{"albumCount":3,"id":"files:p1","name":"Ärzte"}],"next":"c2"}"#),
    Golden(
      Library.ReadAlbum(id: AlbumID(source: "files", native: "a1"), after: "c1"), #"{"after":"c1","id":"files:a1"}"#),
    Golden(
      to: Library.ReadAlbum.self,
      Library.AlbumPage(
        album: Samples.bareAlbum, tracks: [Samples.track, Samples.bareTrack], next: "c2", moods: ["Calm"],
        styles: ["Cool Jazz"]),
      #"""
      {"album":{"addedAt":"2026-11-20T14:30:00.123456Z","artist":"","duration":0,"genres":[],"id":"plex:7",
      "title":"","trackCount":0},"moods":["Calm"],"next":"c2","styles":["Cool Jazz"],"tracks":[{"album":"Wörter","albumArtist":"Ärzte",
      "albumID":"files:a1","art":"files:c1","artist":"Guest","disc":2,"duration":187000,"genres":["Jazz"],
      "id":"files:t1","number":3,"recordingID":"rec","releaseID":"rel","title":"One","year":1999},{"album":"",
      "albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2",
      "title":"Two"}]}
      """#),
    Golden(
      to: Library.ReadAlbum.self,
      Library.AlbumPage(
        album: Samples.edition, tracks: [],
        facts: AlbumFacts(
          labels: ["Reprise"], catalogueNumbers: ["MS 2038"], country: "US", media: "CD", barcode: "075992719926",
          status: "official"),
        discs: [AlbumDisc(disc: 2, title: "Live", media: "CD", total: 9, missing: [4, 7])],
        editions: [Samples.bareAlbum], listedEdition: AlbumID(source: "plex", native: "7"),
        credits: [.init(credit: Credit(role: .performer, name: "Stephen Stills", instrument: "bass"), tracks: 2)],
        guesses: [.init(track: Samples.bareTrack.id, fields: [.artist, .year])],
        sound: [
          .init(format: "flac", isLossless: true, bitDepth: 24, sampleRate: 96_000, bitRate: 2_700, tracks: 9),
          .init(format: "mp3", isLossless: false, tracks: 1),
        ], plays: 12, lastPlayedAt: Samples.moment, addedAt: Samples.moment, sources: ["files", "plex"],
        length: Milliseconds(240_500)),
      #"""
      {"addedAt":"2026-11-20T14:30:00.123456Z","album":{"addedAt":"2026-11-20T14:30:00.123456Z","artist":"Joni Mitchell","date":"2007-05","duration":0,
      "edition":"Remaster","editionCount":2,"folder":"/music/Blue","genres":[],"id":"files:a8",
      "originalDate":"1971-06-22","quality":"FLAC 24/96","title":"Blue","trackCount":0,"types":["album","live"],
      "year":1971},"credits":[{"credit":{"instrument":"bass","name":"Stephen Stills","role":"performer"},"tracks":2}],
      "discs":[{"disc":2,"media":"CD","missing":[4,7],"title":"Live","total":9}],"editions":[{"addedAt":
      "2026-11-20T14:30:00.123456Z","artist":"","duration":0,"genres":[],"id":"plex:7","title":"","trackCount":0}],
      "facts":{"barcode":"075992719926","catalogueNumbers":["MS 2038"],"country":"US","labels":["Reprise"],
      "media":"CD","status":"official"},"guesses":[{"fields":["artist","year"],"track":"files:t2"}],
      "lastPlayedAt":"2026-11-20T14:30:00.123456Z","length":240500,"listedEdition":"plex:7","plays":12,
      "sound":[{"bitDepth":24,"bitRate":2700,"format":"flac","isLossless":true,"sampleRate":96000,"tracks":9},
      {"format":"mp3","isLossless":false,"tracks":1}],"sources":["files","plex"],"tracks":[]}
      """#),
    Golden(Library.PreferEdition(id: AlbumID(source: "files", native: "a8")), #"{"id":"files:a8"}"#),
    Golden(to: Library.PreferEdition.self, Done(), #"{}"#),
    Golden(Library.ListAlbums(editions: true), #"{"editions":true,"limit":100,"sort":"name"}"#),
    Golden(Library.Search(words: "räk \"x\"", limit: 5), #"{"limit":5,"words":"räk \"x\""}"#),
    Golden(
      to: Library.Search.self,
      Library.SearchResults(artists: [Samples.artist], albums: [Samples.bareAlbum], tracks: [Samples.bareTrack]),
      #"""
      {"albums":[{"addedAt":"2026-11-20T14:30:00.123456Z","artist":"","duration":0,"genres":[],"id":"plex:7",
      "title":"","trackCount":0}],"artists":[{"albumCount":3,"id":"files:p1","name":"Ärzte"}],
      "tracks":[{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,
      "genres":[],"id":"files:t2","title":"Two"}]}
      """#),
    Golden(
      to: Library.Search.self,
      Library.SearchResults(
        artists: [], albums: [], tracks: [], collections: [Samples.bareCollection], playlists: [Samples.barePlaylist]),
      #"""
      {"albums":[],"artists":[],"collections":[{"id":"plex:c4","isPinned":false,"itemCount":0,"title":""}],
      "playlists":[{"duration":0,"id":"plex:p5","isSmart":false,"title":"","trackCount":0}],"tracks":[]}
      """#),
    Golden(
      Library.ListPlayable(ids: [PlayableID(source: "files", native: "a1")], after: "c1"),
      #"{"after":"c1","ids":["files:a1"]}"#),
    Golden(
      to: Library.ListPlayable.self,
      Library.PlayablePage(
        tracks: [
          .init(track: Samples.bareTrack, path: LocalPath("/m/2.flac"), host: "h1"),
          .init(track: Samples.bareTrack, path: nil, host: "h1"),
          .init(
            track: Samples.bareTrack, path: LocalPath("/m/image.flac"), host: "h1", segment: Samples.openSegment),
        ], next: "c2"),
      #"""
      {"next":"c2","tracks":[{"host":"h1","path":"file:///m/2.flac","track":{"album":"","albumArtist":"",
      "albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2","title":"Two"}},
      {"host":"h1","track":{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,
      "genres":[],"id":"files:t2","title":"Two"}},
      {"host":"h1","path":"file:///m/image.flac","segment":{"sampleRate":44100,"start":1176000},"track":{"album":"",
      "albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2",
      "title":"Two"}}]}
      """#),
    Golden(
      Library.LocateTrack(id: TrackID(source: "files", native: "t1"), host: "h1"), #"{"host":"h1","id":"files:t1"}"#),
    Golden(
      Library.LocateTrack(
        id: TrackID(source: "described", native: "d1"), host: "h1",
        described: DescribedTrack(title: "Gone", artist: "Nobody")),
      #"{"described":{"artist":"Nobody","title":"Gone"},"host":"h1","id":"described:d1"}"#),
    Golden(to: Library.LocateTrack.self, .file(LocalPath("/m/1.flac")), #"{"name":"file","path":"file:///m/1.flac"}"#),
    Golden(Library.LocateArt(id: ArtID(source: "files", native: "c1"), host: "h1"), #"{"host":"h1","id":"files:c1"}"#),
    Golden(
      Library.LocateArt(id: ArtID(source: "files", native: "c1"), host: "h1", size: 300, takesWebP: true),
      #"{"host":"h1","id":"files:c1","size":300,"takesWebP":true}"#),
    Golden(
      to: Library.LocateArt.self, .url("http://h/c1", headers: [:]), #"{"headers":{},"name":"url","url":"http://h/c1"}"#
    ),
    Golden(Library.Sync(source: "files"), #"{"source":"files"}"#),
    Golden(Library.Sync(acceptDeletions: true), #"{"acceptDeletions":true}"#),
    Golden(
      Library.Sync(isReadAgain: true, folder: LocalPath("/music/New")),
      #"{"folder":"file:///music/New","isReadAgain":true}"#),
    Golden(
      to: Library.Sync.self, .init(refreshes: [.init(source: "files", refresh: 7)]),
      #"{"refreshes":[{"refresh":7,"source":"files"}]}"#),
  ]
}

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
    Golden(
      Library.ReadStatistics(from: "2026-01-01", to: "2026-12-31", limit: 20),
      #"{"from":"2026-01-01","limit":20,"to":"2026-12-31"}"#),
    Golden(Library.ReadStatistics(), #"{"limit":10}"#),
    Golden(
      to: Library.ReadStatistics.self,
      .init(
        from: "2026-11-20", to: "2026-11-20", firstDay: "2019-03-02",
        totals: .init(
          plays: 3, skips: 1, heard: Milliseconds(600_000), artists: 1, albums: 1, tracks: 2, firstHeard: 1, days: 1),
        before: .init(),
        artists: [.init(key: "files:r1", title: "Ärzte", plays: 3, heard: Milliseconds(590_000))],
        albums: [
          .init(
            key: "files:a1", title: "Blue", artist: "Ärzte", art: ArtID(source: "files", native: "c1"), plays: 3,
            heard: Milliseconds(590_000))
        ], tracks: [.init(key: "files:t9", title: "Gone", plays: 1, heard: Milliseconds(190_000), isHere: false)],
        genres: [.init(key: "Jazz", title: "Jazz", plays: 3, heard: Milliseconds(590_000))],
        rediscovered: [
          .init(key: "files:a1", title: "Blue", plays: 3, heard: Milliseconds(590_000), lastBefore: Samples.moment)
        ], steps: [.init(name: "2026-11-20", plays: 3, heard: Milliseconds(590_000), genres: [3])],
        hours: [Milliseconds(590_000)], weekdays: [Milliseconds(590_000)]),
      #"""
      {"albums":[{"art":"files:c1","artist":"Ärzte","heard":590000,"key":"files:a1","plays":3,"title":"Blue"}],
      "artists":[{"heard":590000,"key":"files:r1","plays":3,"title":"Ärzte"}],
      "before":{"albums":0,"artists":0,"days":0,"firstHeard":0,"heard":0,"plays":0,"skips":0,"tracks":0},
      "firstDay":"2019-03-02","from":"2026-11-20",
      "genres":[{"heard":590000,"key":"Jazz","plays":3,"title":"Jazz"}],"hours":[590000],
      "rediscovered":[{"heard":590000,"key":"files:a1","lastBefore":"2026-11-20T14:30:00.123456Z","plays":3,
      "title":"Blue"}],"steps":[{"genres":[3],"heard":590000,"name":"2026-11-20","plays":3}],"to":"2026-11-20",
      "totals":{"albums":1,"artists":1,"days":1,"firstHeard":1,"heard":600000,"plays":3,"skips":1,"tracks":2},
      "tracks":[{"heard":190000,"isHere":false,"key":"files:t9","plays":1,"title":"Gone"}],"weekdays":[590000]}
      """#),
  ]
}
