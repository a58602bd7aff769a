import Bus
import Client
import HTTP
import Messages
import Model

extension Endpoint {
  /// The endpoints that play music and control rooms.
  static let rooms: [Endpoint] = [
    Endpoint("GET", "/api/v1/rooms", "listRooms") { api, _ in .json(JSON.list(await api.household.roomStatuses())) },
    Endpoint("GET", "/api/v1/rooms/{room}/queue", "readQueue") { try await $0.queue($1, of: try $1.room()) },
    Endpoint("GET", "/api/v1/queue", "readOnlyQueue") { try await $0.queue($1, of: try $1.parameters.room()) },
    Endpoint("GET", "/api/v1/rooms/{room}/played", "readPlayed") { api, call in
      let request = Playback.ReadPlayed(limit: try call.limit(50, upTo: 100))
      return .json(JSON.items(try await api.ask(request, ofRoomIn: call).items))
    },
    Endpoint("GET", "/api/v1/rooms/{room}/output", "readOutput") { api, call in
      .json(try await api.ask(Playback.ReadOutput(), ofRoomIn: call).json(of: try call.room()))
    },
    Endpoint("PATCH", "/api/v1/rooms/{room}/output", "setOutput") { api, call in
      let change = try call.body(OutputRequestBody.self).change()
      return .json(try await api.ask(change, ofRoomIn: call).json(of: try call.room()))
    },
    Endpoint("POST", "/api/v1/play", "play") { api, call in
      let intent = try call.body(PlayRequestBody.self).intent { .random(in: 0...UInt64.max) }
      return .json(try await api.ask(intent, of: .router, within: .seconds(60)))
    },
    Endpoint("POST", "/api/v1/rooms/{room}/transport", "transport") { api, call in
      let command = Playback.Transport(try call.body(TransportRequestBody.self).command())
      return .room(try await api.ask(command, ofRoomIn: call))
    },
    Endpoint("POST", "/api/v1/rooms/{room}/queue", "editQueue") { api, call in
      let command = Playback.EditQueue(try call.body(QueueRequestBody.self).edit { .random(in: 0...UInt64.max) })
      // The room answers when the queue is on its disk.
      return .json(try await api.ask(command, ofRoomIn: call, within: .seconds(30)))
    },
    Endpoint("POST", "/api/v1/rooms/{room}/move", "move") { api, call in
      struct Body: Decodable { var to: RoomName }
      let (from, to) = (try call.room(), try call.body(Body.self).to)
      return .room(try await api.ask(Router.Move(from: from, to: to), of: .router, within: .seconds(60)))
    },
    Endpoint("POST", "/api/v1/rooms/{room}/test-sound", "playTestSound") { api, call in
      let room = try await api.household.room(named: try call.room())
      _ = try await api.ask(Playback.PlayTestSound(), of: .playback(room), within: .seconds(20))
      return .done()
    },
    Endpoint("PATCH", "/api/v1/rooms/{room}", "setRoom") { api, call in
      let request = try call.body(RoomRequestBody.self).request()
      return .room(try await api.ask(request, ofRoomIn: call))
    },
    Endpoint("GET", "/api/v1/rooms/{room}", "readRoom") { api, call in
      let room = try await api.household.room(named: try call.room())
      return .json(JSON.optional(await api.household.status(of: room)))
    },
  ]
}

extension HTTPServerResponse {
  /// Returns the state of a room that has answered just now.
  fileprivate static func room(_ state: Playback.RoomState) -> HTTPServerResponse {
    .json(RoomStatus(answered: state))
  }
}

extension API {
  /// Answers with a part of the queue of a room; without a name it is the only room.
  fileprivate func queue(_ call: Call, of name: RoomName?) async throws -> HTTPServerResponse {
    let room = try await household.room(named: name)
    let request = Playback.ReadQueue(
      first: try call.parameters.number("first", in: 0...Int.max) ?? 0, limit: try call.limit(upTo: 100))
    let part = try await ask(request, of: .playback(room))
    return .json(await household.queue(part, of: room))
  }
}
