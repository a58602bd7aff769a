import Bus
import HTTP
import Messages
import Model

extension Endpoint {
  /// Playing and steering.
  static let rooms: [Endpoint] = [
    Endpoint("GET", "/api/v1/rooms", "listRooms") { api, _ in try .json(await api.household.shapes()) },
    Endpoint("GET", "/api/v1/rooms/{room}/queue", "readQueue") { try await $0.queue($1, of: try $1.room()) },
    Endpoint("GET", "/api/v1/queue", "readOnlyQueue") { try await $0.queue($1, of: try $1.parameters.room()) },
    Endpoint("GET", "/api/v1/rooms/{room}/played", "readPlayed") { api, call in
      let request = Playback.ReadPlayed(limit: try call.limit(50, upTo: 100))
      return try .json(Shape.Items(try await api.ask(request, ofRoomIn: call).items.map(Shape.PlayedItem.init)))
    },
    Endpoint("GET", "/api/v1/rooms/{room}/output", "readOutput") { api, call in
      try .json(Shape.Output(try await api.ask(Playback.ReadOutput(), ofRoomIn: call), of: try call.room()))
    },
    Endpoint("PATCH", "/api/v1/rooms/{room}/output", "setOutput") { api, call in
      let change = try call.body(OutputRequestBody.self).change()
      return try .json(Shape.Output(try await api.ask(change, ofRoomIn: call), of: try call.room()))
    },
    Endpoint("POST", "/api/v1/play", "play") { api, call in
      let intent = try call.body(PlayRequestBody.self).intent { .random(in: 0...UInt64.max) }
      return try .json(try await api.ask(intent, of: .router, within: .seconds(60)))
    },
    Endpoint("POST", "/api/v1/rooms/{room}/transport", "transport") { api, call in
      let command = Playback.Transport(try call.body(TransportRequestBody.self).command())
      return try .room(try await api.ask(command, ofRoomIn: call))
    },
    Endpoint("POST", "/api/v1/rooms/{room}/queue", "editQueue") { api, call in
      let command = Playback.EditQueue(try call.body(QueueRequestBody.self).edit { .random(in: 0...UInt64.max) })
      // The answer waits for the disk.
      return try .json(try await api.ask(command, ofRoomIn: call, within: .seconds(30)))
    },
    Endpoint("POST", "/api/v1/rooms/{room}/move", "move") { api, call in
      struct Body: Decodable { var to: RoomName }
      let (from, to) = (try call.room(), try call.body(Body.self).to)
      return try .room(try await api.ask(Router.Move(from: from, to: to), of: .router, within: .seconds(60)))
    },
    Endpoint("POST", "/api/v1/rooms/{room}/test-sound", "playTestSound") { api, call in
      let room = try await api.household.room(named: try call.room())
      _ = try await api.ask(Playback.PlayTestSound(), of: .playback(room), within: .seconds(20))
      return try .done()
    },
    Endpoint("PATCH", "/api/v1/rooms/{room}", "setRoom") { api, call in
      let request = try call.body(RoomRequestBody.self).request()
      return try .room(try await api.ask(request, ofRoomIn: call))
    },
    Endpoint("GET", "/api/v1/rooms/{room}", "readRoom") { api, call in
      let room = try await api.household.room(named: try call.room())
      return try .json(await api.household.shape(of: room))
    },
  ]
}

extension HTTPServerResponse {
  /// A room as it answered just now.
  fileprivate static func room(_ state: Playback.RoomState) throws -> HTTPServerResponse {
    try .json(Shape.Room(state, position: state.position.offset, now: .now(), away: false))
  }
}

extension API {
  /// A part of the queue of a room, or of the only one.
  fileprivate func queue(_ call: Call, of name: RoomName?) async throws -> HTTPServerResponse {
    let room = try await household.room(named: name)
    let request = Playback.ReadQueue(
      first: try call.parameters.number("first", in: 0...Int.max) ?? 0, limit: try call.limit(upTo: 100))
    let part = try await ask(request, of: .playback(room))
    return try .json(Shape.Queue(part, room: room, position: await household.position(of: room)))
  }
}
