import Messages
import Model

/// Additions to rooms after the first version: modes, outputs, continuations, history.
extension Golden {
  static let rooms = roomStates + roomRequests + roomEdits + continuations

  private static let roomStates = [
    Golden(
      Samples.busyRoom,
      #"""
      {"buffered":9000,"duration":90000,"interruption":"sleep","isPreview":true,"listen":{"heard":1500,"listen":"l1",
      "startedAt":"2026-11-20T14:30:00.123456Z"},"modes":{"isMuted":true,"maximumVolume":90,"order":"albums",
      "repeats":"all","sleepsAt":"2026-11-20T14:30:00.123456Z","stopsAfterCurrent":true},
      "notice":{"cause":"ENOENT","code":"library.fileMissing","message":"The file /m/1.flac is gone."},
      "plugin":"Archive","position":{"offset":1500,"rate":0,"takenAt":"2026-11-20T14:30:00.123456Z"},"queueRevision":8,
      "retriesAt":"2026-11-20T14:30:00.123456Z","room":"kitchen","state":{"name":"paused"},"title":"Kitchen, upstairs",
      "volume":80}
      """#),
    Golden(
      Playback.QueueState(
        revision: 8, count: 0, current: nil, first: 0, items: [], continuation: Samples.continuation, wantsMore: true,
        moving: Playback.Moving(move: "m1", to: RoomName(from: "den"), heldAt: Samples.moment, wasPlaying: true)),
      #"""
      {"continuation":{"after":"files:a1","list":{"seed":7,"sort":"random","tag":{"kind":"genre","name":"Jazz"}},
      "position":3},"count":0,"first":0,"items":[],"moving":{"heldAt":"2026-11-20T14:30:00.123456Z","move":"m1",
      "to":"den","wasPlaying":true},"revision":8,"wantsMore":true}
      """#),
    Golden(
      Samples.output,
      #"""
      {"chosen":"alsa/dac","devices":[{"name":"alsa/dac","title":"DAC"}],"levelling":"smart","maximumVolume":90,
      "preamp":1.5,"resumesAfterCrash":true,"resumesLongTracks":true,"startVolume":40,"used":"pulse/hall"}
      """#),
    Golden(
      Playback.OutputState(),
      #"{"devices":[],"levelling":"off","maximumVolume":100,"preamp":0,"resumesAfterCrash":false}"#),
  ]

  private static let roomRequests = [
    Golden(Playback.ReadOutput(), "{}"),
    Golden(
      to: Playback.ReadOutput.self, Playback.OutputState(),
      #"{"devices":[],"levelling":"off","maximumVolume":100,"preamp":0,"resumesAfterCrash":false}"#),
    Golden(Playback.SetOutput(), "{}"),
    Golden(
      Playback.SetOutput(
        device: "auto", levelling: .track, preamp: -3, startVolume: -1, maximumVolume: 80, resumesAfterCrash: false,
        resumesLongTracks: true),
      #"""
      {"device":"auto","levelling":"track","maximumVolume":80,"preamp":-3,"resumesAfterCrash":false,
      "resumesLongTracks":true,"startVolume":-1}
      """#),
    Golden(
      to: Playback.SetOutput.self, Playback.OutputState(),
      #"{"devices":[],"levelling":"off","maximumVolume":100,"preamp":0,"resumesAfterCrash":false}"#),
    Golden(Playback.SetTitle(title: "Living room"), #"{"title":"Living room"}"#),
    Golden(Playback.SetTitle(title: nil), "{}"),
    Golden(to: Playback.SetTitle.self, Samples.roomState, String(Golden.playback[0].text)),
    Golden(Playback.PlayTestSound(), "{}"),
    Golden(to: Playback.PlayTestSound.self, Done(), "{}"),
    Golden(Playback.ReadPlayed(limit: 20), #"{"limit":20}"#),
    Golden(
      to: Playback.ReadPlayed.self,
      Playback.PlayedItems(items: [
        Playback.PlayedItem(
          item: Samples.bareItem, startedAt: Samples.moment, heard: Milliseconds(30_000), reason: .skipped)
      ]),
      #"""
      {"items":[{"heard":30000,"item":{"entry":"e2","origin":{"node":"cli@main"},"track":{"album":"",
      "albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2",
      "title":"Two"}},"reason":"skipped","startedAt":"2026-11-20T14:30:00.123456Z"}]}
      """#),
    Golden(
      Router.Move(from: Samples.kitchen, to: RoomName(from: "den")), #"{"from":"kitchen","to":"den"}"#),
    Golden(
      Router.Move(from: Samples.kitchen, to: RoomName(from: "den"), keepsQueue: true),
      #"{"from":"kitchen","keepsQueue":true,"to":"den"}"#),
    Golden(
      to: Router.Move.self, Samples.roomState,
      String(Golden.playback[0].text)),
  ]

  private static let roomEdits = [
    Golden(
      Playback.Transport(.seek(to: Milliseconds(9), of: EntryID(rawValue: "e1"))),
      #"{"action":{"name":"seek","of":"e1","to":9}}"#),
    Golden(
      Playback.Transport(.jump(to: 3, of: EntryID(rawValue: "e1"))), #"{"action":{"name":"jump","of":"e1","to":3}}"#),
    Golden(Playback.Transport(.mute(true)), #"{"action":{"name":"mute","on":true}}"#),
    Golden(Playback.Transport(.repeats(.one)), #"{"action":{"mode":"one","name":"repeat"}}"#),
    Golden(Playback.Transport(.stopAfterCurrent(true)), #"{"action":{"name":"stop-after-current","on":true}}"#),
    Golden(Playback.Transport(.stopAfterAlbum(true)), #"{"action":{"name":"stop-after-album","on":true}}"#),
    Golden(Playback.Transport(.sleep(after: Milliseconds(60_000))), #"{"action":{"after":60000,"name":"sleep"}}"#),
    Golden(Playback.Transport(.sleep(after: nil)), #"{"action":{"name":"sleep"}}"#),
    Golden(
      Playback.EditQueue(.remove(at: 3, of: EntryID(rawValue: "e1"))), #"{"edit":{"at":3,"name":"remove","of":"e1"}}"#),
    Golden(
      Playback.EditQueue(.removeAll(at: [.init(from: 0, to: 0), .init(from: 2, to: 6)], revision: 9)),
      #"{"edit":{"items":[{"from":0,"to":0},{"from":2,"to":6}],"name":"remove-all","revision":9}}"#),
    Golden(
      Playback.EditQueue(.move(from: 1, to: 0, of: EntryID(rawValue: "e1"))),
      #"{"edit":{"from":1,"name":"move","of":"e1","to":0}}"#),
    Golden(Playback.EditQueue(.order(.albums, seed: 9)), #"{"edit":{"name":"order","order":"albums","seed":9}}"#),
    Golden(Playback.EditQueue(.continues(false)), #"{"edit":{"name":"continue","on":false}}"#),
    Golden(
      Playback.EditQueue(.renew([Samples.bareTrack])),
      #"""
      {"edit":{"name":"renew","renewed":[{"album":"","albumArtist":"","albumID":"files:a1","artist":"","disc":1,
      "duration":0,"genres":[],"id":"files:t2","title":"Two"}]}}
      """#),
    Golden(Playback.EditQueue(.forget([Samples.track.id])), #"{"edit":{"name":"forget","tracks":["files:t1"]}}"#),
  ]

  private static let continuations = [
    Golden(
      Playback.Load(
        load: "x", mode: .now, items: [], continuation: Samples.continuation, order: .tracks, seed: 5),
      #"""
      {"continuation":{"after":"files:a1","list":{"seed":7,"sort":"random","tag":{"kind":"genre","name":"Jazz"}},
      "position":3},"isLast":true,"items":[],"load":"x","mode":"now","order":"tracks","part":0,"seed":5,"startAt":0}
      """#),
    Golden(
      Playback.Append(load: "x", items: [], revision: 8, position: 3, after: Samples.album.id),
      #"{"after":"files:a1","isLast":true,"items":[],"load":"x","part":0,"position":3,"revision":8}"#),
    Golden(to: Playback.Append.self, Samples.summary, #"{"count":2,"current":1,"revision":8}"#),
    Golden(
      Router.Play(
        ids: [], continues: Library.AlbumList(collection: Samples.collection.id), order: .albums),
      #"""
      {"continues":{"collection":"plex:c3","sort":"name"},"ids":[],"mode":"now","order":"albums","shuffle":false,
      "startAt":0}
      """#),
    Golden(
      Router.Play(ids: [], continues: Library.AlbumList(sort: .added), endsAfter: true),
      #"{"continues":{"sort":"added"},"endsAfter":true,"ids":[],"mode":"now","shuffle":false,"startAt":0}"#),
    Golden(
      Playback.Load(
        load: "x", mode: .now,
        items: [
          QueueItem(
            entry: EntryID(rawValue: "e2"), track: Samples.bareTrack,
            origin: QueueItem.Origin(node: "web@main", isContinued: true))
        ],
        continuation: Samples.keptContinuation),
      #"""
      {"continuation":{"after":"files:a1","isOff":true,"list":{"sort":"added"},"position":0,"start":"files:a1"},
      "isLast":true,"items":[{"entry":"e2","origin":{"isContinued":true,"node":"web@main"},"track":{"album":"",
      "albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2",
      "title":"Two"}}],"load":"x","mode":"now","part":0,"startAt":0}
      """#),
    Golden(
      Playback.RoomState(
        room: Samples.kitchen, state: .idle, item: nil,
        position: Position(offset: .zero, rate: 0, takenAt: Samples.moment),
        duration: nil, volume: 80, queueRevision: 8, modes: Playback.Modes(stopsAfterAlbum: true)),
      #"""
      {"modes":{"isMuted":false,"maximumVolume":100,"order":"queued","repeats":"off","stopsAfterAlbum":true,
      "stopsAfterCurrent":false},"position":{"offset":0,"rate":0,"takenAt":"2026-11-20T14:30:00.123456Z"},
      "queueRevision":8,"room":"kitchen","state":{"name":"idle"},"volume":80}
      """#),
    Golden(
      Library.ListNextAlbums(
        list: Library.AlbumList(artist: Samples.artist.id, albums: [Samples.album.id]), after: Samples.album.id),
      #"{"after":"files:a1","limit":4,"list":{"albums":["files:a1"],"artist":"files:p1","sort":"name"}}"#),
    Golden(
      to: Library.ListNextAlbums.self, Library.Page(items: [], next: "files:a1"), #"{"items":[],"next":"files:a1"}"#),
    Golden(Library.ListRemovedTracks(tracks: [Samples.track.id]), #"{"tracks":["files:t1"]}"#),
    Golden(
      to: Library.ListRemovedTracks.self, Library.RemovedTracks(tracks: [Samples.track.id], generation: 4),
      #"{"generation":4,"tracks":["files:t1"]}"#),
  ]
}
