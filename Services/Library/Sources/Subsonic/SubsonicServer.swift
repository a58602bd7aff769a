import HTTP
import Messages
import Model
import Text

/// A server that speaks the Subsonic interface, with or without what OpenSubsonic added: Navidrome, gonic, Airsonic,
/// supysonic and others.
struct SubsonicServer: MusicServer {
  let client: SubsonicClient
  /// Whether plays are told to the server. Off by itself: many servers scrobble what they are told, and Lunara
  /// scrobbles by itself.
  let forwardsPlays: Bool
  let now: @Sendable () -> Timestamp

  init(_ client: SubsonicClient, forwardsPlays: Bool = false, now: @escaping @Sendable () -> Timestamp = { .now() }) {
    self.client = client
    self.forwardsPlays = forwardsPlays
    self.now = now
  }

  /// Servers have no identity of their own: their address is it.
  func identify() async throws -> ServerIdentity {
    let way = try await client.way()
    // What was found out long ago may be wrong by now.
    _ = try await client.call("ping")
    let kind = way.type ?? "Subsonic"
    return ServerIdentity(
      machine: client.address.base, name: "\(kind) at \(client.server)", version: way.serverVersion ?? way.speaks)
  }

  /// The music folders; none where the server is too old to be asked about one of them (before 1.12).
  func sections() async throws -> [ServerSection] {
    guard try await client.way().speaks(atLeast: 12) else { return [] }
    let rows = try await client.call("getMusicFolders")["musicFolders"]?["musicFolder"]?.elements ?? []
    return rows.compactMap { row in
      guard let key = row["id"]?.string else { return nil }
      let title = row["name"]?.string?.normalised ?? key
      return ServerSection(key: key, title: title, isOnByDefault: !Self.isSpoken(title))
    }
  }

  private static func isSpoken(_ title: String) -> Bool {
    let title = title.folded
    return ["audiobook", "audio book", "podcast", "horbuch", "horspiel"].contains { title.contains($0) }
  }

  /// Nothing comes by itself.
  func awaitChange() async throws { while true { try await Task.sleep(for: .seconds(86400)) } }
}
