import HTTP
import Messages
import Model
import Records
import ServiceKit

/// A Plex Media Server as a source of music.
struct PlexServer: MusicServer {
  let client: PlexClient
  let notifications: PlexNotifications
  /// The last answer about sections, for a moment.
  let sectionCache = PlexSectionCache()

  init(client: PlexClient) {
    self.client = client
    notifications = PlexNotifications(client: client)
  }

  func identify() async throws -> ServerIdentity {
    if await notifications.isAlive, let machine = await client.endpoint.confirm() {
      return ServerIdentity(machine: machine, name: client.name)
    }
    let machine = try await client.retrying { try await client.endpoint.machine() }
    return ServerIdentity(machine: machine, name: client.name)
  }

  func expect(_ machine: String) async { await client.endpoint.expect(machine) }

  func expecting(_ machine: String) -> any MusicServer {
    var client = client
    client.endpoint = client.endpoint.expecting(machine)
    return PlexServer(client: client)
  }

  func awaitChange() async throws { try await notifications.next() }

  func sections() async throws -> [ServerSection] { try await sectionCache.refresh(client).all }

  func item(_ native: String) async throws -> ServerItem? {
    let query = PlexQuery(["includeGuids": "1"])
    let path = "/library/metadata/\(PlexQuery.encoded(native))"
    let page: PlexPage
    do { page = try await client.page(path, query).page } catch let error as LunaraError
      where error.code == "library.gone"
    { return nil }
    guard let row = page.rows.first else { return nil }
    let section = (row["librarySectionID"] ?? page.container["librarySectionID"])?.text
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

/// Ratings, plays and now-playing reports, which are sent to the server.
///
/// Some versions also count a play from the report of a stop near the end, which is not documented. Each listen is
/// counted by a request of its own, so such a stop is reported at a position before which no version counts.
extension PlexServer {
  private static let plugin = "com.plexapp.plugins.library"

  func rate(_ item: RatedItem, _ rating: Rating?) async throws {
    // -1 removes a rating; 0 would be a rating of no stars.
    let query = PlexQuery([
      "key": item.native, "identifier": Self.plugin, "rating": rating.map { "\($0.rawValue)" } ?? "-1",
    ])
    try await client.request(.changes, "PUT", "/:/rate", query)
  }

  /// Rates the album with five stars where it has no rating.
  func like(album native: String) async throws {
    let page = try await client.page("/library/metadata/\(PlexQuery.encoded(native))").page
    guard let row = page.rows.first else { throw SourceError.gone(client.name) }
    guard (row["userRating"]?.number ?? 0) <= 0 else { return }
    try await rate(.album(native), Rating(rawValue: 10))
  }

  func playCount(of native: String) async throws -> Int? {
    let page = try await client.page("/library/metadata/\(PlexQuery.encoded(native))").page
    guard let row = page.rows.first else { throw SourceError.gone(client.name) }
    return row["viewCount"]?.integer.map { Int(clamping: $0) } ?? 0
  }

  /// Counts one more play. The server stores the time of the request, not that of the listen.
  func countPlay(of native: String, at time: Timestamp) async throws {
    try await client.request(.changes, "PUT", "/:/scrobble", PlexQuery(["key": native, "identifier": Self.plugin]))
  }

  func report(_ report: NowPlayingReport) async throws {
    let duration = max(0, report.duration.rawValue)
    var time = max(0, report.position.rawValue)
    // Servers count from nine tenths on.
    if report.state == .stopped, duration > 0 { time = min(time, max(0, duration / 10 * 9 - 1)) }
    var query = PlexQuery([
      "ratingKey": report.native, "key": "/library/metadata/\(report.native)", "identifier": Self.plugin,
      "state": report.state.rawValue, "time": "\(time)", "duration": "\(duration)", "hasMDE": "1",
    ])
    if report.isContinuing { query.add("continuing", "1") }
    // Each room is a player of its own in the server's list.
    let room = report.room.rawValue
    var headers = [("X-Plex-Device-Name", "\(client.device.name) (\(room))")]
    if let listen = report.listen { headers.append(("X-Plex-Session-Identifier", listen.rawValue)) }
    try await client.request(.changes, "POST", "/:/timeline", query, headers: headers)
  }
}

/// Plex as a kind of source.
extension PlexServer {
  static let kind = sourceKind.kind

  static let sourceKind = Library.SourceKind.plex

  /// The prefix of the address of an account's server: the rest is its machine id, and its network address is the one
  /// that answers.
  private static let accountPrefix = "account:"

  /// Returns the description of Plex; all its servers share one set of credentials.
  static func descriptor(in environment: SourceKinds.Environment) -> SourceDescriptor {
    let credentials = PlexCredentialStore(
      store: environment.credentials, http: environment.http, log: environment.log)
    let (cloud, log) = (environment.settings["LUNARA_PLEX_CLOUD"], environment.log)
    return SourceDescriptor(
      sourceKind,
      sendsOfLikes: "A like rates the album with five stars on its Plex server, if it has no rating there.",
      settings: environment.settings, baseAddress: PlexAddress.base(of:),
      account: { PlexAccount(credentials: credentials, cloudBase: cloud, log: log, adopt: $0) },
      connect: { try server(of: $0, secret: $1, credentials) })
  }

  private static func server(
    of record: SourceRecord, secret: String?, _ credentials: PlexCredentialStore
  ) throws -> PlexServer {
    guard let address = record.address else { throw SourceError.badAddress(kind, "") }
    guard let machine = machine(in: address) else {
      _ = try PlexAddress.base(of: address)
      return try credentials.server(at: address, token: secret, machine: record.machine)
    }
    guard let server = try credentials.server(machine) else {
      throw PlexError.signedOut("The Plex server of the source \(record.name)")
    }
    return server
  }

  /// Returns the address of an account's server.
  static func address(of machine: String) -> String { accountPrefix + machine }

  private static func machine(in address: String) -> String? {
    address.hasPrefix(accountPrefix) ? String(address.dropFirst(accountPrefix.count)) : nil
  }
}
