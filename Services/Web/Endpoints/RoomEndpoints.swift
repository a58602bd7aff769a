import Bus
import Client
import HTTP
import Messages
import Model

extension Endpoint {
  static let rooms: [Endpoint] = [
    Endpoint("GET", "/api/v1/rooms", "listRooms") { api, _ in .json(await api.household.roomStatuses()) },
    Endpoint("GET", "/api/v1/rooms/{room}/queue", "readQueue") { try await $0.queue($1, of: try $1.room()) },
    Endpoint("GET", "/api/v1/rooms/{room}/queue/why", "explainQueue") { api, call in
      let room = try await api.household.room(named: try call.room())
      return .json(try await Client(node: api.node).explanation(ofQueueIn: room).json)
    },
    Endpoint("GET", "/api/v1/queue", "readOnlyQueue") { try await $0.queue($1, of: try $1.parameters.room()) },
    Endpoint("GET", "/api/v1/rooms/{room}/played", "readPlayed", of: .room) {
      Playback.ReadPlayed(limit: try $0.limit(50, upTo: 100))
    } shape: {
      JSON.items($0.items)
    },
    Endpoint("GET", "/api/v1/rooms/{room}/output", "readOutput") { try await $0.output($1, Playback.ReadOutput()) },
    Endpoint("PATCH", "/api/v1/rooms/{room}/output", "setOutput") { api, call in
      try await api.output(call, try OutputRequestBody.change(call.request.body))
    },
    Endpoint("POST", "/api/v1/play", "play", of: .router) {
      try $0.body(PlayRequestBody.self).intent { .random(in: 0...UInt64.max) }
    },
    Endpoint("POST", "/api/v1/rooms/{room}/transport", "transport", of: .room) {
      Playback.Transport(try $0.body(TransportRequestBody.self).command())
    },
    Endpoint("POST", "/api/v1/rooms/{room}/queue", "editQueue", of: .room) {
      Playback.EditQueue(try $0.body(QueueRequestBody.self).edit { .random(in: 0...UInt64.max) })
    },
    Endpoint("POST", "/api/v1/rooms/{room}/move", "move", of: .router) {
      try $0.body(Router.Move.self, fixed: ["from": try $0.room()])
    },
    Endpoint("POST", "/api/v1/rooms/{room}/test-sound", "playTestSound", of: .room) { _ in Playback.PlayTestSound() },
    Endpoint("PATCH", "/api/v1/rooms/{room}", "setRoom", of: .room) {
      try $0.body(Playback.SetTitle.self, nullable: "title")
    },
    Endpoint("GET", "/api/v1/rooms/{room}", "readRoom") { api, call in
      let room = try await api.household.room(named: try call.room())
      return .json(await api.household.status(of: room))
    },
  ]
}

extension EndpointContext {
  fileprivate func output<R: Request>(
    _ call: Call, _ request: R
  ) async throws -> HTTPServerResponse where R.Answer == Playback.OutputState {
    let room = try await household.room(named: try call.room())
    return .json(try await ask(request, of: .playback(room)).json(of: room))
  }

  /// Answers with a part of the queue of a room; without a name, of the only room.
  fileprivate func queue(_ call: Call, of name: RoomName?) async throws -> HTTPServerResponse {
    let room = try await household.room(named: name)
    let request = Playback.ReadQueue(
      first: try call.parameters.number("first", in: 0...Int.max) ?? 0, limit: try call.limit(upTo: 100))
    let part = try await ask(request, of: .playback(room))
    return .json(await household.queue(part, of: room))
  }
}
