import Messages
import Model

/// What is told to the server: ratings, plays, what a room does.
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
    // Where plays are counted by request, an end that is told as being near the end might count once more.
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
