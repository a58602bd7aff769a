import Bus
import Client
import HTTP
import Messages
import Model

extension Endpoint {
  static let cards: [Endpoint] = [
    Endpoint("GET", "/now/{room}/events", "followCard") { try await $0.followCard($1) },
    Endpoint("GET", "/now/{room}.svg", "drawCard") { api, call in
      let picture = try await api.picture(call)
      return .drawn(picture.text, "image/svg+xml", "default-src 'none'; img-src data:; frame-ancestors 'none'")
    },
    Endpoint("GET", "/now/{room}.html", "showCard") { api, call in
      let (text, policy) = try await api.picture(call).page
      return .drawn(text, "text/html; charset=utf-8", policy)
    },
    Endpoint("GET", "/now/{room}", "readCard") { api, call in .json(try await api.card(of: try call.room())) },
  ]
}

extension HTTPServerResponse {
  fileprivate static func drawn(_ text: String, _ type: String, _ policy: String) -> HTTPServerResponse {
    HTTPServerResponse(
      headers: [("Content-Type", type), ("Cache-Control", "no-store"), ("Content-Security-Policy", policy)],
      body: .bytes(Array(text.utf8)))
  }
}

extension EndpointContext {
  /// Returns the present card of a room. Throws `client.roomUnknown`.
  fileprivate func card(of name: RoomName) async throws -> Card {
    let room = try await household.room(named: name)
    guard let status = await household.status(of: room) else {
      throw LunaraError("client.roomUnknown", "There is no room \(room).")
    }
    var palette: Palette?
    if let album = status.track?.albumID, !album.isDescribed {
      palette = await paletteCache.palette(of: album, in: await household.catalogue?.generation) {
        try await ask(Library.ReadAlbum(id: album), of: .library, within: .seconds(2)).album.palette
      }
    }
    return Card(status, queue: await household.queues[room], palette: palette)
  }

  fileprivate func picture(_ call: Call) async throws -> CardPicture {
    let (room, size) = (try call.room(), try CardSize(call.parameters.text("size")))
    let card = try await card(of: room)
    var cover: (type: ImageType, bytes: [UInt8])?
    if let art = card.status.track?.art {
      // A card whose cover cannot be read is drawn without it.
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
          return EventText.event("card", json: try await card(of: room).json.bytes(.leftOut))
        } catch {
          // The room cannot be read now. The next change shows its state.
          return EventText.heartbeat
        }
      } onCancel: {
        Task { await household.leave(key) }
      })
  }
}

/// The state of a room for a widget or a wall display.
struct Card: JSONRepresentable, Sendable {
  var status: RoomStatus
  var palette: Palette?
  /// The next tracks, five at most.
  var next: [Track]

  init(_ room: RoomStatus, queue: Playback.QueueState?, palette: Palette?) {
    status = room
    self.palette = palette
    next = queue.map { RoomQueue($0, of: room.name).coming.prefix(5).map(\.track) } ?? []
  }

  /// The path of the cover on this server.
  var cover: String? { status.track?.art.map { "/api/v1/art/\(PercentCoding.encode($0.description))" } }

  /// The card as JSON; `message` and `code` are present only in the state `error`.
  var json: JSON {
    [
      "room": status.name, "state": status.state, "away": status.isAway, "message": status.error?.message,
      "code": status.error?.code, "track": status.track.orNull, "cover": cover, "palette": palette,
      "positionSeconds": status.position, "rate": status.rate, "durationSeconds": status.duration.orNull,
      "next": JSON.list(next) { ["title": $0.title, "artist": $0.artist] },
    ]
  }

}

/// The colours of albums that were shown on cards, so that the library is asked once for each as long as the catalogue
/// stays the same.
actor PaletteCache {
  private static let limit = 64
  private var generation: Int64?
  private var known: [AlbumID: Palette] = [:]

  /// Returns the colours of an album; calls `read` if they are not cached. Returns nil if the album has none, or `read`
  /// throws.
  ///
  /// - Parameters:
  ///   - album: the album.
  ///   - generation: the present generation of the catalogue. With another one all cached colours are discarded, as
  ///     the album may have got another cover.
  ///   - read: reads the colours.
  func palette(
    of album: AlbumID, in generation: Int64?, _ read: @Sendable () async throws -> Palette?
  ) async -> Palette? {
    if generation != self.generation {
      self.generation = generation
      known = [:]
    }
    if let found = known[album] { return found }
    do {
      let palette = try await read()
      // The catalogue may have changed while the colours were read.
      guard generation == self.generation else { return palette }
      if known.count >= Self.limit { known = [:] }
      known[album] = palette
      return palette
    } catch {
      // The card is shown without colours; the next card tries again.
      return nil
    }
  }
}
