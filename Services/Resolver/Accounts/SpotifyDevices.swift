import HTTP
import Messages
import Model
import Plugins

/// Plays on a Spotify device of the person. The sound comes from that device, with the person's program and account.
struct SpotifyDevices: Sendable {
  /// The pause after a device was made the active one: it needs a moment until it takes the order to play.
  private static let transferPause = Duration.seconds(1)

  private let caller: AccountCaller
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Returns: nil if Spotify is no service here.
  init?(
    accounts: PluginAccounts, http: HTTPClient,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    guard let service = accounts.service(AccountService.spotify) else { return nil }
    // A token that was refused is refreshed at once, and again after two seconds.
    caller = AccountCaller(
      accounts: accounts, http: http, service: service, pauses: [.zero, .seconds(2)], sleep: sleep)
    self.sleep = sleep
  }

  /// Returns the devices of the account, in Spotify's order.
  ///
  /// - Throws: `resolver.signedOut`, `resolver.accountAway`, `resolver.deviceRefused`.
  func list() async throws -> [Resolver.Device] {
    let response = try await caller.send(.reads, "GET", "/v1/me/player/devices")
    try check(response)
    guard let view = JSONView(response.body)?["devices"] else {
      throw AccountError.away(caller.service, "its answer cannot be read")
    }
    return view.elements.prefix(50).compactMap { one in
      guard let id = one["id"]?.string, !id.isEmpty, id.utf8.count <= 200 else { return nil }
      return Resolver.Device(
        id: id, name: one["name"]?.string.flatMap { PluginManifest.cleaned($0, 100) } ?? id,
        kind: one["type"]?.string.flatMap { PluginManifest.cleaned($0, 40) }?.lowercased() ?? "unknown",
        isActive: one["is_active"]?.isTrue ?? false, isRestricted: one["is_restricted"]?.isTrue ?? false)
    }
  }

  /// Chooses the device that plays where a person names none: among those that take orders a computer, else a phone, a
  /// speaker, the active one, any; a page in a browser only if there is nothing else.
  static func choose(_ devices: [Resolver.Device]) -> Resolver.Device? {
    let free = devices.filter { !$0.isRestricted }
    let all = free.isEmpty ? devices : free
    func isPage(_ device: Resolver.Device) -> Bool { device.name.lowercased().contains("web player") }
    let programs = all.filter { !isPage($0) }
    for kind in ["computer", "smartphone", "speaker"] {
      if let device = programs.first(where: { $0.kind == kind }) { return device }
    }
    return programs.first(where: \.isActive) ?? programs.first ?? all.first
  }

  /// Returns the device with this id or name; the chosen one for nil.
  ///
  /// - Throws: `resolver.noDevices`, `resolver.unknownDevice`.
  static func device(_ name: String?, of devices: [Resolver.Device]) throws -> Resolver.Device {
    guard let chosen = choose(devices) else {
      throw LunaraError(
        "resolver.noDevices", "Spotify runs on no device of this account now. Open it on one, and try again.")
    }
    guard let name else { return chosen }
    let folded = name.lowercased()
    guard
      let device = devices.first(where: { $0.id == name }) ?? devices.first(where: { $0.name.lowercased() == folded })
    else {
      let names = devices.map(\.name).joined(separator: ", ")
      throw LunaraError("resolver.unknownDevice", "There is no device “\(name)” at Spotify. There are: \(names).")
    }
    return device
  }

  /// Makes a device the active one, and has it play tracks.
  ///
  /// - Parameter uris: the tracks as Spotify names them, such as `spotify:track:4uLU6hMCjMI75M1A2tKUQC`.
  /// - Throws: `resolver.deviceRefused`, `resolver.signedOut`, `resolver.accountAway`.
  func play(_ uris: [String], on device: Resolver.Device) async throws {
    let transfer = PluginValue.object(["device_ids": .list([.text(device.id)]), "play": .bool(false)])
    try check(try await caller.send(.changes, "PUT", "/v1/me/player", body: try transfer.json()), device)
    try await sleep(Self.transferPause)
    let tracks = PluginValue.object(["uris": .list(uris.map { .text($0) })])
    let path = "/v1/me/player/play?device_id=\(PercentCoding.encode(device.id))"
    try check(try await caller.send(.changes, "PUT", path, body: try tracks.json()), device)
  }

  /// Checks that Spotify did what was asked: 204, or another status of success.
  private func check(_ response: HTTPResponse, _ device: Resolver.Device? = nil) throws {
    guard !(200..<300).contains(response.status) else { return }
    let view = JSONView(response.body)?["error"]
    let words = view?["message"]?.string.flatMap { PluginManifest.cleaned($0, 200) }
    let place = device.map { " on \($0.name)" } ?? ""
    let reason =
      switch (response.status, view?["reason"]?.string) {
      case (_, "PREMIUM_REQUIRED"?): "it lets other programs play for accounts with Premium only"
      case (403, _):
        "the account, the application or the device does not allow it. Sign in again so that Spotify asks for it: `lunara login spotify`"
      case (404, _): "the device is gone. Open Spotify there, and try again"
      case (429, _): "it asks for a pause. Try again in a minute"
      default: "it answered \(response.status). Try again"
      }
    throw LunaraError("resolver.deviceRefused", "Spotify did not play\(place): \(reason).", cause: words)
  }

  /// Returns Spotify's name of a track by the id that its plugin gave; nil for what is none.
  static func uri(_ id: String?) -> String? {
    let prefix = "spotify:track:"
    guard let id else { return nil }
    let native = id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id
    let isValid =
      native.utf8.count == 22
      && native.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      }
    return isValid ? prefix + native : nil
  }
}
