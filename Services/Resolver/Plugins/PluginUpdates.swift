import HTTP
import Messages
import Model
import Plugins

/// Reads files and lists of plugins at addresses that a person named, and looks there for newer versions. It installs
/// nothing.
struct PluginUpdates: Sendable {
  /// The time that a person waits for a file.
  private static let time = Duration.seconds(15)

  let registry: PluginRegistry
  let http: HTTPClient
  let household: HouseholdServers

  /// Offers the plugin at an address, or the plugins of the list that is there.
  ///
  /// - Throws: `resolver.badAddress`, `plugin.badFile`, and the errors of the connection.
  func offer(_ address: String) async throws -> Resolver.Offer {
    let list = await registry.offers.list(of: address)
    let bytes = try await download(address, namedBy: list)
    if let listing = PluginListing(bytes) {
      return .init(plugin: nil, listed: try await registry.offer(listing, at: address))
    }
    return .init(plugin: try await registry.offer(bytes, from: address))
  }

  /// Looks for newer versions of one plugin, or of all whose address is known.
  func find(_ id: String?) async throws -> Resolver.UpdateList {
    let installed = try await registry.installed(id)
    var list = Resolver.UpdateList(updates: [])
    for one in installed {
      guard let origin = one.origin else {
        list.withoutOrigin.append(one.name)
        continue
      }
      do {
        if let plugin = try await newer(one, at: origin) {
          list.updates.append(plugin)
        } else {
          list.current.append(one.name)
        }
      } catch {
        list.failures.append(.init(plugin: one.name, error: LunaraError(error)))
      }
    }
    return list
  }

  /// Returns a newer version of a plugin; nil for none.
  private func newer(_ installed: PluginRegistry.Installed, at origin: String) async throws -> Resolver.Plugin? {
    let bytes = try await download(origin)
    guard let listing = PluginListing(bytes) else { return try await registry.offer(bytes, of: installed) }
    guard let entry = listing.entries.first(where: { $0.id == installed.file.id }) else {
      throw LunaraError("resolver.badAddress", "The list at \(origin) does not name \(installed.file.id) any more.")
    }
    // Lists may lag behind the files, so the file itself is looked at.
    return try await registry.offer(try await download(entry.address, namedBy: origin), of: installed)
  }

  /// Reads a file. An address that a person named may be in the private network if it says so itself; one that a list
  /// names may not, unless it is at the list's own server. The address of each connection and each redirection is
  /// checked, and nothing of the household itself is read.
  private func download(_ address: String, namedBy list: String? = nil) async throws -> [UInt8] {
    let isForeign = list.map { Origin($0) != Origin(address) } ?? false
    guard let origin = Origin(address), origin.scheme == "https" || origin.isLoopback && !isForeign,
      !household.contains(origin)
    else {
      throw LunaraError(
        "resolver.badAddress", "A plugin is read from a file or from an address that begins with https://.")
    }
    // A name without a dot belongs to the local network as well.
    let isAtHome = origin.isPrivate || !origin.host.contains(".")
    let response = try await http.send(
      HTTPRequest(
        .reads, url: address, timeout: Self.time, responseLimit: AxeFile.sizeLimit + 1,
        refusesPrivateAddresses: isForeign || !isAtHome,
        mayConnect: { [household] in !household.contains($0) }))
    guard response.status == 200 else {
      throw LunaraError(
        "resolver.badAddress", "\(origin.name) has no such file: it answered \(response.status). Check the address.")
    }
    return response.body
  }
}
