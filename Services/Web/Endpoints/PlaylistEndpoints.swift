import Bus
import Client
import HTTP
import Messages
import Model

/// Reading playlists, and making and editing those of the library itself.
extension Endpoint {
  static let playlists: [Endpoint] = [
    Endpoint("GET", "/api/v1/playlists", "listPlaylists", of: .library) {
      Library.ListPlaylists(after: $0.after, limit: try $0.limit())
    },
    Endpoint("POST", "/api/v1/playlists", "createPlaylist", of: .library) {
      let body = try $0.body(NewPlaylistBody.self)
      return Library.CreatePlaylist(
        title: body.title, summary: body.summary, ids: body.ids ?? [], described: body.described?.map(\.track),
        copyOf: body.copyOf)
    },
    Endpoint("GET", "/api/v1/playlists/{id}", "readPlaylist", of: .library) {
      Library.ReadPlaylist(id: try $0.id(), after: $0.after)
    },
    Endpoint("PUT", "/api/v1/playlists/{id}", "describePlaylist", of: .library) {
      let body = try $0.body(PlaylistTextsBody.self)
      return Library.DescribePlaylist(id: try $0.id(), title: body.title, summary: body.summary)
    },
    Endpoint("DELETE", "/api/v1/playlists/{id}", "deletePlaylist", of: .library) {
      Library.DeletePlaylist(id: try $0.id())
    },
    Endpoint("POST", "/api/v1/playlists/{id}/entries", "addToPlaylist", of: .library) {
      let body = try $0.body(AddedEntriesBody.self)
      return Library.AddToPlaylist(
        id: try $0.id(), ids: body.ids ?? [], described: body.described?.map(\.track), after: body.after)
    },
    Endpoint("POST", "/api/v1/playlists/{id}/remove", "removeFromPlaylist", of: .library) {
      Library.RemoveFromPlaylist(id: try $0.id(), entries: try $0.body(PlaylistEntriesBody.self).entries)
    },
    Endpoint("POST", "/api/v1/playlists/{id}/move", "moveInPlaylist", of: .library) {
      let body = try $0.body(PlaylistEntriesBody.self)
      return Library.MoveInPlaylist(id: try $0.id(), entries: body.entries, after: body.after)
    },
    Endpoint("POST", "/api/v1/playlists/{id}/undo", "undoPlaylist", of: .library) {
      Library.UndoPlaylist(id: try $0.id())
    },
  ]
}

/// A track by its description, in the body of a request.
private struct DescribedTrackBody: Decodable {
  var title: String
  var artist: String?
  var album: String?
  var durationSeconds: Double?
  var isrc: String?
  var recordingID: String?

  var track: DescribedTrack {
    let duration = durationSeconds.map { Milliseconds(Int64(max(0, min($0, 1e6)) * 1000)) }
    return DescribedTrack(
      title: title, artist: artist ?? "", album: album, duration: duration, isrc: isrc, recordingID: recordingID)
  }
}

/// The body of `POST /api/v1/playlists`.
private struct NewPlaylistBody: Decodable {
  var title: String
  var summary: String?
  var ids: [PlayableID]?
  var described: [DescribedTrackBody]?
  var copyOf: PlaylistID?
}

/// The body of `PUT /api/v1/playlists/{id}`.
private struct PlaylistTextsBody: Decodable {
  var title: String?
  var summary: String?
}

/// The body of `POST /api/v1/playlists/{id}/entries`.
private struct AddedEntriesBody: Decodable {
  var ids: [PlayableID]?
  var described: [DescribedTrackBody]?
  var after: Int64?
}

/// The body of `POST /api/v1/playlists/{id}/remove` and `…/move`.
private struct PlaylistEntriesBody: Decodable {
  var entries: [Int64]
  /// The entry behind which they are put, 0 for the beginning; nil for the end.
  var after: Int64?
}
