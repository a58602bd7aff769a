import HTTP
import Messages
import Model
import Records

/// Audio and pictures.
extension PlexServer {
  /// The pauses before a track is requested again that the server has not analysed yet.
  private static let patience: [Duration] = [.seconds(1), .seconds(3)]

  /// Returns the file itself where the server gives it, else a transcoded stream.
  ///
  /// Requests one byte first: the path of a part changes with its file, and the server answers 500 for a new track
  /// until it has analysed it.
  func stream(part: String?, native: String) async throws -> ServerStream {
    var isFresh = part == nil
    var part = isFresh ? try await self.part(of: native) : part
    var pauses = Self.patience[...]
    while let name = part {
      switch try await probe(name) {
      case 200, 206: return try await direct(name)
      case 401: throw PlexError.signedOut(client.name)
      case 404 where !isFresh:
        part = try await self.part(of: native)
        isFresh = true
      case 404: throw SourceError.gone(client.name)
      case 500:
        if let pause = pauses.popFirst() {
          try await client.pause(pause)
          continue
        }
        // The last resort for a track that was not analysed yet: the file as a download, which some servers allow only
        // to their owner.
        let download = PlexQuery(["download": "1"])
        let isAllowed = [200, 206].contains(try await probe(name, download))
        return isAllowed ? try await direct(name, download) : try await transcoded(native)
      default: return try await transcoded(native)
      }
    }
    throw SourceError.gone(client.name)
  }

  /// Returns the place of the item's audio now; nil if it has none.
  private func part(of native: String) async throws -> String? {
    let row = try await client.page("/library/metadata/\(PlexQuery.encoded(native))").page.rows.first
    return row.flatMap { PlexRecords.track($0, section: nil)?.part }
  }

  private func probe(_ part: String, _ query: PlexQuery = PlexQuery()) async throws -> Int {
    // A server without ranges would send the whole file, so the stream is dropped after its headers.
    let base = try await client.endpoint.base(isFresh: true)
    let url = try client.url(part, query, at: base)
    do {
      let answer = try await client.http.stream(
        HTTPRequest(.reads, url: url, headers: client.headers(with: [("Range", "bytes=0-0")])), idle: .seconds(20))
      return answer.status
    } catch let error as LunaraError {
      await client.endpoint.failed(base, error)
      throw SourceError.unreachable(client.name, error)
    }
  }

  private func direct(_ part: String, _ query: PlexQuery = PlexQuery()) async throws -> ServerStream {
    let headers = Dictionary(client.headers.filter { $0.0 != "Accept" }) { first, _ in first }
    return ServerStream(url: try client.url(part, query, at: try await client.endpoint.base()), headers: headers)
  }

  /// Returns a stream that the server transcodes. Of its three protocols this is the simplest, plain HTTP.
  private func transcoded(_ native: String) async throws -> ServerStream {
    let query = PlexQuery([
      "path": "/library/metadata/\(native)", "mediaIndex": "0", "partIndex": "0", "protocol": "http", "directPlay": "0",
      "directStream": "1", "musicBitrate": "320", "session": client.device.identifier + "-\(native)",
    ])
    let path = "/music/:/transcode/universal/start"
    let status = try await probe(path, query)
    guard (200..<300).contains(status) else {
      throw PlexError.from(status, client.name) ?? PlexError.unreadableAnswer(client.name)
    }
    return try await direct(path, query)
  }

  /// Returns a picture, resized by the server if it can do that.
  func picture(_ reference: String, size: Int?) async throws -> [UInt8] {
    guard Self.isPicturePath(reference) else { throw SourceError.gone(client.name) }
    if let size {
      let query = PlexQuery([
        "url": reference, "width": "\(size)", "height": "\(size)", "minSize": "1", "upscale": "0", "format": "jpg",
      ])
      let response = try await client.send(.reads, "GET", "/photo/:/transcode", query, headers: Self.pictures)
      if response.status == 200, Self.isPicture(response.body) { return response.body }
      if response.status == 401 { throw PlexError.signedOut(client.name) }
    }
    let response = try await client.request(.reads, "GET", reference, headers: Self.pictures)
    guard Self.isPicture(response.body) else { throw SourceError.gone(client.name) }
    return response.body
  }

  /// Returns true if a reference is the path of a picture. It comes from clients, so it must not make the server run
  /// another command or fetch from another host.
  static func isPicturePath(_ reference: String) -> Bool {
    guard reference.hasPrefix("/library/") || reference.hasPrefix("/playlists/"), !reference.contains("..") else {
      return false
    }
    return ["/thumb", "/composite", "/art", "/poster"].contains { reference.contains($0) }
  }

  private static let pictures = [("Accept", "image/*")]

  /// Returns false for an error, which Plex may send as HTML or JSON with any status.
  private static func isPicture(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first(where: { $0 > 32 }) else { return false }
    return first != UInt8(ascii: "<") && first != UInt8(ascii: "{")
  }
}
