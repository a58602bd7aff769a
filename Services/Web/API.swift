import Bus
import HTTP
import Messages
import Model

/// Answers the requests of browsers by asking the bus. It decides nothing: intents go to the router, transport to the
/// room, reading to the library.
struct API: Sendable {
  let node: Node
  let household: Household
  let hostID: String
  let files: PageFiles
  let heads = FileHeads()
  let metrics = Metrics()
  let client = HTTPClient(userAgent: "lunara-web")

  /// Answers one request that the guard let pass.
  ///
  /// - Throws: what the services refused, `bus.…` where they cannot be reached, `web.…` for what cannot be asked.
  func answer(_ route: Route, _ request: HTTPServerRequest) async throws -> HTTPServerResponse {
    let parameters = Parameters(request.query)
    switch route {
    case .file(let name):
      guard let file = files[name] else {
        throw LunaraError("web.notFound", "There is no page \(request.path). The page is at /.")
      }
      return .file(file)
    case .rooms: return try .json(await household.shapes())
    case .albums: return try await albums(parameters)
    case .album(let id):
      let page = try await node.request(Library.ReadAlbum(id: id, after: parameters.text("after")), to: .library)
      return try .json(Shape.AlbumWithTracks(page))
    case .search: return try await search(parameters)
    case .queue: return try await queue(parameters)
    case .art(let id): return try await art(id, parameters, request)
    case .play: return try await play(try PlayBody.read(request.body))
    case .transport(let room): return try await transport(try TransportBody.read(request.body), room: room)
    case .edit(let room): return try await edit(try EditBody.read(request.body), room: room)
    case .events: return .events(await household.events())
    case .metrics:
      return HTTPServerResponse(
        headers: [("Content-Type", PrometheusText.contentType), ("Cache-Control", "no-store")],
        body: .bytes(Array(await node.prometheusText().utf8)))
    case .health: return HTTPServerResponse(text: "ok\n")
    }
  }

  private func albums(_ parameters: Parameters) async throws -> HTTPServerResponse {
    let request = Library.ListAlbums(
      after: parameters.text("after"), limit: try parameters.number("limit", in: 1...200) ?? 100,
      sort: try parameters.sort() ?? .name, seed: try parameters.number("seed", in: 0...Int64.max))
    return try .json(Shape.AlbumPage(try await node.request(request, to: .library)))
  }

  private func search(_ parameters: Parameters) async throws -> HTTPServerResponse {
    guard let words = parameters.text("q") else {
      throw LunaraError("web.badParameter", "Say with q what to search for.")
    }
    let request = Library.Search(words: words, limit: try parameters.number("limit", in: 1...100) ?? 50)
    return try .json(Shape.Found(try await node.request(request, to: .library)))
  }

  private func queue(_ parameters: Parameters) async throws -> HTTPServerResponse {
    let room = try await household.room(named: try parameters.room())
    let request = Playback.ReadQueue(
      first: try parameters.number("first", in: 0...Int.max) ?? 0,
      limit: try parameters.number("limit", in: 1...100) ?? 100)
    let part = try await node.request(request, to: .playback(room))
    return try .json(Shape.Queue(part, room: room, position: await household.position(of: room)))
  }

  private func play(_ body: PlayBody) async throws -> HTTPServerResponse {
    let intent = try body.intent { .random(in: 0...UInt64.max) }
    return try .json(try await node.request(intent, to: .router, within: .seconds(60)))
  }

  private func transport(_ body: TransportBody, room: RoomName) async throws -> HTTPServerResponse {
    let command = Playback.Transport(try body.command())
    _ = try await household.room(named: room)
    let state = try await node.request(command, to: .playback(room))
    return try .json(Shape.Room(state, position: state.position.offset, now: .now(), away: false))
  }

  private func edit(_ body: EditBody, room: RoomName) async throws -> HTTPServerResponse {
    let command = Playback.EditQueue(try body.edit { .random(in: 0...UInt64.max) })
    _ = try await household.room(named: room)
    return try .json(try await node.request(command, to: .playback(room)))
  }

  private func art(
    _ id: ArtID, _ parameters: Parameters, _ request: HTTPServerRequest
  ) async throws -> HTTPServerResponse {
    let size = try parameters.number("size", in: 1...8192)
    let takesWebP = size != nil && request.header("Accept")?.contains("image/webp") == true
    let locator = try await node.request(
      Library.LocateArt(id: id, host: hostID, size: size, takesWebP: takesWebP), to: .library, within: .seconds(30))
    // A picture that changes gets another id, so this one is good for ever.
    let headers = [("Cache-Control", "private, max-age=31536000, immutable"), ("Vary", "Accept")]
    switch locator {
    case .file(let path):
      let type = try ImageType.required(try await heads.head(of: path, count: ImageType.length), "\(path)")
      return HTTPServerResponse(headers: [("Content-Type", type.rawValue)] + headers, body: .file(path))
    case .url(let url, let asked, _):
      // The library is on another host, which this browser may not reach.
      let answer = try await client.send(HTTPRequest(url: url, headers: asked.map { ($0.key, $0.value) }))
      guard answer.status == 200 else {
        throw LunaraError("web.noPicture", "The library gives no picture \(id).", cause: "HTTP \(answer.status)")
      }
      let type = try ImageType.required(answer.body, "\(id)")
      let tag = answer.header("ETag").map { [("ETag", $0)] } ?? []
      return HTTPServerResponse(headers: [("Content-Type", type.rawValue)] + headers + tag, body: .bytes(answer.body))
    }
  }
}
