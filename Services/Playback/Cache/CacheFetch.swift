import HTTP
import Messages
import Model

/// Fetches one address into a file, piece by piece: where the connection breaks it goes on from there.
struct CacheFetch {
  let client: HTTPClient
  let url: String
  let headers: [String: String]
  /// The time without a byte after which a connection is given up.
  var idle = Duration.seconds(20)

  /// The number of connections that may break before the file is given up.
  private static let attempts = 4

  /// Fetches all of it.
  ///
  /// - Parameter fits: called with the final size in bytes as soon as that is known, else with the size so far; false ends it.
  /// - Throws: `playback.cacheFailed`, `playback.cacheUnusable`, and the errors of `HTTPClient`.
  nonisolated(nonsending) func run(into file: CacheFolder.Partial, fits: (Int64) -> Bool) async throws {
    var last: LunaraError?
    var version: String?
    for _ in 0..<Self.attempts {
      try Task.checkCancellation()
      do {
        if try await attempt(file, &version, fits) { return }
      } catch let error as LunaraError where error.code.hasPrefix("http.") {
        last = error
        // A file whose version is not known cannot be continued.
        if version == nil { file.restart() }
      }
    }
    throw last ?? Self.failed("The connection broke off again and again.")
  }

  /// Makes one connection; true if the file is whole.
  private nonisolated(nonsending) func attempt(
    _ file: CacheFolder.Partial, _ version: inout String?, _ fits: (Int64) -> Bool
  ) async throws -> Bool {
    var request = HTTPRequest(url: url, headers: headers.map { ($0.key, $0.value) })
    if file.size > 0, let version {
      request.headers += [("Range", "bytes=\(file.size)-"), ("If-Range", version)]
    }
    let stream = try await client.stream(request, idle: idle)
    defer { stream.cancel() }
    if stream.status == 416 || stream.status == 200, file.size > 0 { file.restart() }
    if stream.status == 416 { return false }
    guard stream.status == 200 || stream.status == 206 else {
      throw Self.failed("The server answered \(stream.status).")
    }
    let type = stream.header("Content-Type")?.lowercased() ?? ""
    // Servers report errors in words, with a status that says that all is well.
    guard !type.hasPrefix("text/"), !type.contains("json"), !type.contains("xml") else {
      throw Self.failed("The server sent \(type), which is no audio.")
    }
    let etag = stream.header("ETag")
    version = etag.map { $0.hasPrefix("W/") ? nil : $0 } ?? stream.header("Last-Modified")
    let length = stream.header("Content-Length").flatMap { Int64($0) }.map { $0 + file.size }
    let isChunked = stream.header("Transfer-Encoding")?.lowercased().contains("chunked") == true
    guard length != nil || isChunked else { throw Self.failed("The server does not say how long it is.") }
    guard fits(length ?? file.size) else { throw Self.failed("It is too large.") }
    while let piece = try await stream.next() {
      try file.write(piece)
      if length == nil, !fits(file.size) { throw Self.failed("It is too large.") }
      try Task.checkCancellation()
    }
    guard let length else { return file.size > 0 }
    guard length > 0, file.size <= length else { throw Self.failed("The server sent \(file.size) bytes of \(length).") }
    // A file that ended too early is continued.
    return file.size == length
  }

  private static func failed(_ cause: String) -> LunaraError {
    LunaraError("playback.cacheFailed", "The next item could not be fetched in advance.", cause: cause)
  }
}
