import Glibc
import HTTP
import Model
import System

/// A file at its source, by which a later fetch continues, and a change is noticed.
struct OfflineSource: Hashable, Sendable {
  /// The length in bytes; nil while it is not known.
  var size: Int64?
  /// The entity tag or the date of change that a server states; `place …` for a path that changes with the file; `file
  /// …` for a file of this machine; nil if there is none.
  var version: String?
  /// The path at the server, without its address, which may change; `file` for a file of this machine.
  var place: String

  /// Returns true if the file at the source is another one than this, of which a copy is kept.
  func isReplaced(by now: OfflineSource) -> Bool {
    if let version, let newer = now.version, Self.kind(version) == Self.kind(newer) { return version != newer }
    // A copy at another place, or a server that states no version: only the length tells.
    guard let size, let length = now.size else { return false }
    return size != length
  }

  private static func kind(_ version: String) -> Int {
    version.hasPrefix("\"") ? 0 : version.hasPrefix("file ") ? 1 : version.hasPrefix(placed) ? 2 : 3
  }

  private static let placed = "place "

  /// Returns the version in an address whose path changes with the file, as at Plex, which states no other; nil for any
  /// other address.
  static func versionOfPlace(_ url: String) -> String? {
    let path = place(url)
    return path.hasPrefix("/library/parts/") ? placed + path : nil
  }

  /// Returns the path in an address.
  static func place(_ url: String) -> String {
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    return String(rest.drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" })
  }
}

/// The functions that a fetch calls. Each may throw, which ends the fetch.
struct OfflineFetchSteps: Sendable {
  /// Called with the number of bytes that are still to come, as soon as it is known.
  var fits: @Sendable (Int64) async throws -> Void
  /// Called with what the source says of the file, and with the number of bytes that are kept of an earlier run.
  var began: @Sendable (OfflineSource, Int64) async throws -> Void
  /// Called with the number of bytes after they have been synced.
  var synced: @Sendable (Int64) async throws -> Void
}

/// Fetches the file of an address; after a broken connection, and in a later run, it continues at the point of the
/// break.
struct OfflineFetch {
  let client: HTTPClient
  let url: String
  let headers: [String: String]
  /// The time without data after which a connection is given up.
  var idle = Duration.seconds(20)

  /// The number of connections after which fetching is given up for now.
  private static let attempts = 4

  /// Fetches the rest of a file, of which `source` is known from an earlier run. Returns what the source says of the
  /// complete file. Throws `playback.offlineFailed`, the errors of `HTTPClient`, of the part and of the steps.
  nonisolated(nonsending) func run(
    into file: OfflinePart, knowing source: OfflineSource, _ steps: OfflineFetchSteps
  ) async throws -> OfflineSource {
    var known = source
    var last: LunaraError?
    if let size = known.size, file.size == size, size > 0 { return known }
    for _ in 0..<Self.attempts {
      try Task.checkCancellation()
      do {
        if try await attempt(file, &known, steps) { return known }
      } catch let error as LunaraError where error.code.hasPrefix("http.") {
        last = error
        // Without a version it is not certain that the rest would be of the same file.
        if known.version == nil { try file.restart() }
      }
    }
    throw last ?? Self.failed("The connection broke off again and again.")
  }

  /// Fetches over one connection. Returns true if the file is complete.
  private nonisolated(nonsending) func attempt(
    _ file: OfflinePart, _ known: inout OfflineSource, _ steps: OfflineFetchSteps
  ) async throws -> Bool {
    var request = HTTPRequest(.reads, url: url, headers: headers.map { ($0.key, $0.value) })
    // Ranges count bytes that are not compressed.
    request.headers.append(("Accept-Encoding", "identity"))
    let placed = OfflineSource.versionOfPlace(url)
    if file.size > 0, let version = known.version, placed == nil || placed == version {
      request.headers.append(("Range", "bytes=\(file.size)-"))
      if placed == nil { request.headers.append(("If-Range", version)) }
    } else if file.size > 0 {
      try file.restart()
    }
    let stream = try await client.stream(request, idle: idle, followsRedirections: true)
    defer { stream.cancel() }
    var total: Int64?
    switch stream.status {
    case 206:
      // The rest must begin where the file ends, and be of a file of the length that is known.
      let range = ContentRange(stream.header("Content-Range") ?? "")
      guard let range, range.first == file.size, let size = range.size, size == known.size ?? size else {
        return try startOver(file, &known)
      }
      // A server that passes over If-Range may have sent the end of another version.
      if placed == nil, let now = Self.version(of: stream), let version = known.version, now != version {
        return try startOver(file, &known)
      }
      total = size
    case 200:
      if file.size > 0 { try file.restart() }
      total = stream.header("Content-Length").flatMap { Int64($0) }
    case 416: return try startOver(file, &known)
    default: throw Self.failed(status: stream.status)
    }
    if let refusal = CacheFetch.refusal(of: stream) { throw Self.failed(refusal) }
    let isChunked = stream.header("Transfer-Encoding")?.lowercased().contains("chunked") == true
    guard total != nil || isChunked else { throw Self.failed("The server does not state the size of the file.") }
    known = OfflineSource(size: total, version: placed ?? Self.version(of: stream), place: OfflineSource.place(url))
    try await steps.fits(max(0, (total ?? 0) - file.size))
    try await steps.began(known, file.size)
    while let piece = try await stream.next() {
      try file.write(piece)
      if file.needsSync {
        try file.sync()
        if total == nil { try await steps.fits(1) }
        try await steps.synced(file.size)
      }
      try Task.checkCancellation()
    }
    guard let total else {
      known.size = file.size
      return file.size > 0
    }
    guard total > 0, file.size <= total else { throw Self.failed("The server sent \(file.size) bytes of \(total).") }
    // A file that ended too early is continued by the next attempt.
    return file.size == total
  }

  private func startOver(_ file: OfflinePart, _ known: inout OfflineSource) throws -> Bool {
    try file.restart()
    known.version = nil
    known.size = nil
    return false
  }

  /// Returns what the source says of the file now. `version` is that of the copy: a server that still has it need not
  /// send the file. Throws `playback.offlineFailed`, and the errors of `HTTPClient`.
  nonisolated(nonsending) func look(knowing source: OfflineSource) async throws -> OfflineSource {
    if let placed = OfflineSource.versionOfPlace(url) {
      return OfflineSource(size: source.size, version: placed, place: OfflineSource.place(url))
    }
    var request = HTTPRequest(.reads, url: url, headers: headers.map { ($0.key, $0.value) })
    request.headers.append(("Accept-Encoding", "identity"))
    if let version = source.version, version.hasPrefix("\"") { request.headers.append(("If-None-Match", version)) }
    let stream = try await client.stream(request, idle: idle, followsRedirections: true)
    defer { stream.cancel() }
    switch stream.status {
    case 304: return source
    case 200:
      if let refusal = CacheFetch.refusal(of: stream) { throw Self.failed(refusal) }
      return OfflineSource(
        size: stream.header("Content-Length").flatMap { Int64($0) }, version: Self.version(of: stream),
        place: OfflineSource.place(url))
    default: throw Self.failed(status: stream.status)
    }
  }

  /// Returns a version by which a server can tell that the rest is of the same file: weak entity tags cannot.
  private static func version(of stream: HTTPStream) -> String? {
    if let tag = stream.header("ETag"), !tag.hasPrefix("W/") { return tag.hasPrefix("\"") ? tag : "\"\(tag)\"" }
    return stream.header("Last-Modified")
  }

  private static func failed(status: Int) -> LunaraError {
    let cause = "The server answered \(status)."
    return [401, 403].contains(status) ? CueFailure.refused(cause: cause) : failed(cause)
  }

  static func failed(_ cause: String) -> LunaraError {
    LunaraError("playback.offlineFailed", "A file of an album could not be fetched.", cause: cause)
  }
}

/// Copies a file of this machine, such as one in a folder that is mounted from elsewhere.
struct OfflineCopying {
  let path: LocalPath

  private static let pieceSize = 256 * 1024

  /// Copies the rest of a file. Returns what is known of it. Throws `playback.offlineFailed`, and the errors of the
  /// part and of the steps.
  nonisolated(nonsending) func run(
    into file: OfflinePart, knowing source: OfflineSource, _ steps: OfflineFetchSteps
  ) async throws -> OfflineSource {
    let (from, found) = try open()
    if source.version != found.version { try file.restart() }
    let total = found.size ?? 0
    try await steps.fits(max(0, total - file.size))
    try await steps.began(found, file.size)
    while file.size < total {
      let bytes = try Self.orFailed(path) { () throws(Errno) in
        try from.readBytes(upTo: Self.pieceSize, at: Int(file.size))
      }
      guard !bytes.isEmpty else { break }
      try file.write(bytes)
      if file.needsSync {
        try file.sync()
        try await steps.synced(file.size)
      }
      try Task.checkCancellation()
    }
    guard file.size == total, total > 0, try look() == found else {
      try file.restart()
      throw OfflineFetch.failed("\(path) changed while it was copied.")
    }
    return found
  }

  /// Returns what is known of the file now. Throws `playback.offlineFailed`.
  func look() throws -> OfflineSource { try open().source }

  private func open() throws -> (file: Descriptor, source: OfflineSource) {
    try Self.orFailed(path) { () throws(Errno) in
      let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
      let status = try file.status()
      guard status.kind == .regular else { throw .invalidArgument }
      let version = "file \(status.modified) \(status.size)"
      return (file, OfflineSource(size: status.size, version: version, place: "file"))
    }
  }

  private static func orFailed<Result>(
    _ path: LocalPath, _ body: () throws(Errno) -> Result
  ) throws(LunaraError) -> Result {
    do throws(Errno) { return try body() } catch { throw OfflineFetch.failed("\(path): \(error.text)") }
  }
}
