import HTTP
import Messages
import Model
import Storage
import Synchronization
import TestSupport

@testable import Discovery

/// Stand-ins for the sources outside: answers in the documented shapes, which a test replaces by others. MusicBrainz is
/// a server on loopback.
final class TestOutside: Sendable {
  /// The answers by path or method.
  let answers = Mutex<[String: Scrobble.ServiceAnswer]>([:])
  /// The requests to scrobble services, and the paths that MusicBrainz was asked for.
  let asked = Mutex<[Scrobble.ReadFromService]>([])
  let paths = Mutex<[String]>([])
  /// The answers of MusicBrainz by the beginning of the path.
  let musicBrainz = Mutex<[String: HTTPServerResponse]>([:])
  let agents = Mutex<Set<String>>([])
  /// The number of requests after which MusicBrainz is asked nothing more; nil for no such number.
  let holdsAfter = Mutex<Int?>(nil)
  /// The albums that a server names as similar to any.
  let similar = Mutex<[AlbumID]>([])
  /// The albums whose server is away.
  let away = Mutex<Set<AlbumID>>([])
  /// The albums that have left the library.
  let departed = Mutex<Set<AlbumID>>([])
  /// The albums in music folders, for which no server is asked.
  let inFolders = Mutex<Set<AlbumID>>([])
  private let server = Mutex<HTTPServer?>(nil)

  init() throws {
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { [weak self] request in
      guard let self else { return HTTPServerResponse(status: 500) }
      let path = request.path + (request.query["artist"].map { "?artist=\($0)" } ?? "")
      paths.withLock { $0.append(path) }
      agents.withLock { _ = $0.insert(request.header("User-Agent") ?? "") }
      return musicBrainz.withLock { answers in answers.first { path.hasPrefix($0.key) }?.value }
        ?? HTTPServerResponse(status: 404, text: "{}")
    }
    self.server.withLock { $0 = server }
  }

  func stop() async { await server.withLock { $0 }?.stop() }

  var access: OutsideAccess {
    OutsideAccess(
      scrobbler: { [weak self] request in
        guard let self else { throw LunaraError("test.ended", "The test has ended.") }
        asked.withLock { $0.append(request) }
        guard let answer = answers.withLock({ $0[request.path] }) else {
          throw LunaraError("scrobble.serviceAway", "api.listenbrainz.org does not answer now.")
        }
        return answer
      }, accounts: { ["listenbrainz"] },
      similar: { [weak self] request in
        if self?.away.withLock({ $0.contains(request.id) }) == true {
          throw LunaraError("library.sourceAway", "The server does not answer.")
        }
        if self?.departed.withLock({ $0.contains(request.id) }) == true {
          throw LunaraError("library.unknownID", "The library has no such album.")
        }
        guard self?.inFolders.withLock({ $0.contains(request.id) }) == false else { return .init(albums: []) }
        return Library.SimilarAlbums(albums: self?.similar.withLock { $0 } ?? [])
      },
      musicBrainz: MusicBrainzClient(
        address: "http://127.0.0.1:\(server.withLock { $0?.port ?? 0 })", contact: "me@example.org",
        sleep: { [weak self] _ in
          guard let self, let most = holdsAfter.withLock({ $0 }), paths.withLock({ $0.count }) >= most else { return }
          // Nothing comes from this stream, so it ends when the reading is cancelled.
          let (stream, continuation) = AsyncStream<Void>.makeStream()
          for await _ in stream {}
          continuation.finish()
          try Task.checkCancellation()
        }))
  }

  /// Creates a household with four albums of three artists, the first of them liked.
  static func house(in folder: String) async throws -> HouseAlbums {
    let database = try Database(at: "\(folder)/discovery.sqlite", migrations: DiscoverySchema.migrations)
    let taxonomy = try TestAlbums.taxonomy()
    let store = OwnedAlbumStore(database: database)
    let reading = try await store.beginReading()
    var albums = albums(4)
    for number in albums.indices { albums[number].plays = 4 - number }
    albums[0].rating = Rating(rawValue: 10)
    albums[3].artist = "Artist 2"
    try await store.store(albums, run: reading.run, taxonomy)
    try await store.end(reading, generation: 1, at: Timestamp(seconds: TestAlbums.now), taxonomy)
    return HouseAlbums(database: database, taxonomy: taxonomy)
  }

  /// Sets the JSON with which a path or method answers.
  func answer(_ path: String, _ json: String, status: Int = 200) {
    answers.withLock { $0[path] = Scrobble.ServiceAnswer(status: status, body: json) }
  }

  /// Returns the release group of the album of a number.
  static func group(_ number: Int) -> String {
    let digits = String(number)
    return "f32fab67-77dd-3937-addc-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Returns the albums of a household, each with a release group.
  static func albums(_ count: Int) -> [Library.AlbumFeatures] {
    TestDiscovery.albums(count).enumerated().map { number, album in
      var album = album
      album.releaseGroup = group(number)
      return album
    }
  }

  /// Returns release groups as ListenBrainz's statistics list them.
  static func statistics(_ rows: [(group: String?, title: String, artist: String, listens: Int)]) -> String {
    let list = rows.map { row in
      #"{"release_group_mbid":\#(row.group.map { "\"\($0)\"" } ?? "null"),"release_group_name":"\#(row.title)","artist_name":"\#(row.artist)","artist_mbids":[],"listen_count":\#(row.listens),"caa_release_mbid":null}"#
    }
    return #"{"payload":{"release_groups":[\#(list.joined(separator: ","))],"count":\#(rows.count)}}"#
  }
}
