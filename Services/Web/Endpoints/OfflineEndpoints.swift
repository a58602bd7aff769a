import Bus
import Client
import HTTP
import Bus
import Messages
import Model

/// The albums that a room keeps on the disk of its machine.
extension Endpoint {
  static let offline: [Endpoint] = [
    Endpoint("GET", "/api/v1/rooms/{room}/offline", "listOffline") { api, call in
      let room = try await api.household.room(named: try call.room())
      let page = try await api.ask(Playback.ListOffline(after: call.after), of: .playback(room))
      return .json(page.json(of: room))
    },
    Endpoint("PUT", "/api/v1/rooms/{room}/offline", "setOffline", of: .room) {
      try $0.body(Playback.SetOffline.self, nullable: "limit")
    },
    Endpoint("PATCH", "/api/v1/rooms/{room}/offline", "setOfflineConnection", of: .room) {
      try $0.body(Playback.SetOfflineConnection.self)
    },
    Endpoint("PUT", "/api/v1/rooms/{room}/offline/{id}", "keepOffline", of: .room) { call in
      struct Body: Decodable { var pinned: Bool? }
      return Playback.AddOffline(ids: [try call.id()], isPinned: try call.body(Body.self).pinned)
    },
    Endpoint("DELETE", "/api/v1/rooms/{room}/offline/{id}", "removeOffline", of: .room) {
      Playback.RemoveOffline(ids: [try $0.id()])
    },
  ]
}
