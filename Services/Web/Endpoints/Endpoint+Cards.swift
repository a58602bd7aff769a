import Bus
import HTTP
import Messages
import Model

extension Endpoint {
  /// What a room plays, for a wall or a widget.
  static let cards: [Endpoint] = [
    Endpoint("GET", "/now/{room}/events", "followCard") { try await $0.followCard($1) },
    Endpoint("GET", "/now/{room}.svg", "drawCard") { api, call in
      let picture = try await api.picture(of: try call.room(), CardSize(call.parameters.text("size")))
      return .drawn(picture.text, "image/svg+xml", "default-src 'none'; img-src data:; frame-ancestors 'none'")
    },
    Endpoint("GET", "/now/{room}.html", "showCard") { api, call in
      let picture = try await api.picture(of: try call.room(), CardSize(call.parameters.text("size")))
      let (text, policy) = CardPage(picture: picture).page
      return .drawn(text, "text/html; charset=utf-8", policy)
    },
    Endpoint("GET", "/now/{room}", "readCard") { api, call in try .json(try await api.card(of: try call.room())) },
  ]
}

extension HTTPServerResponse {
  fileprivate static func drawn(_ text: String, _ type: String, _ policy: String) -> HTTPServerResponse {
    HTTPServerResponse(
      headers: [("Content-Type", type), ("Cache-Control", "no-store"), ("Content-Security-Policy", policy)],
      body: .bytes(Array(text.utf8)))
  }
}

extension API {
  /// What a room plays now.
  ///
  /// - Throws: `client.roomUnknown`.
  fileprivate func card(of name: RoomName) async throws -> Card {
    let room = try await household.room(named: name)
    guard let shape = await household.shape(of: room) else {
      throw LunaraError("client.roomUnknown", "There is no room \(room).")
    }
    var palette: Palette?
    if let album = shape.track?.albumID {
      palette = await palettes.palette(of: album) {
        try await ask(Library.ReadAlbum(id: album), of: .library, within: .seconds(2)).album.palette
      }
    }
    return Card(shape, queue: await household.queues[room], palette: palette)
  }

  fileprivate func picture(of room: RoomName, _ size: CardSize) async throws -> CardPicture {
    let card = try await card(of: room)
    var cover: (type: ImageType, bytes: [UInt8])?
    if let art = card.track?.art {
      // A card without its cover says what plays all the same.
      do { cover = try await pictureBytes(art, size: size.cover.side * 2) } catch { cover = nil }
    }
    return CardPicture(card: card, size: size, cover: cover)
  }

  fileprivate func followCard(_ call: Call) async throws -> HTTPServerResponse {
    let room = try await household.room(named: try call.room())
    let key = try await household.follow(room, for: call.client.session)
    return .events(
      AsyncStream {
        guard let isChange = await household.nextChange(for: key) else { return nil }
        guard isChange else { return EventText.heartbeat }
        do {
          return EventText.event("card", json: try MessageCoding.encode(try await card(of: room)))
        } catch {
          // The room is gone for now; what comes next says how it is.
          return EventText.heartbeat
        }
      } onCancel: {
        Task { await household.leave(key) }
      })
  }
}
