import Glibc
import HTTP
import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback

/// A server of tracks, and the library that lists their albums, for a room's kept albums.
final class OfflineHousehold: Sendable {
  /// The way in which the server treats a track.
  struct Track: Sendable {
    var bytes: [UInt8]
    var version = "\"v1\""
    /// The numbers of bytes after which the next answers break off; the answers after them are whole.
    var cuts: [Int] = []
    /// The length that is stated in place of the right one.
    var statedLength: Int?
    /// The stream that is sent in place of the bytes.
    var held: AsyncStream<[UInt8]>?
    var refusal: Int?
    var hasVersion = true
  }

  /// A request to the server.
  struct Asked: Hashable, Sendable {
    var number: Int
    /// The first byte that was asked for.
    var first: Int
    /// True for a question whether the file has changed.
    var isComparison: Bool
  }

  private struct State {
    var tracks: [Int: Track] = [:]
    var asked: [Asked] = []
    var albums: [PlayableID: [Library.PlayableTrack]] = [:]
    var connection = NetworkConnection()
    var free: Int64 = 1_000_000_000_000
    var published: [Playback.OfflineState] = []
  }

  let folder = TemporaryDirectory()
  let http: HTTPServer
  private let state: Shared

  private final class Shared: Sendable {
    let mutex = Mutex(State())
  }

  init() throws {
    let state = Shared()
    self.state = state
    let path = folder.path + "/offline"
    http = try HTTPServer(address: "127.0.0.1", port: 0) { Self.answer($0, state, path) }
  }

  var path: String { folder.path + "/offline" }

  /// The requests so far that asked for a file, as `NUMBER` or `NUMBER from FIRST`.
  var fetched: [String] {
    state.mutex.withLock { $0.asked }.filter { !$0.isComparison }.map {
      $0.first == 0 ? "\($0.number)" : "\($0.number) from \($0.first)"
    }
  }

  /// The numbers of the tracks that the server was asked about without sending them.
  var compared: [Int] { state.mutex.withLock { $0.asked }.filter(\.isComparison).map(\.number) }

  var published: [Playback.OfflineState] { state.mutex.withLock { $0.published } }

  func setConnection(_ connection: NetworkConnection) { state.mutex.withLock { $0.connection = connection } }
  func setFree(_ bytes: Int64) { state.mutex.withLock { $0.free = bytes } }

  /// Returns the content of a track: no two are alike.
  static func content(_ number: Int, size: Int = 100_000, seed: Int = 1) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ number &* 7 &+ seed) }
  }

  /// Adds an album of tracks with these numbers to the library and the server.
  @discardableResult
  func album(_ name: String, _ numbers: [Int], size: Int = 100_000) -> AlbumID {
    let id = AlbumID(source: "files", native: name)
    let tracks = numbers.map { number in
      var track = QueueItem.numbered(number).track
      (track.albumID, track.album) = (id, "Album \(name)")
      return Library.PlayableTrack(track: track, path: nil, host: "library")
    }
    state.mutex.withLock { state in
      state.albums[id.playable] = tracks
      for number in numbers { state.tracks[number] = Track(bytes: Self.content(number, size: size)) }
    }
    return id
  }

  func list(_ id: PlayableID, _ tracks: [Library.PlayableTrack]) { state.mutex.withLock { $0.albums[id] = tracks } }

  func change(_ number: Int, _ body: (inout Track) -> Void) {
    state.mutex.withLock { state in
      var track = state.tracks[number] ?? Track(bytes: Self.content(number))
      body(&track)
      state.tracks[number] = track
    }
  }

  /// Opens the room's albums, always in the same folder.
  func open(
    retryDelay: Duration = .milliseconds(50), failureDelay: Duration = .milliseconds(50),
    locate: (@Sendable (QueueItem) throws -> Library.Locator)? = nil
  ) async -> OfflineAlbums {
    let (state, port) = (state, http.port)
    var context = OfflineContext(
      list: { id, _ in
        guard let tracks = state.mutex.withLock({ $0.albums[id] }) else {
          throw LunaraError("library.unknownID", "There is no \(id).")
        }
        return Library.PlayablePage(tracks: tracks, next: nil)
      },
      locate: { item in
        if let locate { return try locate(item) }
        return .url("http://127.0.0.1:\(port)/\(item.track.number ?? 0)?token=secret", headers: ["A": "b"])
      },
      connection: { state.mutex.withLock { $0.connection } },
      publish: { new in state.mutex.withLock { $0.published.append(new) } },
      free: { _ in state.mutex.withLock { $0.free } }, log: .quiet)
    context.retryDelay = retryDelay
    context.failureDelay = failureDelay
    context.connectionDelay = .milliseconds(50)
    let albums = OfflineAlbums(in: path, context)
    await albums.start()
    return albums
  }

  /// The names of the files in the folder that are no database.
  var files: [String] { Self.names(in: path) }

  private static func names(in folder: String) -> [String] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix("."), !name.hasPrefix("offline.sqlite") { names.append(name) }
    }
    return names.sorted()
  }

  private static func answer(
    _ request: HTTPServerRequest, _ shared: Shared, _ folder: String
  ) -> HTTPServerResponse {
    let number = Int(request.path.dropFirst()) ?? 0
    return shared.mutex.withLock { state in
      guard var track = state.tracks[number] else { return HTTPServerResponse(status: 404) }
      if request.header("If-None-Match") == track.version {
        state.asked.append(Asked(number: number, first: 0, isComparison: true))
        return HTTPServerResponse(status: 304)
      }
      var first = 0
      if let range = request.header("Range"), request.header("If-Range") == track.version {
        first = Int(range.dropFirst("bytes=".utf8.count).prefix { $0 != "-" }) ?? 0
      }
      state.asked.append(Asked(number: number, first: first, isComparison: false))
      if let refusal = track.refusal { return HTTPServerResponse(status: refusal) }
      var headers = [("Content-Type", "audio/flac")]
      if track.hasVersion { headers.append(("ETag", track.version)) }
      let total = track.statedLength ?? track.bytes.count
      if first > 0 { headers.append(("Content-Range", "bytes \(first)-\(total - 1)/\(total)")) }
      let status = first > 0 ? 206 : 200
      let rest = Array(track.bytes.dropFirst(first))
      if let held = track.held { return HTTPServerResponse(status: status, headers: headers, body: .stream(held)) }
      guard let cut = track.cuts.first ?? (track.statedLength == nil ? nil : rest.count) else {
        return HTTPServerResponse(status: status, headers: headers, body: .bytes(rest))
      }
      if !track.cuts.isEmpty { track.cuts.removeFirst() }
      state.tracks[number] = track
      let pieces = Mutex<[[UInt8]]>(cut > 0 ? [Array(rest.prefix(cut))] : [])
      let end = first + cut
      return HTTPServerResponse(
        status: status, headers: headers,
        body: .relayed(length: UInt64(max(0, total - first))) {
          if let piece = pieces.withLock({ $0.popLast() }) { return piece }
          // The server drops what it has not sent when it breaks off, so the room has to have all of it.
          while cut > 0, Self.received(in: folder) < end { try await Task.sleep(for: .milliseconds(2)) }
          throw LunaraError("test.cut", "The connection is cut.")
        })
    }
  }

  /// Returns the length of the longest file that is being fetched.
  private static func received(in folder: String) -> Int {
    names(in: folder).filter { $0.hasSuffix(".part") }.map { name in
      var status = stat()
      return stat("\(folder)/\(name)", &status) == 0 ? Int(status.st_size) : 0
    }.max() ?? 0
  }
}

extension OfflineAlbums {
  func add(_ ids: AlbumID..., pinned: Bool? = nil) async throws -> Playback.OfflineChange {
    try await add(Playback.AddOffline(ids: ids.map(\.playable), isPinned: pinned))
  }

  /// Returns what is said of an album; nil if it is not there.
  func album(_ id: AlbumID) async throws -> Playback.OfflineAlbum? {
    try await page(Playback.ListOffline()).albums.first { $0.id == id }
  }

  nonisolated func becomes(_ state: Playback.OfflineProgress, _ id: AlbumID) async throws -> Bool {
    try await eventually(equals: state) { try await self.album(id)?.state }
  }

  /// Returns the bytes of the copy of a track; nil if there is none.
  func copiedBytes(_ number: Int) async throws -> [UInt8]? {
    guard case .file(let path, _)? = await copy(of: .numbered(number), marks: false) else { return nil }
    let file = try #require(fopen(path.description, "re"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}
