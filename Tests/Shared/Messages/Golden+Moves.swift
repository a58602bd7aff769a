import Messages
import Model

/// Moves between rooms.
extension Golden {
  static let moves = moveRequests + moveAnswers

  private static let moveRequests = [
    Golden(Playback.OfferMove(move: "m1", to: RoomName(from: "den")), #"{"move":"m1","to":"den"}"#),
    Golden(
      Playback.PrepareMove(
        move: "m1", moved: Samples.moved, part: 0, isLast: true, items: [Samples.bareItem], homes: [1_099_511_627_776]),
      #"""
      {"homes":[1099511627776],"isLast":true,"items":[{"entry":"e2","origin":{"node":"cli@main"},"track":{"album":"",
      "albumArtist":"","albumID":"files:a1","artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2",
      "title":"Two"}}],"move":"m1","moved":{"continuation":{"after":"files:a1","list":{"seed":7,"sort":"random","tag":{"kind":"genre","name":"Jazz"}},
      "position":3},"count":2,"current":1,"isPlaying":true,"listen":{"heard":1500,"listen":"l1",
      "startedAt":"2026-11-20T14:30:00.123456Z"},"modes":{"isMuted":true,"maximumVolume":90,"order":"albums",
      "repeats":"all","sleepsAt":"2026-11-20T14:30:00.123456Z","stopsAfterCurrent":true},"position":9000,"revision":8},"part":0}
      """#),
    Golden(Playback.HoldForMove(move: "m1"), #"{"move":"m1"}"#),
    Golden(
      Playback.CommitMove(move: "m1", moved: Samples.moved),
      #"""
      {"move":"m1","moved":{"continuation":{"after":"files:a1","list":{"seed":7,"sort":"random","tag":{"kind":"genre","name":"Jazz"}},
      "position":3},"count":2,"current":1,"isPlaying":true,"listen":{"heard":1500,"listen":"l1",
      "startedAt":"2026-11-20T14:30:00.123456Z"},"modes":{"isMuted":true,"maximumVolume":90,"order":"albums",
      "repeats":"all","sleepsAt":"2026-11-20T14:30:00.123456Z","stopsAfterCurrent":true},"position":9000,"revision":8}}
      """#),
    Golden(
      Playback.CommitMove(move: "m1", moved: Samples.moved, keepsQueue: true),
      #"""
      {"keepsQueue":true,"move":"m1","moved":{"continuation":{"after":"files:a1","list":{"seed":7,"sort":"random","tag":{"kind":"genre","name":"Jazz"}},
      "position":3},"count":2,"current":1,"isPlaying":true,"listen":{"heard":1500,"listen":"l1",
      "startedAt":"2026-11-20T14:30:00.123456Z"},"modes":{"isMuted":true,"maximumVolume":90,"order":"albums",
      "repeats":"all","sleepsAt":"2026-11-20T14:30:00.123456Z","stopsAfterCurrent":true},"position":9000,"revision":8}}
      """#),
    Golden(Playback.EndMove(move: "m1", done: true), #"{"done":true,"move":"m1"}"#),
    Golden(
      Playback.QueueState(
        revision: 8, count: 1, current: nil, nextIndex: 0, first: 0, items: [Samples.bareItem],
        homes: [1_099_511_627_776], audio: [.fetched]),
      #"""
      {"audio":["fetched"],"count":1,"first":0,"homes":[1099511627776],"items":[{"entry":"e2",
      "origin":{"node":"cli@main"},"track":{"album":"","albumArtist":"","albumID":"files:a1",
      "artist":"","disc":1,"duration":0,"genres":[],"id":"files:t2","title":"Two"}}],"nextIndex":0,"revision":8}
      """#),
  ]

  private static let moveAnswers = [
    Golden(
      to: Playback.OfferMove.self, Samples.moved,
      #"""
      {"continuation":{"after":"files:a1","list":{"seed":7,"sort":"random","tag":{"kind":"genre","name":"Jazz"}},
      "position":3},"count":2,"current":1,"isPlaying":true,"listen":{"heard":1500,"listen":"l1",
      "startedAt":"2026-11-20T14:30:00.123456Z"},"modes":{"isMuted":true,"maximumVolume":90,"order":"albums",
      "repeats":"all","sleepsAt":"2026-11-20T14:30:00.123456Z","stopsAfterCurrent":true},"position":9000,"revision":8}
      """#),
    Golden(to: Playback.PrepareMove.self, Done(), "{}"),
    Golden(
      to: Playback.HoldForMove.self, Samples.moved,
      #"""
      {"continuation":{"after":"files:a1","list":{"seed":7,"sort":"random","tag":{"kind":"genre","name":"Jazz"}},
      "position":3},"count":2,"current":1,"isPlaying":true,"listen":{"heard":1500,"listen":"l1",
      "startedAt":"2026-11-20T14:30:00.123456Z"},"modes":{"isMuted":true,"maximumVolume":90,"order":"albums",
      "repeats":"all","sleepsAt":"2026-11-20T14:30:00.123456Z","stopsAfterCurrent":true},"position":9000,"revision":8}
      """#),
    Golden(
      to: Playback.CommitMove.self, Samples.idleRoom,
      #"""
      {"position":{"offset":0,"rate":0,"takenAt":"2026-11-20T14:30:00.123456Z"},"queueRevision":0,
      "room":"kitchen","state":{"error":{"cause":"ENOENT","code":"library.fileMissing",
      "message":"The file /m/1.flac is gone."},"name":"error"},"volume":100}
      """#),
    Golden(to: Playback.EndMove.self, Playback.MoveOutcome(isCommitted: true), #"{"isCommitted":true}"#),
  ]
}
