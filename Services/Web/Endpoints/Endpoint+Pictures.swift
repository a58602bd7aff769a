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

  /// How many bytes a picture may have that is carried within something else.
  private static let mostCarried = 4 << 20

  fileprivate func picture(_ id: ArtID, size: Int?, takesWebP: Bool) async throws -> HTTPServerResponse {
    switch try await locate(id, size: size, takesWebP: takesWebP) {
    case .file(let path):
      // Its kind is told from the file that is sent, whatever happens to its name meanwhile.
      let (file, head) = try await heads.open(path, "\(id)", head: ImageType.length)
      let type = try ImageType.required(head, "\(id)")
      return HTTPServerResponse(headers: [("Content-Type", type.rawValue)] + Self.lasting, body: .opened(file))
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
    let bytes: [UInt8]
    let isWhole: Bool
    switch try await locate(id, size: size, takesWebP: false) {
    case .file(let path):
      let (file, head) = try await heads.open(path, "\(id)", head: Self.mostCarried)
      (bytes, isWhole) = (head, file.length == UInt64(head.count))
    case .url(let url, let asked, _):
      bytes = try await fetch(id, url, asked).body
      isWhole = bytes.count <= Self.mostCarried
    }
    guard isWhole else {
      throw LunaraError("web.noPicture", "The picture \(id) is too large to be drawn into another.")
    }
    return (try ImageType.required(bytes, "\(id)"), bytes)
  }

  private func locate(_ id: ArtID, size: Int?, takesWebP: Bool) async throws -> Library.Locator {
    try await ask(
      Library.LocateArt(id: id, host: hostID, size: size, takesWebP: takesWebP), of: .library, within: .seconds(30))
  }

  private func fetch(_ id: ArtID, _ url: String, _ headers: [String: String]) async throws -> HTTPResponse {
    let answer = try await client.send(HTTPRequest(url: url, headers: headers.map { ($0.key, $0.value) }))
    guard answer.status == 200 else {
      throw LunaraError("web.noPicture", "The library gives no picture \(id).", cause: "HTTP \(answer.status)")
    }
    return answer
  }
}
