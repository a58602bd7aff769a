import Bus
import Client
import HTTP
import Messages
import Model
import System

/// Reads covers for clients, and keeps the last ones, as clients read each in many small parts.
actor Pictures {
  /// The largest picture, in bytes.
  private static let limit = 16 << 20
  /// The length of the longest side that clients get, in pixels.
  private static let size = 1024
  private static let kept = 4

  private let client: Client
  private let host: String
  private let http: HTTPClient
  private var newest: [(id: ArtID, bytes: [UInt8])] = []

  /// Creates a reader; `host` is the id of this host.
  init(client: Client, host: String, http: HTTPClient) {
    self.client = client
    self.host = host
    self.http = http
  }

  /// Returns the bytes of a picture; nil if it cannot be found.
  ///
  /// - Throws: the errors of `Client.ask`, except for a picture that the library does not have.
  func picture(_ id: ArtID) async throws -> [UInt8]? {
    if let found = newest.first(where: { $0.id == id }) { return found.bytes }
    let locator: Library.Locator
    do {
      locator = try await client.ask(Library.LocateArt(id: id, host: host, size: Self.size), of: .library)
    } catch let error as LunaraError where error.code.hasPrefix("library.") {
      return nil
    }
    guard let bytes = try await read(locator), !bytes.isEmpty else { return nil }
    if !newest.contains(where: { $0.id == id }) { newest.append((id, bytes)) }
    if newest.count > Self.kept { newest.removeFirst() }
    return bytes
  }

  /// Forgets what was read, as covers may have changed.
  func clear() { newest = [] }

  private func read(_ locator: Library.Locator) async throws -> [UInt8]? {
    switch locator {
    case .file(let path, _):
      let bytes = await BlockingThreads.value { () -> Result<[UInt8], Errno> in
        do throws(Errno) {
          return .success(try Files.read(path, limit: Self.limit, mustBeRegular: true))
        } catch {
          return .failure(error)
        }
      }
      guard case .success(let bytes)? = bytes else { return nil }
      return bytes
    case .url(let url, let headers, _, _, _):
      let request = HTTPRequest(
        .reads, url: url, headers: headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, timeout: .seconds(10),
        responseLimit: Self.limit)
      let answer = try await http.send(request)
      return answer.status == 200 ? answer.body : nil
    }
  }
}

extension Reply {
  /// Adds a part of a picture.
  ///
  /// - Parameters:
  ///   - picture: the whole picture.
  ///   - offset: the first byte of the part; the end of the picture gives an empty part.
  ///   - limit: the most bytes of a part.
  ///   - hasType: true to name the type of the picture.
  /// - Throws: `Bad file offset`.
  mutating func add(picture: [UInt8], from offset: Int, limit: Int, hasType: Bool) throws(CommandError) {
    guard offset <= picture.count else { throw CommandError(.argument, "Bad file offset") }
    add("size", picture.count)
    if hasType, let type = ImageType(firstBytes: Array(picture.prefix(ImageType.length))) {
      add("type", type.rawValue)
    }
    add(binary: picture[offset..<min(picture.count, offset + limit)])
  }
}
