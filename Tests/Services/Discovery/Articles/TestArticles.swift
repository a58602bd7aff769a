import ServiceKit
import HTTP
import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// The service of articles with a shelf of a few albums, and one stand-in on loopback for MusicBrainz, Wikidata and
/// Wikipedia.
final class TestArticles: Sendable {
  /// The requests to the stand-in, and its answers.
  struct Script: Sendable {
    /// The requests as `/path` and, of Wikipedia, the language with what was asked for: `de search Night Lines`.
    var asked: [String] = []
    var agents: Set<String> = []
    /// The answers by the requests; what is not here is answered by an empty result.
    var answers: [String: HTTPServerResponse] = [:]
    /// The answer to everything; nil for those above.
    var always: HTTPServerResponse?
    /// True while the stand-in holds its answers back.
    var isHeld = false
    /// The number of requests that are being answered, and the most there were at a time.
    var (busy, mostBusy) = (0, 0)
  }

  let script = Mutex(Script())
  let now = Mutex(Timestamp(seconds: TestAlbums.now))
  /// The tracks of all albums in the library.
  let tracks = Mutex<[Track]>([])
  /// True while the library does not answer.
  let isLibraryAway = Mutex(false)
  let home = TemporaryDirectory()
  let database: Database
  let deadline: Duration
  private let server = Mutex<HTTPServer?>(nil)
  private let running = Mutex<ArticleService?>(nil)

  static let group = TestOutside.group(1)
  static let mbid = TestOutside.group(9)
  static let album = Discovery.ArticleSubject(album: AlbumID(source: "files", native: "a1"))
  static let untagged = Discovery.ArticleSubject(album: AlbumID(source: "files", native: "a2"))
  static let artist = Discovery.ArticleSubject(artist: ArtistID(source: "files", native: "r1"))
  static let guest = Discovery.ArticleSubject(artist: ArtistID(source: "files", native: "r9"))

  init(deadline: Duration = .seconds(30)) async throws {
    self.deadline = deadline
    database = try Database(at: "\(home.path)/discovery.sqlite", migrations: DiscoverySchema.migrations)
    try await shelve(group: Self.group)
    let started = try HTTPServer(address: "127.0.0.1", port: 0) { [weak self] request in
      await self?.answer(request) ?? HTTPServerResponse(status: 503)
    }
    server.withLock { $0 = started }
  }

  /// Fills the library with two albums of Nova Kessler; the first one has a release group.
  func shelve(group: String?) async throws {
    let shelf = OwnedAlbumStore(database: database)
    let taxonomy = try TestAlbums.taxonomy()
    let reading = try await shelf.beginReading()
    let albums = ["Night Lines", "Blue"].enumerated().map { number, title in
      Library.AlbumFeatures(
        id: AlbumID(source: "files", native: "a\(number + 1)"), title: title, artist: "Nova Kessler",
        artistID: Self.artist.artist, addedAt: Timestamp(seconds: TestAlbums.now),
        releaseGroup: number == 0 ? group : nil)
    }
    try await shelf.store(albums, run: reading.run, taxonomy)
    try await shelf.end(reading, generation: 1, at: Timestamp(seconds: TestAlbums.now), taxonomy)
  }

  private var address: String { "http://127.0.0.1:\(server.withLock { $0?.port } ?? 0)" }

  /// The service, which lives as long as nobody calls `restart`.
  var service: ArticleService {
    running.withLock { running in
      if let running { return running }
      let time: @Sendable () -> Timestamp = { [weak self] in
        self?.now.withLock { $0 } ?? Timestamp(seconds: TestAlbums.now)
      }
      let finder = ArticleFinder(
        musicBrainz: MusicBrainzClient(address: address, contact: "me@example.org", sleep: { _ in }),
        wikipedia: WikipediaClient(
          .init(wikipedia: "\(address)/LANG", wikidata: "\(address)/data"), contact: "me@example.org",
          deadline: deadline),
        readAlbum: { [weak self] id in try Self.page(of: self, id) },
        now: time)
      let service = ArticleService(
        store: ArticleStore(database: database), finder: finder, log: .quiet, now: time,
        readArtist: { [weak self] id in try Self.artistPage(of: self, id) })
      running = service
      return service
    }
  }

  private static func page(of articles: TestArticles?, _ id: AlbumID) throws -> Library.AlbumPage {
    guard let articles else { throw LunaraError("test.ended", "The test has ended.") }
    guard !articles.isLibraryAway.withLock({ $0 }) else { throw LunaraError("test.away", "The library is away.") }
    return Library.AlbumPage(
      album: Album(
        id: id, title: "Night Lines", artist: "Nova Kessler", trackCount: 1, duration: Milliseconds(1000),
        addedAt: Timestamp(seconds: TestAlbums.now)), tracks: articles.tracks.withLock { $0 })
  }

  private static func artistPage(of articles: TestArticles?, _ id: ArtistID) throws -> Library.ArtistPage {
    guard let articles else { throw LunaraError("test.ended", "The test has ended.") }
    guard !articles.isLibraryAway.withLock({ $0 }) else { throw LunaraError("test.away", "The library is away.") }
    guard id == guest.artist else { throw LunaraError("library.unknownID", "No.") }
    return Library.ArtistPage(
      artist: Artist(id: id, name: "A Guest", albumCount: 0, trackCount: 1), summary: nil, genres: [], albums: [])
  }

  private func answer(_ request: HTTPServerRequest) async -> HTTPServerResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    let name: String
    if parts.first == "ws" {
      name = request.path + (request.query["inc"].map { "?" + $0.replacing(" ", with: "+") } ?? "")
    } else if let titles = request.query["titles"] {
      name = "\(parts.first ?? "") page \(titles)"
    } else if let words = request.query["gsrsearch"] {
      name = "\(parts.first ?? "") search \(words)"
    } else {
      name = "data \(request.query["ids"] ?? "") \(request.query["sitefilter"] ?? "")"
    }
    let always = script.withLock { script in
      script.asked.append(name)
      script.agents.insert(request.header("User-Agent") ?? "")
      script.busy += 1
      script.mostBusy = max(script.mostBusy, script.busy)
      return script.always
    }
    _ = await eventually { script.withLock { !$0.isHeld } }
    return script.withLock { script in
      script.busy -= 1
      return always ?? script.answers[name] ?? HTTPServerResponse(text: #"{"batchcomplete":true}"#)
    }
  }

  // MARK: - Answers

  /// Has a request answered with JSON.
  func answers(_ name: String, _ json: String, status: Int = 200) {
    let answer = HTTPServerResponse(
      status: status, headers: [("Content-Type", "application/json")], body: .bytes(Array(json.utf8)))
    script.withLock { $0.answers[name] = answer }
  }

  /// Has MusicBrainz name an entity of Wikidata, and that the pages in these languages.
  func knows(_ path: String, _ entity: String, _ pages: [String: String], wanted: String = "enwiki", more: String = "")
  {
    answers(
      path,
      #"{"relations":[{"type":"discogs","url":{"resource":"https://www.discogs.com/1"}},"#
        + #"{"type":"wikidata","ended":false,"url":{"resource":"https://www.wikidata.org/wiki/\#(entity)"}}]\#(more)}"#)
    let links = pages.sorted { $0.key < $1.key }
      .map { #""\#($0.key)wiki":{"site":"\#($0.key)wiki","title":"\#($0.value)"}"# }
    answers(
      "data \(entity) \(wanted)",
      #"{"entities":{"\#(entity)":{"sitelinks":{\#(links.joined(separator: ","))}}},"success":1}"#)
  }

  /// A page as Wikipedia describes it.
  struct Page {
    var title: String
    var about: String?
    var text = "A text."
    var isDisambiguation = false
  }

  func has(_ name: String, _ pages: Page...) {
    let rows = pages.enumerated().map { index, page in
      let about = page.about.map { #","description":"\#($0)""# } ?? ""
      let props = page.isDisambiguation ? #","pageprops":{"disambiguation":""}"# : ""
      return
        #"{"pageid":\#(index + 1),"ns":0,"title":"\#(page.title)","index":\#(index + 1),"extract":"\#(page.text)"\#(about)\#(props)}"#
    }
    answers(name, #"{"batchcomplete":true,"query":{"pages":[\#(rows.joined(separator: ","))]}}"#)
  }

  // MARK: - Requests

  func switchOn(_ languages: [String]? = nil) async throws {
    _ = try await service.set(.init(isOn: true, languages: languages))
  }

  /// Has an article searched, and waits for its end.
  func found(
    _ subject: Discovery.ArticleSubject = TestArticles.album, again: Bool = false
  ) async throws -> Discovery.ArticleStatus {
    _ = try await service.find(.init(subject: subject, isAgain: again ? true : nil))
    return try await ended(subject)
  }

  func chosen(
    _ page: Discovery.ArticleGuess?, _ subject: Discovery.ArticleSubject = TestArticles.untagged
  ) async throws -> Discovery.ArticleStatus {
    _ = try await service.choose(.init(subject: subject, page: page))
    return try await ended(subject)
  }

  func ended(_ subject: Discovery.ArticleSubject = TestArticles.album) async throws -> Discovery.ArticleStatus {
    _ = try await eventually(equals: false) { try await service.read(.init(subject: subject)).isBeingSearched }
    return try await service.read(.init(subject: subject))
  }

  var asked: [String] { script.withLock { $0.asked } }

  /// Returns the error of a request.
  func refusal(_ body: (ArticleService) async throws -> Void) async -> LunaraError? {
    do { try await body(service) } catch { return LunaraError(error) }
    return nil
  }

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
