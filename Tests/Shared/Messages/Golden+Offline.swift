import Messages
import Model

/// Albums that a room keeps on its disk.
extension Golden {
  private static let state = Playback.OfflineState(
    albums: 2, whole: 1, bytes: 4000, limit: 9000, isLimitChosen: true, free: 70_000,
    loading: AlbumID(source: "files", native: "a1"), pause: "metered", connection: .wifi)
  private static let stateText =
    #"""
    {"albums":2,"bytes":4000,"connection":"wifi","free":70000,"isLimitChosen":true,"limit":9000,"loading":"files:a1",
    "pause":"metered","whole":1}
    """#
  private static let album = Playback.OfflineAlbum(
    id: AlbumID(source: "files", native: "a1"), title: "Wörter", artist: "Ärzte",
    art: ArtID(source: "files", native: "x1"), state: .failed, tracks: 3, kept: 1, bytes: 1000, size: 3000,
    isPinned: true, addedAt: Samples.moment, playedAt: Samples.moment, problem: Samples.failure)
  private static let albumText =
    #"""
    {"addedAt":"2026-11-20T14:30:00.123456Z","art":"files:x1","artist":"Ärzte","bytes":1000,"id":"files:a1",
    "isPinned":true,"kept":1,"playedAt":"2026-11-20T14:30:00.123456Z",
    "problem":{"cause":"ENOENT","code":"library.fileMissing","message":"The file /m/1.flac is gone."},"size":3000,
    "state":"failed","title":"Wörter","tracks":3}
    """#

  static let offline = [
    Golden(state, stateText),
    Golden(
      Playback.OfflineState(albums: 0, whole: 0, bytes: 0, limit: 9000, free: 70_000),
      #"{"albums":0,"bytes":0,"free":70000,"limit":9000,"whole":0}"#),
    Golden(Playback.ListOffline(after: "7"), #"{"after":"7"}"#),
    Golden(
      to: Playback.ListOffline.self, Playback.OfflinePage(albums: [album], next: "8", state: state),
      #"{"albums":["# + albumText + #"],"next":"8","state":"# + stateText + "}"),
    Golden(
      Playback.AddOffline(ids: [PlayableID(source: "files", native: "a1")], isPinned: true),
      #"{"ids":["files:a1"],"isPinned":true}"#),
    Golden(
      to: Playback.AddOffline.self, Playback.OfflineChange(changed: 1, unchanged: 2), #"{"changed":1,"unchanged":2}"#),
    Golden(
      Playback.RemoveOffline(ids: [AlbumID(source: "files", native: "a1")]), #"{"ids":["files:a1"]}"#),
    Golden(
      to: Playback.RemoveOffline.self, Playback.OfflineChange(changed: 1, unchanged: 0),
      #"{"changed":1,"unchanged":0}"#),
    Golden(Playback.SetOffline(limit: 9000), #"{"limit":9000}"#),
    Golden(to: Playback.SetOffline.self, state, stateText),
    Golden(Playback.SetOfflineConnection(connection: .any), #"{"connection":"any"}"#),
    Golden(to: Playback.SetOfflineConnection.self, state, stateText),
    Golden(
      Playback.PlayOffline(names: ["files:a1"], mode: .later, startAt: 2),
      #"{"mode":"later","names":["files:a1"],"startAt":2}"#),
    Golden(
      to: Playback.PlayOffline.self,
      Router.Played(room: Samples.kitchen, tracks: 3, queue: Samples.summary),
      #"{"queue":{"count":2,"current":1,"revision":8},"room":"kitchen","tracks":3}"#),
  ]
}
