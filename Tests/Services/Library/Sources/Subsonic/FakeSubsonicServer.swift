import Bus
import HTTP
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// A Subsonic server as a process, and a database for what is read from it.
final class FakeSubsonicServer: Sendable {
  let standIn: StandIn
  let http = HTTPClient(userAgent: "test/1")
  let database: Database
  let staging: StagingTable
  let tree: MusicTree
  private let home = TemporaryDirectory()

  /// `subsonic` is Lunara's own stand-in; `supysonic` is Debian's real server with the music of `tree`.
  init(
    _ name: String = "subsonic", _ arguments: [String] = ["--demo"], music: (MusicTree) async throws -> Void = { _ in }
  ) async throws {
    tree = try MusicTree()
    try await music(tree)
    let folder = String(decoding: tree.root, as: UTF8.self)
    standIn = try await StandIn(name, name == "supysonic" ? [folder] : arguments)
    database = try Database(
      at: "\(home.path)/library.sqlite", migrations: Journal.migrations + Catalogue.migrations)
    staging = StagingTable(database: database, source: "subsonic")
  }

  var base: String { "http://127.0.0.1:\(standIn.port)" }

  /// The credentials that the server accepts.
  var password: SubsonicSecret {
    .password(
      user: standIn.announced["user"]?.string ?? "", password: standIn.announced["password"]?.string ?? "")
  }

  func client(_ secret: SubsonicSecret? = nil, hasConsent: Bool = false) throws -> SubsonicClient {
    SubsonicClient(try SubsonicAddress(base), secret ?? password, hasConsent: hasConsent, http: http)
  }

  func server(_ secret: SubsonicSecret? = nil, forwardsPlays: Bool = false) throws -> SubsonicServer {
    SubsonicServer(client: try client(secret), forwardsPlays: forwardsPlays) { Timestamp(seconds: 1_800_000_000) }
  }

  /// Reads all sections, or these, and returns the mark of the reading.
  @discardableResult
  func read(_ server: SubsonicServer, _ scope: ReadScope = .everything, sections: [String]? = nil) async throws
    -> RefreshMark
  {
    try await staging.clear()
    let all = try await server.sections().map(\.key)
    return try await server.read(
      scope, since: nil, sections: sections ?? all, into: staging, progress: RefreshProgress())
  }

  func staged<Record: Decodable & Sendable>(_ kind: StagingTable.Kind, as type: Record.Type) async throws -> [Record] {
    let bodies: [[UInt8]] = try await database.read { transaction in
      try transaction.rows("SELECT body FROM staged WHERE kind = ? ORDER BY native", kind.rawValue) { try $0.value(0) }
    }
    return try bodies.map { try MessageCoding.decode(type, from: $0) }
  }

  func tracks() async throws -> [ServerTrack] { try await staged(.track, as: ServerTrack.self) }
  func albums() async throws -> [ServerAlbum] { try await staged(.album, as: ServerAlbum.self) }
  func artists() async throws -> [ServerArtist] { try await staged(.artist, as: ServerArtist.self) }

  func keys() async throws -> Int {
    try await database.read { transaction in
      try transaction.row(
        "SELECT count(*) FROM staged WHERE kind = ? AND native NOT LIKE '%:'", StagingTable.Kind.key.rawValue
      ) {
        try $0.value(0)
      }
        ?? 0
    }
  }

  /// Sends an order to the stand-in.
  @discardableResult
  func order(_ verb: String, _ json: String = "{}") async throws -> JSONView {
    let response = try await http.send(
      HTTPRequest(.changes, method: "POST", url: "\(base)/__control__/\(verb)", body: Array(json.utf8)))
    let text = String(decoding: response.body, as: UTF8.self)
    try #require(response.status == 200, "\(verb): \(text)")
    return try #require(JSONView(response.body), "\(verb): \(text)")
  }

  /// The methods that were called since the log was cleared.
  func asked() async throws -> [String] {
    try await order("log")["requests"]?.elements.compactMap { $0["path"]?.string }.filter { $0.hasPrefix("/rest/") }
      .map { String($0.dropFirst(6)) } ?? []
  }

  /// The reports of clients: their kind and the ids they name.
  func received() async throws -> [JSONView] { try await order("received").elements.filter { $0["what"] != nil } }
}

/// Returns the code of the error that a closure throws; nil where it throws none.
func code(_ body: () async throws -> Void) async throws -> String? {
  do {
    try await body()
    return nil
  } catch let error as LunaraError {
    return error.code
  }
}
