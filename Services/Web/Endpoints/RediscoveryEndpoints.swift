import Bus
import Client
import HTTP
import Messages
import Model

/// The shelves of a day, and an album by chance.
extension Endpoint {
  static let rediscovery: [Endpoint] = [
    Endpoint("GET", "/api/v1/rediscovery", "readRediscovery", of: .library) {
      Library.ReadRediscovery(day: $0.parameters.text("day"), limit: try $0.limit(12, upTo: 24))
    },
    Endpoint("GET", "/api/v1/random", "drawAlbum", of: .library) { _ in Library.DrawAlbum() },
    Endpoint("POST", "/api/v1/random", "playRandomAlbum") { api, call in
      let body = try call.body(RandomRequestBody.self)
      let drawn = try await api.ask(Library.DrawAlbum(), of: .library)
      let played = try await api.ask(
        Router.Play(ids: [drawn.album.id.playable], room: body.room, mode: body.mode ?? .now), of: .router)
      return .json(played.json.with(["album": drawn]))
    },
  ]
}

/// The body of `POST /api/v1/random`.
private struct RandomRequestBody: Decodable {
  var room: RoomName?
  /// The place in the queue: now, next or later.
  var mode: Playback.LoadMode?
}
