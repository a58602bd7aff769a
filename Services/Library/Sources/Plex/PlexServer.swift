import HTTP
import Messages
import Model

/// A Plex Media Server as a source of music.
struct PlexServer: MusicServer {
  let client: PlexClient
  /// The way in which the server counts plays.
  var counting = PlexCounting.byRequest
  /// The notifications of the server.
  let notifications: PlexNotifications
  /// The sections as they were a moment ago.
  let sectionCache = PlexSectionCache()

  init(client: PlexClient, counting: PlexCounting = .byRequest) {
    self.client = client
    self.counting = counting
    notifications = PlexNotifications(client: client)
  }

  func identify() async throws -> ServerIdentity {
    // At an address that was chosen among several it has been asked already, and is whenever that changes.
    if let machine = try await client.place.machine() { return ServerIdentity(machine: machine, name: client.name) }
    let container = try await client.page("/identity").page.container
    guard let machine = PlexRecords.text(container["machineIdentifier"]) else { throw PlexError.nonsense(client.name) }
    return ServerIdentity(machine: machine, name: client.name, version: container["version"]?.string)
  }

  func awaitChange() async throws { try await notifications.next() }

  func sections() async throws -> [ServerSection] { try await sectionCache.refresh(client).music }

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

/// The way in which a Plex server counts plays. That it also counts from the reports of what is played is not
/// documented and differs between versions, so exactly one way is meant to count.
enum PlexCounting: Sendable {
  /// A request of its own counts each listen; reports of what is played end at the start of the track, so that they
  /// count nothing.
  case byRequest
  /// The server counts from the reports alone.
  case byReports
}

/// Ratings, plays and reports of what is played, which are sent to the server.
extension PlexServer {
  private static let plugin = "com.plexapp.plugins.library"

  func rate(_ item: RatedItem, _ rating: Rating?) async throws {
    // -1 takes a rating away; 0 is one of no stars.
    let query = PlexQuery([
      "key": item.native, "identifier": Self.plugin, "rating": rating.map { "\($0.rawValue)" } ?? "-1",
    ])
    try await client.act("PUT", "/:/rate", query)
  }

  func playCount(of native: String) async throws -> Int? {
    let page = try await client.page("/library/metadata/\(PlexQuery.encoded(native))").page
    guard let row = page.rows.first else { throw PlexError.gone(client.name) }
    return row["viewCount"]?.integer.map { Int(clamping: $0) } ?? 0
  }

  /// Counts one more play. The server keeps the moment of the request, not that of the listen.
  func countPlay(of native: String, at time: Timestamp) async throws {
    guard counting == .byRequest else { return }
    try await client.act("PUT", "/:/scrobble", PlexQuery(["key": native, "identifier": Self.plugin]))
  }

  func report(_ report: NowPlayingReport) async throws {
    // If plays are counted by request, a stop reported near the end might count once more.
    let isSilent = counting == .byRequest && report.state == .stopped
    let time = isSilent ? 0 : max(0, report.position.rawValue)
    let query = PlexQuery([
      "ratingKey": report.native, "key": "/library/metadata/\(report.native)", "identifier": Self.plugin,
      "state": report.state.rawValue, "time": "\(time)", "duration": "\(max(0, report.duration.rawValue))",
      "continuing": "1", "hasMDE": "1",
    ])
    // Each room is a player of its own in the server's list.
    let room = report.room.rawValue
    var headers = [("X-Plex-Device-Name", "\(client.device.name) (\(room))")]
    if let listen = report.listen { headers.append(("X-Plex-Session-Identifier", listen.rawValue)) }
    try await client.act("POST", "/:/timeline", query, headers: headers)
  }
}
