import Client
import Messages
import Model
import TestSupport
import Testing

/// The JSON of albums, tracks, artists and searches, which the command line and the page share.
struct CatalogueShapeTests {
  private static let album =
    #""id":"files:a1","title":"Night Lines","artist":"Nova","artistID":null,"year":2020,"genres":["Electronic"],"#
    + #""trackCount":5,"durationSeconds":240.5,"addedAt":"2023-11-14T22:13:20.000000Z","lastPlayedAt":null,"art":null,"#
    + #""rating":null,"palette":null,"date":null,"originalDate":null,"edition":null,"types":null,"quality":null,"#
    + #""folder":null,"editionCount":null"#
  private static let track =
    #"{"id":"files:t1","title":"Last Tram","artist":"Nova","albumArtist":"Nova","album":"Night Lines","#
    + #""albumID":"files:a1","disc":1,"number":1,"numberText":null,"year":null,"genres":[],"durationSeconds":60,"#
    + #""art":null,"rating":null,"artists":null,"composer":null,"work":null}"#

  @Test func aPageOfAlbums() {
    let page = Library.Page(items: [Sample.album("a1", "Night Lines")], next: nil)
    #expect("\(page.json)" == "{\"items\":[{\(Self.album)}],\"next\":null}")
    #expect("\(Library.Page<Album>(items: [], next: "c/1").json)" == #"{"items":[],"next":"c/1"}"#)
  }

  @Test func anAlbumHasItsTracksBesideItsOwnMembers() {
    let page = Library.AlbumPage(
      album: Sample.album("a1", "Night Lines"), tracks: [Sample.track("t1", "Last Tram")], moods: ["Calm"])
    #expect(
      "\(page.json)"
        == "{\(Self.album),\"moods\":[\"Calm\"],\"styles\":[],\"facts\":null,\"discs\":[],\"editions\":[],\"listedEdition\":null,\"credits\":[],\"tracks\":[\(Self.track)],\"next\":null,\"sound\":null,\"plays\":null,\"sources\":null,\"lengthSeconds\":null}"
    )
  }

  @Test func anAlbumShowsItsFormatsItsPlaysAndItsSources() {
    var page = Library.AlbumPage(album: Sample.album("a1", "Night Lines"), tracks: [])
    page.sound = [.init(format: "flac", isLossless: true, bitDepth: 24, sampleRate: 96_000, tracks: 5)]
    (page.plays, page.sources, page.length) = (12, ["files", "plex"], Milliseconds(240_500))
    #expect(
      "\(page.json)".hasSuffix(
        #""next":null,"sound":[{"format":"flac","isLossless":true,"bitDepth":24,"sampleRate":96000,"bitRate":null,"#
          + #""tracks":5}],"plays":12,"sources":["files","plex"],"lengthSeconds":240.5}"#))
  }

  @Test func anAlbumShowsItsReleaseItsDiscsAndItsOtherEditions() {
    var album = Sample.album("a1", "Night Lines")
    (album.date, album.originalDate) = (PartialDate("2021-05-01"), PartialDate("2020"))
    let page = Library.AlbumPage(
      album: album, tracks: [], facts: AlbumFacts(labels: ["Own"], barcode: "012"),
      discs: [
        AlbumDisc(disc: 2, title: "Live", total: 9, missing: [4, 7, 8, 9]), AlbumDisc(disc: 3, isAbsent: true),
      ],
      editions: [Sample.album("a2", "Night Lines")], listedEdition: AlbumID(source: "files", native: "a2"),
      credits: [.init(credit: Credit(role: .composer, name: "Nova"), tracks: 3)])
    let json = "\(page.json)"
    #expect(json.contains(#""date":"2021-05-01","originalDate":"2020""#))
    #expect(
      json.contains(#""facts":{"labels":["Own"],"catalogueNumbers":[],"country":null,"media":null,"barcode":"012","#))
    #expect(
      json.contains(
        #""discs":[{"disc":2,"title":"Live","media":null,"total":9,"missing":[4,7,8,9],"isAbsent":null},{"disc":3,"#))
    #expect(json.contains(#""missing":[],"isAbsent":true}],"editions":[{"#))
    #expect(
      json.contains(
        #""listedEdition":"files:a2","credits":[{"role":"composer","name":"Nova","artistID":null,"instrument":null,"tracks":3}]"#
      ))
    #expect(page.discs?.first?.missingRanges == "4, 7–9")
    #expect(album.dates == "2020 · this edition 2021-05-01")
  }

  @Test func aTrackWithoutANumberSaysNull() {
    #expect("\(Sample.track("t1", "x", number: nil).json)".contains(#""disc":1,"number":null"#))
  }

  @Test func aSearchHasAllFiveKinds() throws {
    let artist = Artist(id: ArtistID(source: "files", native: "r1"), name: "Nova", albumCount: 2)
    let found = Library.SearchResults(artists: [artist], albums: [], tracks: [Sample.track("t1", "Last Tram")])
    #expect(
      "\(try found.json)"
        == #"{"artists":[{"id":"files:r1","name":"Nova","albumCount":2,"art":null,"trackCount":null,"roles":null,"#
        + #""aliases":null}],"albums":[],"tracks":["#
        + "\(Self.track)"
        + #"],"collections":[],"playlists":[],"best":null,"tags":[],"people":[],"searchedWords":null}"#)
  }

  @Test func aSearchHasItsBestResultTagsAndPeople() throws {
    let found = Library.SearchResults(
      artists: [], albums: [], tracks: [],
      best: .init(kind: .track, id: PlayableID(source: "files", native: "t1")),
      tags: [.init(name: "1970", albums: 3, kind: .decade)],
      people: [.init(role: .composer, albums: 1, tracks: 2, person: ArtistName(name: "Bach"))], searchedWords: "night")
    let text = "\(try found.json)"
    #expect(text.contains(#""best":{"kind":"track","id":"files:t1"},"tags":[{"name":"1970","albums":3,"#))
    #expect(text.contains(#""kind":"decade"}],"people":[{"role":"composer","albums":1,"tracks":2,"person":{"#))
    #expect(text.hasSuffix(#""searchedWords":"night"}"#))
  }

  @Test func aPartOfTheTracksSaysItsPlace() {
    let part = Library.TrackWindow(total: 9, first: 4, items: [Sample.track("t1", "Last Tram")], generation: 2)
    #expect(
      "\(part.json)"
        == "{\"items\":[\(Self.track)],\"next\":null,\"total\":9,\"first\":4,\"generation\":2,\"seed\":null}")
  }

  @Test func aCollectionAndAPlaylistHaveWhatTheyHoldBesideTheirOwnMembers() throws {
    let collection = MusicCollection(
      id: CollectionID(source: "plex", native: "c1"), title: "Vibes", itemCount: 1, isPinned: true, summary: "Now")
    let shape =
      #"{"id":"plex:c1","title":"Vibes","itemCount":1,"isPinned":true,"summary":"Now","art":null"#
    let page = Library.CollectionPage(collection: collection, albums: [Sample.album("a1", "Night Lines")])
    #expect("\(page.json)" == shape + ",\"albums\":[{\(Self.album)}],\"artists\":[],\"tracks\":[],\"next\":null}")
    #expect(
      "\(try Library.SearchResults(artists: [], albums: [], tracks: [], collections: [collection]).json)"
        .contains(#""collections":["# + shape + "}],\"playlists\":[],"))
    let playlist = Playlist(
      id: PlaylistID(source: "plex", native: "p1"), title: "Drive", trackCount: 1, duration: Milliseconds(60_000))
    let head = #"{"id":"plex:p1","title":"Drive","kind":"list","source":"plex","trackCount":1,"durationSeconds":60,"#
    let middle =
      #""editable":false,"isSmart":false,"art":null,"summary":null,"revision":null,"note":null,"entries":["#
    let tail = #","entry":null,"described":false}],"next":null,"rules":null}"#
    let list = Library.PlaylistPage(playlist: playlist, tracks: [Sample.track("t1", "Last Tram")])
    #expect("\(list.json)" == "\(head)\(middle)\(Self.track.dropLast())\(tail)")
    // An entry whose music is not here has no id, and what its description says.
    let described = DescribedTrack(title: "Gone", artist: "Nobody", duration: Milliseconds(61_000))
    let entries = Library.PlaylistPage(
      playlist: playlist, tracks: [], entries: [.init(entry: 9, described: described)], next: "n")
    #expect(
      "\(entries.json)".hasSuffix(
        #""entries":[{"entry":9,"id":null,"title":"Gone","artist":"Nobody","album":null,"durationSeconds":61,"#
          + #""described":true,"location":null,"art":null,"choice":null}],"next":"n","rules":null}"#))
  }

  @Test func anArtistHasTheAlbumsAndATrackItsCopies() {
    let artist = Artist(id: ArtistID(source: "files", native: "r1"), name: "Nova", albumCount: 2)
    let page = Library.ArtistPage(artist: artist, summary: nil, genres: ["Folk"], albums: [])
    #expect(
      "\(page.json)"
        == #"{"id":"files:r1","name":"Nova","albumCount":2,"art":null,"trackCount":null,"roles":null,"aliases":null,"#
        + #""summary":null,"genres":["Folk"],"moods":[],"styles":[],"albums":[],"appearances":[],"next":null}"#)
    var track = Sample.track("t1", "Last Tram")
    track.rating = Rating(rawValue: 7)
    let detail = Library.TrackDetail(track: track, copies: [.init(id: track.id, format: "flac", isLossless: true)])
    #expect(
      "\(detail.json)".hasSuffix(
        #""rating":3.5,"artists":null,"composer":null,"work":null,"credits":[],"facts":null,"hasLyrics":null,"#
          + #""ids":null,"levels":null,"guessed":null,"path":null,"audio":null,"#
          + #""copies":[{"id":"files:t1","format":"flac","isLossless":true,"path":null,"audio":null,"#
          + #""startSeconds":null,"endSeconds":null}]}"#))
  }

  @Test func aTrackShowsItsIDsAndItsLoudness() {
    var track = Sample.track("t1", "Last Tram")
    (track.recordingID, track.artistIDs, track.isrc) = ("rec", ["a", "b"], "GBAYE0601498")
    track.levels = Levels(trackGain: -7.25, albumPeak: 0.5)
    let text = String(decoding: Library.TrackDetail(track: track, copies: []).json.bytes(.leftOut), as: UTF8.self)
    #expect(text.contains(#""ids":{"recording":"rec","artists":["a","b"],"isrc":"GBAYE0601498"},"#))
    #expect(text.contains(#""levels":{"trackGain":-7.25,"albumPeak":0.5},"#))
  }

  @Test func aTrackShowsTheFileAndTheAudioOfItsBestCopy() {
    let track = Sample.track("t1", "Last Tram")
    let audio = AudioProperties(codec: "flac", bitRate: 2304, sampleRate: 96_000, bitDepth: 24, channels: 2)
    let detail = Library.TrackDetail(
      track: track,
      copies: [
        .init(id: track.id, format: "flac", isLossless: true, audio: audio, path: LocalPath("/m/Ä.flac")),
        .init(
          id: TrackID(source: "plex", native: "t2"), format: "mp3", isLossless: false,
          audio: AudioProperties(codec: "mp3", bitRate: 320)),
      ])
    let shape = #"{"codec":"flac","bitRate":2304,"sampleRate":96000,"bitDepth":24,"channels":2}"#
    let text = String(decoding: detail.json.bytes(.leftOut), as: UTF8.self)
    #expect(
      text.hasSuffix(
        #""path":"/m/Ä.flac","audio":\#(shape),"copies":["#
          + #"{"id":"files:t1","format":"flac","isLossless":true,"path":"/m/Ä.flac","audio":\#(shape)},"#
          + #"{"id":"plex:t2","format":"mp3","isLossless":false,"audio":{"codec":"mp3","bitRate":320}}]}"#))
  }

  @Test func thePageLeavesOutWhatAnAlbumDoesNotHave() {
    let text = String(decoding: Sample.album("a1", "Night Lines").json.bytes(.leftOut), as: UTF8.self)
    #expect(
      text
        == #"{"id":"files:a1","title":"Night Lines","artist":"Nova","year":2020,"genres":["Electronic"],"trackCount":5,"#
        + #""durationSeconds":240.5,"addedAt":"2023-11-14T22:13:20.000000Z"}"#)
  }
}
