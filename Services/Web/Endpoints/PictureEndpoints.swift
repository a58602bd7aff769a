import Bus
import Dispatch
import HTTP
import Messages
import Model
import Synchronization

extension Endpoint {
  static let pictures: [Endpoint] = [
    Endpoint("GET", "/api/v1/art/{id}", "readArt") { api, call in
      let size = try call.parameters.number("size", in: 1...8192)
      let takesWebP = size != nil && call.request.header("Accept")?.contains("image/webp") == true
      return try await api.picture(try call.id(), size: size, takesWebP: takesWebP)
    }
  ]
}

extension EndpointContext {
  /// The caching headers of a picture. A changed picture gets another id, so browsers may keep this one without asking
  /// again.
  private static let cacheHeaders = [("Cache-Control", "private, max-age=31536000, immutable"), ("Vary", "Accept")]

  /// The largest size, in bytes, of a picture that is embedded in another document.
  private static let embeddedLimit = 4 << 20

  fileprivate func picture(_ id: ArtID, size: Int?, takesWebP: Bool) async throws -> HTTPServerResponse {
    switch try await locate(id, size: size, takesWebP: takesWebP) {
    case .file(let path, _):
      // The type is read from the open file, as another file may get this name meanwhile.
      let (file, head) = try await pictureReader.open(path, "\(id)", head: ImageType.length)
      let type = try ImageType.required(head, "\(id)")
      return HTTPServerResponse(headers: [("Content-Type", type.rawValue)] + Self.cacheHeaders, body: .opened(file))
    case .url(let url, let asked, _, _, _):
      // The library is on another host, which the browser may be unable to reach.
      let answer = try await fetch(id, url, asked)
      let type = try ImageType.required(answer.body, "\(id)")
      let tag = answer.header("ETag").map { [("ETag", $0)] } ?? []
      return HTTPServerResponse(
        headers: [("Content-Type", type.rawValue)] + Self.cacheHeaders + tag, body: .bytes(answer.body))
    }
  }

  /// Returns the bytes and the type of a picture, to embed it in another document. Throws `web.noPicture`, and the
  /// errors of the library.
  func pictureBytes(_ id: ArtID, size: Int) async throws -> (type: ImageType, bytes: [UInt8]) {
    let bytes: [UInt8]
    let isWhole: Bool
    switch try await locate(id, size: size, takesWebP: false) {
    case .file(let path, _):
      let (file, head) = try await pictureReader.open(path, "\(id)", head: Self.embeddedLimit)
      bytes = head
      isWhole = file.length == UInt64(head.count)
    case .url(let url, let asked, _, _, _):
      bytes = try await fetch(id, url, asked).body
      isWhole = bytes.count <= Self.embeddedLimit
    }
    guard isWhole else {
      throw LunaraError("web.noPicture", "The picture \(id) is too large to be embedded in a card.")
    }
    return (try ImageType.required(bytes, "\(id)"), bytes)
  }

  private func locate(_ id: ArtID, size: Int?, takesWebP: Bool) async throws -> Library.Locator {
    try await ask(Library.LocateArt(id: id, host: hostID, size: size, takesWebP: takesWebP), of: .library)
  }

  private func fetch(_ id: ArtID, _ url: String, _ headers: [String: String]) async throws -> HTTPResponse {
    let answer = try await client.send(HTTPRequest(.reads, url: url, headers: headers.map { ($0.key, $0.value) }))
    guard answer.status == 200 else {
      // lunara-media answers with a code.
      let reason = String(decoding: answer.body.prefix(200), as: UTF8.self).prefix { !$0.isNewline }
      throw LunaraError(
        "web.noPicture", "The library did not send the picture \(id).", cause: "HTTP \(answer.status), \(reason)")
    }
    return answer
  }
}

/// Reads picture files on its own queues, so that a disk that has to spin up blocks neither other requests nor the
/// server's only thread.
final class PictureReader: Sendable {
  /// The number of files that are read at the same time.
  private static let workers = 4
  /// The largest number of files that wait to be read or are being read.
  static let limit = 64
  /// The number of bytes of a file that are read before it is sent.
  private static let readAhead: UInt64 = 32 << 20

  private let queues = (0..<workers).map { DispatchQueue(label: "lunara.web.files.\($0)") }
  private let state = Mutex((waiting: 0, next: 0))

  /// Opens a picture and returns its first `count` bytes. Also reads its next bytes into the system's cache, so that
  /// sending it need not wait for a disk.
  ///
  /// - Parameter name: the name of the picture in errors, which do not contain its path.
  /// - Throws: `web.noPicture` if the file cannot be read, `web.busy` if too many wait.
  func open(_ path: LocalPath, _ name: String, head count: Int) async throws -> (file: OpenFile, head: [UInt8]) {
    let found = await (try nextQueue()).run { [self] in
      let file = OpenFile(path)
      let head = file?.head(count) ?? []
      file?.readThrough(Self.readAhead)
      state.withLock { $0.waiting -= 1 }
      return file.map { ($0, head) }
    }
    guard let found else { throw LunaraError("web.noPicture", "The picture \(name) cannot be read.") }
    return found
  }

  private func nextQueue() throws -> DispatchQueue {
    let turn: Int? = state.withLock { state in
      guard state.waiting < Self.limit else { return nil }
      state.waiting += 1
      state.next = (state.next + 1) % Self.workers
      return state.next
    }
    guard let turn else {
      throw LunaraError("web.busy", "Too many pictures wait for the disk. Try again in a moment.")
    }
    return queues[turn]
  }
}

extension ImageType {
  /// Returns the type of a file that must be a picture; `name` is its name in the error. Throws `web.noPicture`.
  static func required(_ bytes: [UInt8], _ name: String) throws(LunaraError) -> ImageType {
    guard let type = ImageType(firstBytes: bytes) else {
      throw LunaraError("web.noPicture", "The picture \(name) is of a type that browsers do not show.")
    }
    return type
  }
}
