import Glibc
import HTTP
import Messages
import Model
import ServiceKit
import Synchronization
import System

/// Serves audio and pictures to rooms and web pages on other hosts, only for addresses that the library made and that
/// have not expired.
final class MediaEndpoint: Sendable {
  /// The most connections that are open at once, those that only the household's machines may have, and those of one
  /// address.
  private static let connections = 128
  private static let reserved = 64
  private static let clientConnections = 24

  private let seal: MediaSeal
  private let address: MediaAddress
  private let relay: MediaRelay
  private let isPeer: @Sendable (_ host: String) -> Bool
  private let log: Log
  private let now: @Sendable () -> Timestamp
  /// The codes of errors that were logged.
  private let logged = Mutex<Set<String>>([])
  private let streamMonitor: StreamMonitor
  private let server = Mutex<HTTPServer?>(nil)

  /// Makes an endpoint that does not listen yet. `isPeer` returns true for the numeric addresses of the household's
  /// other machines, which have connections of their own.
  init(
    at address: MediaAddress, seal: MediaSeal, streamMonitor: StreamMonitor, relay: MediaRelay,
    log: Log, isPeer: @escaping @Sendable (_ host: String) -> Bool = { _ in false },
    now: @escaping @Sendable () -> Timestamp = { .now() }
  ) {
    self.seal = seal
    self.address = address
    self.relay = relay
    self.streamMonitor = streamMonitor
    self.log = log
    self.isPeer = isPeer
    self.now = now
  }

  /// Starts to listen, and returns the port: that of addresses that are still valid, else the usual one, else any free
  /// one. A port that a person chose is not replaced.
  ///
  /// - Parameter former: the port of addresses that may still be valid; nil if it is the usual one.
  /// - Throws: `http.addressInUse`, `http.cannotListen`.
  func start(formerPort former: UInt16?) throws -> UInt16 {
    guard !address.isChosen else { return try listen(on: address.port) }
    for port in [former, address.port].compactMap({ $0 }) {
      do { return try listen(on: port) } catch {
        // Another port does, as addresses include it.
        log.debug("Port \(port) cannot be used.", ["code": LunaraError(error).code])
      }
    }
    return try listen(on: 0)
  }

  private func listen(on port: UInt16) throws -> UInt16 {
    let started: HTTPServer
    do { started = try makeServer(address.host, port) } catch let error as LunaraError
      where error.code == "http.cannotListen" && address.host == "::"
    {
      // The machine has no IPv6.
      started = try makeServer("0.0.0.0", port)
    }
    server.withLock { $0 = started }
    return started.port
  }

  private func makeServer(_ host: String, _ port: UInt16) throws -> HTTPServer {
    var limits = HTTPServer.Limits()
    limits.connections = Self.connections
    limits.reserved = Self.reserved
    limits.clientConnections = Self.clientConnections
    limits.isKnown = isPeer
    return try HTTPServer(address: host, port: port, limits: limits) { [weak self] request in
      await self?.answer(request) ?? HTTPServerResponse(status: 503)
    }
  }

  /// Ends all answers and stops listening.
  func stop() async {
    await server.withLock { $0.take() }?.stop()
  }

  func answer(_ request: HTTPServerRequest) async -> HTTPServerResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      return HTTPServerResponse(status: 405, headers: [("Allow", "GET, HEAD")])
    }
    do {
      let link = try seal.link(at: request.path, query: request.query, now: now())
      if let stream = link.stream {
        let answer = try await relay.answer(stream, request)
        if let duration = link.duration, request.method == "GET" { streamMonitor.watch(lasting: duration) }
        return answer.adding(Self.headers)
      }
      guard let path = link.file else { throw MediaLink.Refusal.unknown }
      // On a thread of its own, as a disk may hang.
      let file = try await BlockingThreads.perform { try Self.open(path) }
      if let duration = link.duration, request.method == "GET" { streamMonitor.watch(file, lasting: duration) }
      let type = link.duration == nil ? try Self.typeOfPicture(file) : MediaType.of(path)
      return HTTPServerResponse(headers: [("Content-Type", type)] + Self.headers, body: .opened(file))
    } catch let refusal as MediaLink.Refusal {
      return HTTPServerResponse(status: refusal == .unknown ? 404 : 403, text: "\(refusal.rawValue)\n")
    } catch {
      let error = LunaraError(error)
      if logged.withLock({ $0.insert(error.code).inserted }) { log.warning(error) }
      // Messages may name a path or server of this host, so only the code is sent.
      return HTTPServerResponse(status: Self.status(of: error), text: "\(error.code)\n")
    }
  }

  private static let headers = [("Cache-Control", "private, max-age=86400"), ("X-Content-Type-Options", "nosniff")]
  private static let outsideCode = "library.outsideFolders"

  /// Only what is gone for good is not found: a room tries others again.
  private static func status(of error: LunaraError) -> Int {
    switch error.code {
    case outsideCode, "library.signedOut": 403
    case "library.fileMissing", "library.badPicture", "library.gone": 404
    default: 503
    }
  }

  /// Opens a file that still lies where the library found it, without a link on the way. Blocks for the disk.
  private static func open(_ path: LocalPath) throws(LunaraError) -> OpenFile {
    guard let file = OpenFile(path), let real = file.path else {
      throw LunaraError("library.fileMissing", "\(path) cannot be read. Refresh the library with `lunara sync`.")
    }
    guard real == path else {
      throw LunaraError(outsideCode, "\(path) is a link now, so it is not handed out. Refresh the library.")
    }
    return file
  }

  private static func typeOfPicture(_ file: OpenFile) throws(LunaraError) -> String {
    guard let type = ImageType(firstBytes: file.head(16)) else {
      throw LunaraError("library.badPicture", "A picture cannot be shown: browsers show no files of its form.")
    }
    return type.rawValue
  }
}

extension HTTPServerResponse {
  fileprivate func adding(_ headers: [(String, String)]) -> HTTPServerResponse {
    var response = self
    response.headers += headers
    return response
  }
}

enum MediaType {
  private static let types = [
    "flac": "audio/flac", "mp3": "audio/mpeg", "mp2": "audio/mpeg", "ogg": "audio/ogg", "oga": "audio/ogg",
    "spx": "audio/ogg", "opus": "audio/ogg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aac": "audio/aac",
    "wav": "audio/wav", "aif": "audio/aiff", "aiff": "audio/aiff", "aifc": "audio/aiff", "wv": "audio/x-wavpack",
    "ape": "audio/x-ape", "mka": "audio/x-matroska", "wma": "audio/x-ms-wma", "asf": "audio/x-ms-wma",
  ]

  /// Returns the media type of a file of audio, by the ending of its name.
  static func of(_ path: LocalPath) -> String {
    let name = path.bytes.split(separator: UInt8(ascii: "/")).last ?? []
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "application/octet-stream" }
    return types[String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()] ?? "application/octet-stream"
  }
}
