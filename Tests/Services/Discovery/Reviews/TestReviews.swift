import HTTP
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// The service of reviews with a shelf of three albums, and a stand-in for the endpoint on loopback.
final class TestReviews: Sendable {
  /// The requests to the stand-in, and its answers.
  struct Script: Sendable {
    var requests: [HTTPServerRequest] = []
    /// The answers in their order; the last one is given again and again.
    var answers: [HTTPServerResponse] = []
    /// True while the stand-in holds its answers back.
    var isHeld = false
    /// The number of requests that are being answered, and the most there were at a time.
    var (busy, mostBusy) = (0, 0)
  }

  let script = Mutex(Script())
  let now = Mutex(Timestamp(seconds: TestAlbums.now))
  let page = Mutex(TestReviews.album)
  let home = TemporaryDirectory()
  let http = HTTPClient(userAgent: "Lunara/test")
  let database: Database
  let deadline: Duration
  private let server = Mutex<HTTPServer?>(nil)
  private let running = Mutex<ReviewService?>(nil)

  static let ids = (1...3).map { AlbumID(source: "files", native: "a\($0)") }

  static let album = Library.AlbumPage(
    album: Album(
      id: ids[0], title: "Night Lines", artist: "Nova Kessler", year: 1998, genres: ["Jazz", "Fusion"], trackCount: 3,
      duration: Milliseconds(1000), addedAt: Timestamp(seconds: TestAlbums.now)),
    tracks: ["Tram at Night", "Blue Hour", "Depot"].map { title in
      Track(
        id: TrackID(source: "files", native: title), albumID: ids[0], title: title, artist: "Nova Kessler",
        albumArtist: "Nova Kessler", album: "Night Lines", duration: Milliseconds(1000))
    }, facts: AlbumFacts(labels: ["Small Hours"]))

  /// The answer of a model that does all that it was told.
  static let good = """
    {"summary": "Her second album came as clubs grew quiet. It turned tram noise into rhythm.",
     "points": ["The bass leads.", "Two drummers share one kit.", "Later bands took over its slow pulse."],
     "rating": null, "label": "Quiet Masterwork", "key_tracks": ["Tram At Night", "Depot", "blue hour"]}
    """

  init(deadline: Duration = .seconds(30)) async throws {
    self.deadline = deadline
    database = try Database(at: "\(home.path)/discovery.sqlite", migrations: DiscoverySchema.migrations)
    try await shelve()
    server.withLock { $0 = nil }
    let started = try HTTPServer(address: "127.0.0.1", port: 0) { [weak self] request in
      await self?.answer(request) ?? HTTPServerResponse(status: 503)
    }
    server.withLock { $0 = started }
  }

  /// Reads three albums into the database, as from the library.
  func shelve() async throws {
    let shelf = OwnedAlbumStore(database: database)
    let taxonomy = try TestAlbums.taxonomy()
    let reading = try await shelf.beginReading()
    let albums = Self.ids.enumerated().map { number, id in
      Library.AlbumFeatures(
        id: id, title: number == 0 ? "Night Lines" : "Album \(number)", artist: "Nova Kessler",
        addedAt: Timestamp(seconds: TestAlbums.now))
    }
    try await shelf.store(albums, run: reading.run, taxonomy)
    try await shelf.end(reading, generation: 1, at: Timestamp(seconds: TestAlbums.now), taxonomy)
  }

  /// The base address of the stand-in.
  var address: String { "http://127.0.0.1:\(server.withLock { $0?.port } ?? 0)/v1" }

  /// The service, which lives as long as nobody calls `restart`.
  var service: ReviewService {
    running.withLock { running in
      if let running { return running }
      let service = ReviewService(
        store: ReviewStore(database: database), credentials: CredentialStore(home: home.path), http: http, log: .quiet,
        deadline: deadline, now: { [weak self] in self?.now.withLock { $0 } ?? Timestamp(seconds: TestAlbums.now) },
        readAlbum: { [weak self] _ in self?.page.withLock { $0 } ?? Self.album })
      running = service
      return service
    }
  }

  private func answer(_ request: HTTPServerRequest) async -> HTTPServerResponse {
    script.withLock { script in
      script.requests.append(request)
      script.busy += 1
      script.mostBusy = max(script.mostBusy, script.busy)
    }
    _ = await eventually { script.withLock { !$0.isHeld } }
    return script.withLock { script in
      script.busy -= 1
      guard let first = script.answers.first else { return HTTPServerResponse(status: 404) }
      if script.answers.count > 1 { script.answers.removeFirst() }
      return first
    }
  }

  /// Makes the answer of an endpoint with a text of a model.
  static func completion(_ text: String, finish: String = "stop", more: String = "") throws -> HTTPServerResponse {
    let content = String(decoding: try MessageCoding.encode(text), as: UTF8.self)
    let choice =
      #"{"index":0,"finish_reason":"\#(finish)","message":{"role":"assistant","content":\#(content)\#(more)}}"#
    return HTTPServerResponse(text: #"{"id":"c1","choices":[\#(choice)]}"#, contentType: "application/json")
  }

  /// Sets what the stand-in answers from now on.
  func answers(_ answers: HTTPServerResponse...) { script.withLock { $0.answers = answers } }
  func says(_ texts: String...) throws {
    let answers = try texts.map { try Self.completion($0) }
    script.withLock { $0.answers = answers }
  }

  /// Switches reviews on with the stand-in.
  @discardableResult
  func switchOn(key: String? = nil, cap: Int? = nil) async throws -> Discovery.ReviewSettings {
    try await service.set(.init(endpoint: address, model: "small", key: key, dailyCap: cap))
  }

  /// Has a review made, and waits for its end.
  func made(_ album: AlbumID = TestReviews.ids[0], again: Bool = false) async throws -> Discovery.ReviewStatus {
    _ = try await service.make(.init(album: album, isAgain: again ? true : nil))
    return try await ended(album)
  }

  func ended(_ album: AlbumID = TestReviews.ids[0]) async throws -> Discovery.ReviewStatus {
    _ = try await eventually(equals: false) { try await service.read(.init(album: album)).isBeingMade }
    return try await service.read(.init(album: album))
  }

  /// Waits until the stand-in has got so many requests.
  func asked(_ count: Int) async -> Bool {
    await eventually(atLeast: count) { script.withLock { $0.requests.count } }
  }

  var requests: [HTTPServerRequest] { script.withLock { $0.requests } }

  /// Ends the service and starts another one with the same database.
  func restart() async {
    let former = running.withLock { running in
      defer { running = nil }
      return running
    }
    await former?.stop()
  }

  func close() async {
    script.withLock { $0.isHeld = false }
    await restart()
    let stopping = server.withLock { $0 }
    await stopping?.stop()
    await database.close()
  }
}
