import Messages
import Model

extension Golden {
  static let browsing = [
    Golden(Library.ListTags(of: .genre, after: "c1", limit: 50), #"{"after":"c1","limit":50,"of":"genre"}"#),
    Golden(Library.ListTags(of: .composer, isReversed: true), #"{"isReversed":true,"limit":100,"of":"composer"}"#),
    Golden(
      Library.ListTags(of: .conductor, among: Samples.tags, sort: .albums, startingAt: "m"),
      #"""
      {"among":[{"kind":"composer","name":"Bach"},{"isExcluded":true,"kind":"type","name":"live"}],
      "limit":100,"of":"conductor","sort":"albums","startingAt":"m"}
      """#),
    Golden(
      to: Library.ListTags.self,
      .init(
        items: [
          .init(name: "Jazz", albums: 12), .init(name: "Joni", albums: 1, id: Samples.picturedArtist.id.playable),
        ],
        next: "c2"),
      #"{"items":[{"albums":12,"name":"Jazz"},{"albums":1,"id":"plex:r7","name":"Joni"}],"next":"c2"}"#),
    Golden(
      Library.ListTracks(tags: Samples.tags),
      #"""
      {"limit":100,"sort":"name","tags":[{"kind":"composer","name":"Bach"},{"isExcluded":true,"kind":"type","name":"live"}]}
      """#),
    Golden(
      Library.ListCredits(artist: Samples.picturedArtist.id, role: .performer, after: "c1", limit: 50),
      #"{"after":"c1","artist":"plex:r7","limit":50,"role":"performer"}"#),
    Golden(
      to: Library.ListCredits.self, .init(items: [.init(track: Samples.bareTrack, credit: Samples.credit)], next: "c2"),
      #"""
      {"items":[{"credit":{"artist":"plex:r7","instrument":"dulcimer","name":"Joni","role":"performer"},
      "track":{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],
      "id":"files:t2","title":"Two"}}],"next":"c2"}
      """#),
    Golden(
      Library.ListWorks(composer: Samples.artist.id, after: "c1", limit: 50, startingAt: "m"),
      #"{"after":"c1","composer":"files:p1","limit":50,"startingAt":"m"}"#),
    Golden(
      to: Library.ListWorks.self, .init(items: [Samples.work], next: "c2"),
      #"""
      {"items":[{"composer":{"id":"files:r8","name":"Fauré"},"id":"library:w3","title":"Requiem","trackCount":7}],
      "next":"c2"}
      """#),
    Golden(Library.ReadWork(id: Samples.work.id, after: "c1"), #"{"after":"c1","id":"library:w3"}"#),
    Golden(
      to: Library.ReadWork.self, .init(work: Samples.work, tracks: [Samples.bareTrack], next: "c2"),
      #"""
      {"next":"c2","tracks":[{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,
      "genres":[],"id":"files:t2","title":"Two"}],
      "work":{"composer":{"id":"files:r8","name":"Fauré"},"id":"library:w3","title":"Requiem","trackCount":7}}
      """#),
    Golden(Library.ReadLyrics(id: Samples.bareTrack.id), #"{"id":"files:t2"}"#),
    Golden(
      to: Library.ReadLyrics.self,
      .init(
        source: .file, lines: [.init(start: Milliseconds(61_500), text: "La"), .init(text: "")], language: "eng"),
      #"{"language":"eng","lines":[{"start":61500,"text":"La"},{"text":""}],"source":"file"}"#),
    Golden(Library.ReadTrackTags(id: Samples.bareTrack.id), #"{"id":"files:t2"}"#),
    Golden(
      to: Library.ReadTrackTags.self,
      .init(
        id: Samples.bareTrack.id, path: LocalPath("/m/a b.mp3"),
        tags: [
          .init(kind: "ID3v2.4", name: "COMM:Notes", value: "Calm"),
          .init(kind: "ID3v2.4", name: "APIC", value: "image/png", length: 70),
        ], omitted: 3),
      #"""
      {"id":"files:t2","omitted":3,"path":"file:///m/a%20b.mp3","tags":[{"kind":"ID3v2.4","name":"COMM:Notes",
      "value":"Calm"},{"kind":"ID3v2.4","length":70,"name":"APIC","value":"image/png"}]}
      """#),
    Golden(
      Library.ListProblems(only: .cue, folder: LocalPath("/m/a b"), after: "c1", limit: 50),
      #"{"after":"c1","folder":"file:///m/a%20b","limit":50,"only":"cue"}"#),
    Golden(
      to: Library.ListProblems.self,
      .init(
        items: [
          .init(
            kind: .untagged, source: "files", path: LocalPath("/m/1.flac"),
            problem: LunaraError("library.fileUntagged", "Tag it.", cause: "none"), track: Samples.bareTrack.id,
            count: 2)
        ], counts: [.init(kind: .untagged, code: "library.fileUntagged", count: 7)], next: "c2"),
      #"""
      {"counts":[{"code":"library.fileUntagged","count":7,"kind":"untagged"}],"items":[{"count":2,"kind":"untagged",
      "path":"file:///m/1.flac","problem":{"cause":"none","code":"library.fileUntagged","message":"Tag it."},
      "source":"files","track":"files:t2"}],"next":"c2"}
      """#),
    Golden(
      Library.ListFolder(path: LocalPath("/m/a b"), after: "c1", limit: 50),
      #"{"after":"c1","limit":50,"path":"file:///m/a%20b"}"#),
    Golden(
      to: Library.ListFolder.self,
      .init(
        path: LocalPath("/m"),
        folders: [
          .init(
            name: "a b", path: LocalPath("/m/a b"), id: PlayableID(source: "library", native: "folder:/m/a%20b"))
        ], albums: [Samples.bareAlbum], tracks: [.init(name: "1.flac", track: Samples.bareTrack)], next: "c2"),
      #"""
      {"albums":[{"addedAt":"2026-11-20T14:30:00.123456Z","artist":"","duration":0,"genres":[],"id":"plex:7",
      "title":"","trackCount":0}],"folders":[{"id":"library:folder:/m/a%20b","name":"a b","path":"file:///m/a%20b"}],
      "next":"c2","path":"file:///m","tracks":[{"name":"1.flac","track":{"album":"","albumArtist":"",
      "albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2","title":"Two"}}]}
      """#),
  ]
}
