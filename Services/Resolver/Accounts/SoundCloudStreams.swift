import HTTP
import Messages
import Model

/// Gives rooms the music of tracks that plugins found at services where somebody is signed in: SoundCloud's is read by
/// a room, Spotify's sounds on a device of Spotify alone.
struct SoundCloudStreams: Sendable {
  /// The time for which an address of SoundCloud is used before it is asked for again.
  private static let lifetime = Milliseconds(600_000)

  let accounts: PluginAccounts
  let caller: AccountCaller?

  init(accounts: PluginAccounts, http: HTTPClient) {
    self.accounts = accounts
    caller = accounts.service(AccountService.soundCloud).map {
      AccountCaller(accounts: accounts, http: http, service: $0)
    }
  }

  /// Returns the way in which what a plugin found sounds by an account; nil if the plugin itself decides.
  func kind(of found: FoundTrack, by plugin: PluginRegistry.Usable) -> Resolver.SourceKind? {
    guard plugin.hasAccount, accounts.isSignedIn(plugin.file.id) else { return nil }
    switch plugin.file.id {
    case AccountService.spotify: return .device
    case AccountService.soundCloud: return Self.reference(of: found) == nil ? nil : .stream
    default: return nil
    }
  }

  /// Returns the address at which a room can play what a plugin found; nil if the plugin itself is asked for it.
  ///
  /// - Throws: `resolver.linkOnly` for a track that sounds on a device of Spotify only; `resolver.signedOut`,
  ///   `resolver.accountAway`, `resolver.noStream`.
  func stream(of found: FoundTrack, by plugin: PluginRegistry.Usable) async throws -> StreamAddress? {
    switch kind(of: found, by: plugin) {
    case .device:
      // Its plugin's `play` would let a device of the person sound instead of the room.
      throw LunaraError(
        "resolver.linkOnly",
        "\(plugin.file.name) sounds on a device of your own, not in a room: `lunara play --on spotify` plays it there.")
    case .stream:
      guard let caller, let reference = Self.reference(of: found) else { return nil }
      return try await stream(of: try await trackID(reference, caller), caller)
    default: return nil
    }
  }

  private enum Reference: Hashable {
    case id(String)
    case page(String)
  }

  /// The id of a track at SoundCloud, or else its page.
  private static func reference(of found: FoundTrack) -> Reference? {
    let ids = [found.own["soundcloudId"]?.string, found.own["soundcloudID"]?.string]
    if let id = ids.lazy.compactMap({ $0 }).first(where: isID) { return .id(id) }
    let page = SourceAnswers.address(found.own["soundcloudUrl"]) ?? found.page
    guard let page, let host = Origin(page)?.host, host == "soundcloud.com" || host.hasSuffix(".soundcloud.com") else {
      return nil
    }
    return .page(page)
  }

  private static func isID(_ text: String) -> Bool {
    (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
  }

  private func trackID(_ reference: Reference, _ caller: AccountCaller) async throws -> String {
    switch reference {
    case .id(let id): return id
    case .page(let page):
      let response = try await caller.send(.reads, "GET", "/resolve?url=\(PercentCoding.encode(page))")
      guard response.status == 200, let view = JSONView(response.body), view["kind"]?.string ?? "track" == "track",
        let id = view["id"]?.string, Self.isID(id)
      else { throw noStream("it does not know the address \(page) as a track") }
      return id
    }
  }

  /// Returns the address of a track: where `/stream` sends to, or else the MP3 that `/streams` names.
  private func stream(of id: String, _ caller: AccountCaller) async throws -> StreamAddress {
    if let stream = try await address(at: "\(caller.service.api)/tracks/\(id)/stream", caller) { return stream }
    let response = try await caller.send(.reads, "GET", "/tracks/\(id)/streams")
    guard response.status == 200,
      let url = JSONView(response.body)?["http_mp3_128_url"]?.string, let origin = Origin(url), url.utf8.count <= 8192,
      url.utf8.allSatisfy({ $0 > 32 && $0 != 127 })
    else { throw noStream("it gives no MP3 of this track to your account (it answered \(response.status))") }
    // The account's token goes to SoundCloud's own interface and to no other server.
    guard origin == Origin(caller.service.api) else {
      return StreamAddress(url: url, headers: [:], expiresIn: Self.lifetime)
    }
    guard let stream = try await address(at: url, caller) else {
      throw noStream("the address that it names for this track gives no music")
    }
    return stream
  }

  /// Asks SoundCloud's interface for music. Returns where it redirects to, which needs no token, or else its own
  /// address with the token; nil if it gives none.
  private func address(at url: String, _ caller: AccountCaller) async throws -> StreamAddress? {
    let (status, location) = try await caller.head(url)
    if (300..<400).contains(status), let location, let target = Origin(location) {
      let isOwn = target == Origin(caller.service.api)
      return StreamAddress(
        url: location, headers: isOwn ? try await headers(caller) : [:], expiresIn: Self.lifetime)
    }
    guard (200..<300).contains(status) else { return nil }
    return StreamAddress(url: url, headers: try await headers(caller), expiresIn: Self.lifetime)
  }

  private func headers(_ caller: AccountCaller) async throws -> [String: String] {
    let (name, value) = try await caller.header()
    return [name: value]
  }

  private func noStream(_ reason: String) -> LunaraError {
    LunaraError("resolver.noStream", "SoundCloud gives no music: \(reason).")
  }
}
