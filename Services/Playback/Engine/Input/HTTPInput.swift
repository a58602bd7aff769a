import Glibc
import HTTP
import Model
import Synchronization
import System

/// A stream from a server, read by requests for the rest of it. libmpv itself opens no connection.
///
/// `@unchecked Sendable` is safe because (1) the stored properties that change are touched only by the one thread that
/// reads, or by a task for which that thread waits; (2) `connection` is a lock of its own.
final class HTTPInput: AudioInput, @unchecked Sendable {
  private(set) var size: Int64?
  private(set) var isSeekable = false

  private let url: String
  private let headers: [String: String]
  private let client: HTTPClient
  /// True for an address that a stranger chose.
  private let refusesPrivateAddresses: Bool
  /// The bytes that have arrived and were not read yet, and the number of them that were.
  private var piece: (bytes: [UInt8], used: Int) = ([], 0)
  private var offset: Int64 = 0
  /// True if bytes have arrived since the last attempt to reconnect.
  private var mayReconnect = true

  private struct Connection {
    var isCancelled = false
    /// The task for which the reading thread waits.
    var task: Task<Void, Never>?
    var stream: HTTPStream?
  }
  private let connection = Mutex(Connection())

  /// The time after which a server that sends nothing is given up. It is shorter than the silence after which the room
  /// reports an error.
  private static let idle = Duration.seconds(6)

  init(_ url: String, headers: [String: String], client: HTTPClient, refusesPrivateAddresses: Bool = false) {
    self.url = url
    self.headers = headers
    self.client = client
    self.refusesPrivateAddresses = refusesPrivateAddresses
  }

  /// Sends the first request and returns when the server has answered.
  func open() throws(InputFailure) { try connect() }

  func head(_ count: Int) throws(InputFailure) -> [UInt8] {
    while piece.bytes.count < count, let more = try next() { piece.bytes += more }
    return Array(piece.bytes.prefix(count))
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFailure) -> Int {
    while piece.used == piece.bytes.count {
      guard let more = try next() else { return 0 }
      piece = (more, 0)
    }
    let part = piece.bytes[piece.used...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    piece.used += part.count
    offset += Int64(part.count)
    return part.count
  }

  func seek(to offset: Int64) throws(InputFailure) {
    guard isSeekable else { throw .stream(.network(.broke)) }
    guard offset != self.offset else { return }
    let ahead = offset - self.offset
    if ahead > 0, ahead <= Int64(piece.bytes.count - piece.used) {
      piece.used += Int(ahead)
      self.offset = offset
      return
    }
    self.offset = max(0, offset)
    piece = ([], 0)
    use(nil)
    if let size, offset >= size { return }
    try connect()
  }

  func cancel() {
    let ended = connection.withLock { connection in
      defer { connection.stream = nil }
      connection.isCancelled = true
      return connection
    }
    ended.task?.cancel()
    // libmpv keeps an input that it has opened in advance, and the sender would keep its file open as long.
    ended.stream?.cancel()
  }

  /// Reads from a stream from now on, and ends the former one.
  private func use(_ stream: HTTPStream?) {
    let unwanted = connection.withLock { connection in
      guard !connection.isCancelled else { return stream }
      defer { connection.stream = stream }
      return connection.stream
    }
    unwanted?.cancel()
  }

  /// Returns the bytes that follow those in `piece`; nil at the end. Reconnects once, at once, if the connection
  /// breaks; after that the room decides about further attempts, which people can see.
  private func next() throws(InputFailure) -> [UInt8]? {
    let arrived = offset + Int64(piece.bytes.count - piece.used)
    if let size, arrived >= size { return nil }
    while true {
      do throws(InputFailure) {
        let stream = connection.withLock { $0.stream }
        let more = try wait { try await stream?.next() }
        if let more {
          mayReconnect = true
          return more
        }
        if size == nil, stream != nil { return nil }
        throw .stream(.network(.broke))
      } catch {
        guard error != .cancelled, mayReconnect, isSeekable else { throw error }
        mayReconnect = false
        try connect(at: arrived)
      }
    }
  }

  private func connect() throws(InputFailure) { try connect(at: offset) }

  /// Requests the bytes from `position` on.
  private func connect(at position: Int64) throws(InputFailure) {
    // Compressed bytes would have other positions.
    let own = [("Range", "bytes=\(position)-"), ("Accept-Encoding", "identity")]
    let request = HTTPRequest(
      .reads, url: url, headers: headers.map { ($0.key, $0.value) } + own,
      refusesPrivateAddresses: refusesPrivateAddresses)
    let client = client
    let stream = try wait { try await client.stream(request, idle: Self.idle, followsRedirections: true) }
    switch stream.status {
    case 206:
      let range = ContentRange(stream.header("Content-Range") ?? "")
      guard range?.first ?? position == position else { throw .stream(.network(.broke)) }
      if let size, let found = range?.size, size != found {
        // The file was replaced meanwhile, so its bytes do not fit to those before.
        throw .stream(.network(.broke))
      }
      size = range?.size ?? size
      isSeekable = true
    case 200:
      guard position == 0 else { throw .stream(.network(.broke)) }
      size = stream.header("Content-Length").flatMap { Int64($0) }
    default: throw .stream(.status(stream.status))
    }
    use(stream)
  }

  /// Runs an asynchronous body and blocks the calling thread, which is libmpv's, until it has ended or is cancelled.
  private func wait<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) throws(InputFailure) -> T {
    let outcome = Monitor<Result<T, any Error>?>(nil)
    let isCancelled = connection.withLock { connection in
      guard !connection.isCancelled else { return true }
      connection.task = Task {
        let result: Result<T, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        outcome.change { $0 = result }
      }
      return false
    }
    guard !isCancelled else { throw .cancelled }
    let result = outcome.wait { $0 }
    if connection.withLock({ $0.isCancelled }) { throw .cancelled }
    switch result {
    case .success(let value)?: return value
    case .failure(let error)?: throw .stream(StreamFailure(LunaraError(error)))
    case nil: throw .cancelled
    }
  }
}

/// The header `Content-Range` of a part: `bytes 200-1000/67589`, with `*` for an unknown size (RFC 9110, 14.4).
struct ContentRange: Hashable {
  var first: Int64
  /// The length of the whole; nil if it is unknown.
  var size: Int64?

  init?(_ text: String) {
    guard text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let first = parts[0].split(separator: "-").first.flatMap({ Int64($0) }), first >= 0 else {
      return nil
    }
    self.first = first
    size = Int64(parts[1]).flatMap { $0 > first ? $0 : nil }
  }
}
