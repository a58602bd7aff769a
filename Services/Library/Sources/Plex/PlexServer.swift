import HTTP
import Messages
import Model

/// A Plex Media Server as a source of music.
struct PlexServer: MusicServer {
  /// The word for servers of this kind.
  static let kind = "plex"

  let client: PlexClient
  /// How plays come to be counted there.
  var counting = PlexCounting.byRequest
  /// What the server tells by itself.
  let news: PlexNotifications
  /// The sections as they were a moment ago.
  let glance = PlexSectionCache()

  init(client: PlexClient, counting: PlexCounting = .byRequest) {
    self.client = client
    self.counting = counting
    news = PlexNotifications(client: client)
  }

  func identify() async throws -> ServerIdentity {
    // At an address that was chosen among several it has been asked already, and is whenever that changes.
    if let machine = try await client.place.machine() { return ServerIdentity(machine: machine, name: client.name) }
    let container = try await client.page("/identity").page.container
    guard let machine = PlexRecords.text(container["machineIdentifier"]) else { throw PlexError.nonsense(client.name) }
    return ServerIdentity(machine: machine, name: client.name, version: container["version"]?.string)
  }

  func sections() async throws -> [ServerSection] { try await glance.look(client).music }

  func item(_ native: String) async throws -> ServerItem? {
    let query = PlexQuery(["includeGuids": "1"])
    let path = "/library/metadata/\(PlexQuery.encoded(native))"
    let page: PlexPage
    do { page = try await client.page(path, query).page } catch let error as LunaraError
      where error.code == "library.gone"
    { return nil }
    guard let row = page.rows.first else { return nil }
    let section = PlexRecords.text(row["librarySectionID"] ?? page.container["librarySectionID"])
    switch row["type"]?.string {
    case "artist": return PlexRecords.artist(row, section: section).map { .artist($0) }
    case "track": return PlexRecords.track(row, section: section).map { .track($0) }
    case "album":
      guard let album = PlexRecords.album(row, section: section) else { return nil }
      let tracks = try await client.page("\(path)/children", query.with("excludeAllLeaves", "1")).page.rows
      return .album(album, tracks.compactMap { PlexRecords.track($0, section: section) })
    default: return nil
    }
  }
}

/// How plays come to be counted at a Plex server. Whether it also counts from the reports of what is played is not told
/// and differs between versions, so exactly one way is meant to count.
enum PlexCounting: Sendable {
  /// By a request of its own for each listen that counted; reports of what is played end at the start of the track, so
  /// that they count nothing.
  case byRequest
  /// By the server, from the reports alone.
  case byReports
}
