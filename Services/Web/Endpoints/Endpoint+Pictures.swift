import Bus
import HTTP
import Messages
import Model

extension Endpoint {
  /// Pictures.
  static let pictures: [Endpoint] = [
    Endpoint("GET", "/api/v1/art/{id}", "readArt") { api, call in
      let size = try call.parameters.number("size", in: 1...8192)
      let takesWebP = size != nil && call.request.header("Accept")?.contains("image/webp") == true
      return try await api.picture(try call.id(), size: size, takesWebP: takesWebP)
    }
  ]
}

extension API {
  /// A picture that changes gets another id, so this one is good for ever.
  private static let lasting = [("Cache-Control", "private, max-age=31536000, immutable"), ("Vary", "Accept")]

  /// How many bytes a picture from another host may have.
  private static let mostBytes = 32 << 20

  fileprivate func picture(_ id: ArtID, size: Int?, takesWebP: Bool) async throws -> HTTPServerResponse {
    switch try await locate(id, size: size, takesWebP: takesWebP) {
    case .file(let path):
      let type = try ImageType.required(try await heads.head(of: path, count: ImageType.length), "\(path)")
      return HTTPServerResponse(headers: [("Content-Type", type.rawValue)] + Self.lasting, body: .file(path))
    case .url(let url, let asked, _):
      // The library is on another host, which this browser may not reach.
      let answer = try await fetch(id, url, asked)
      let type = try ImageType.required(answer.body, "\(id)")
      let tag = answer.header("ETag").map { [("ETag", $0)] } ?? []
      return HTTPServerResponse(
        headers: [("Content-Type", type.rawValue)] + Self.lasting + tag, body: .bytes(answer.body))
    }
  }

  /// A picture's bytes and kind, for what carries it within itself.
  ///
  /// - Throws: `web.noPicture`, and what the library says.
  func pictureBytes(_ id: ArtID, size: Int) async throws -> (type: ImageType, bytes: [UInt8]) {
    let bytes: [UInt8] =
      switch try await locate(id, size: size, takesWebP: false) {
      case .file(let path): try await heads.head(of: path, count: 4 << 20)
      case .url(let url, let asked, _): try await fetch(id, url, asked).body
      }
    return (try ImageType.required(bytes, "\(id)"), bytes)
  }

  private func locate(_ id: ArtID, size: Int?, takesWebP: Bool) async throws -> Library.Locator {
    try await ask(
      Library.LocateArt(id: id, host: hostID, size: size, takesWebP: takesWebP), of: .library, within: .seconds(30))
  }

  private func fetch(_ id: ArtID, _ url: String, _ headers: [String: String]) async throws -> HTTPResponse {
    let answer = try await client.send(HTTPRequest(url: url, headers: headers.map { ($0.key, $0.value) }))
    guard answer.status == 200, answer.body.count <= Self.mostBytes else {
      throw LunaraError("web.noPicture", "The library gives no picture \(id).", cause: "HTTP \(answer.status)")
    }
    return answer
  }
}
