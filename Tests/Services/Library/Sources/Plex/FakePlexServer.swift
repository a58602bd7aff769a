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

/// A stand-in for a Plex server, with a client of it and a database for what is read from it.
final class FakePlexServer: Sendable {
  let standIn: StandIn
  let http = HTTPClient(userAgent: "test/1")
  let server: PlexServer
  let database: Database
  let staging: StagingTable
  private let home = TemporaryDirectory()

  static let device = PlexDevice(identifier: "lunara-test")

  /// With `isChosen` the client chooses among the server's addresses; otherwise it uses one that a person typed.
  init(
    _ arguments: [String] = ["--demo"], token: String? = nil,
    isChosen: Bool = false
  ) async throws {
    standIn = try await StandIn("plex", arguments)
    let secret = try token ?? #require(standIn.announced["token"]?.string)
    let base = "http://127.0.0.1:\(standIn.port)"
    // One check of the machine counts for the whole test.
    var endpoint: any PlexEndpoint = PlexTypedEndpoint(PlexAddress(base), http: http, lifetime: .seconds(3600))
    if isChosen {
      endpoint = PlexConnection(
        http: http, name: "Nas", machine: try #require(standIn.announced["machineIdentifier"]?.string),
        places: [.init(url: base, kind: .local)], lastGood: nil, lifetime: .seconds(3600))
    }
    server = PlexServer(client: Self.client(http, endpoint, token: secret))
    database = try Database(
      at: "\(home.path)/library.sqlite", migrations: Journal.migrations + Catalogue.migrations)
    staging = StagingTable(database: database, source: "plex")
  }

  /// A client that does not pause between its tries.
  static func client(_ http: HTTPClient, _ base: String, token: String?) -> PlexClient {
    client(http, PlexTypedEndpoint(PlexAddress(base), http: http), token: token)
  }

  private static func client(_ http: HTTPClient, _ endpoint: any PlexEndpoint, token: String?) -> PlexClient {
    PlexClient(
      name: "Nas", http: http, device: device, token: PlexSecret(token), endpoint: endpoint,
      pause: { _ in await Task.yield() })
  }

  /// Sends an order to the stand-in.
  @discardableResult
  func order(_ verb: String, _ json: String = "{}") async throws -> JSONView {
    let response = try await http.send(
      HTTPRequest(
        .changes, method: "POST", url: "http://127.0.0.1:\(standIn.port)/__control__/\(verb)", body: Array(json.utf8)))
    let text = String(decoding: response.body, as: UTF8.self)
    try #require(response.status == 200, "\(verb): \(text)")
    return try #require(JSONView(response.body), "\(verb): \(text)")
  }

  /// The requests since the log was cleared, as `GET /path?query`.
  func asked() async throws -> [String] {
    try await order("log")["requests"]?.elements.map { row in
      "\(row["method"]?.string ?? "") \(row["path"]?.string ?? "")?\(row["query"]?.string ?? "")"
    }.filter { !$0.contains("__control__") } ?? []
  }

  /// Returns the server's id of the item with this title.
  func key(_ title: String, _ kind: String = "track") async throws -> String {
    let found = try await order("find", #"{"title":"\#(title)","kind":"\#(kind)"}"#)
    return try #require(found.elements.first?["key"]?.string, "no \(kind) \(title)")
  }

  /// Reads the server into an empty staging table.
  func read(
    _ scope: ReadScope, since mark: RefreshMark? = nil, sections: [String] = ["1"],
    _ progress: RefreshProgress = RefreshProgress()
  ) async throws -> RefreshMark {
    try await staging.clear()
    return try await server.read(scope, since: mark, sections: sections, into: staging, progress: progress)
  }

  func staged<Record: Decodable & Sendable>(_ type: Record.Type, _ kind: StagingTable.Kind) async throws -> [Record] {
    try await database.read { transaction in
      try transaction.rows("SELECT body FROM staged WHERE kind = ? ORDER BY native", kind.rawValue) { row in
        try MessageCoding.decode(Record.self, from: try row.value(0) as [UInt8])
      }
    }
  }

  func tracks() async throws -> [ServerTrack] { try await staged(ServerTrack.self, .track) }
  func albums() async throws -> [ServerAlbum] { try await staged(ServerAlbum.self, .album) }

  func keys() async throws -> [String] {
    try await database.read { transaction in
      try transaction.rows(
        "SELECT native FROM staged WHERE kind = ? AND native NOT LIKE '%:' ORDER BY native",
        StagingTable.Kind.key.rawValue
      ) {
        try $0.value(0)
      }
    }
  }
}

/// Runs a closure and gives the code of the `LunaraError` it throws; nil where it throws none.
func refusal(_ body: () async throws -> Void) async -> String? {
  do { try await body() } catch { return LunaraError(error).code }
  return nil
}
