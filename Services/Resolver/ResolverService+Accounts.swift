import Bus
import Messages
import Model

/// Requests about the accounts of plugins, and about the devices at which they sound.
extension ResolverService {
  func serveAccounts() async {
    await node.serve(Resolver.BeginSignIn.self) { request, _ in
      let file = try await registry.known(request.plugin)
      let setting = try await registry.settings(of: file.id)["clientId"]
      return try await accounts.begin(request, for: file, setting: setting)
    }
    await node.serve(Resolver.FinishSignIn.self) { request, _ in
      let file = try await registry.known(request.plugin)
      _ = try await accounts.finish(request, for: file)
      return try await registry.accountChanged(file.id)
    }
    await node.serve(Resolver.SignOut.self) { request, _ in
      let file = try await registry.known(request.plugin)
      _ = try await accounts.signOut(file)
      return try await registry.accountChanged(file.id)
    }
    await node.serve(Resolver.ListDevices.self) { request, _ in
      let devices = try await self.devices(of: request.plugin).list()
      return .init(devices: devices, chosen: SpotifyDevices.choose(devices)?.id)
    }
    await node.serve(Resolver.PlayOnDevice.self) { request, _ in try await play(request) }
  }

  private func devices(of plugin: String) async throws -> SpotifyDevices {
    let file = try await registry.known(plugin)
    guard let spotify, accounts.service(of: file)?.id == AccountService.spotify else {
      throw LunaraError(
        "resolver.noDevices", "The account of \(file.name) has no devices that can be asked to play; Spotify's has.")
    }
    return spotify
  }

  /// Finds the tracks by the plugin, and has a device play those that it knows.
  private func play(_ request: Resolver.PlayOnDevice) async throws -> Resolver.DevicePlayback {
    let devices = try await devices(of: request.plugin)
    let device = try SpotifyDevices.device(request.device, of: try await devices.list())
    let wanted = Array(request.described.prefix(Resolver.PlayOnDevice.limit))
    let found = try await uris(of: wanted, by: request.plugin)
    let uris = found.compactMap { $0 }
    guard !uris.isEmpty else {
      let name = wanted.first.map { Byline.quoted($0.title, $0.artist) } ?? "a track"
      throw LunaraError(
        "resolver.notFound", wanted.count > 1 ? "Spotify has none of these tracks." : "Spotify has not found \(name).")
    }
    try await devices.play(uris, on: device)
    return .init(
      device: device, tracks: uris.count, missing: zip(wanted, found).filter { $0.1 == nil }.map { $0.0 })
  }

  /// Returns the names of the tracks at the service, in their order; nil for one that the plugin does not find.
  private func uris(of wanted: [DescribedTrack], by plugin: String) async throws -> [String?] {
    try await withThrowingTaskGroup(of: (Int, String?).self) { group in
      for (index, track) in wanted.enumerated() {
        group.addTask {
          let sources = try await finder.sources(of: track).sources
          let source = sources.first { $0.plugin.id == plugin && $0.rank != nil }
          return (index, SpotifyDevices.uri(source?.sourceID))
        }
      }
      var uris = [String?](repeating: nil, count: wanted.count)
      for try await (index, uri) in group { uris[index] = uri }
      return uris
    }
  }
}
