import Messages
import Model
import Plugins
import System
import Text

/// Searches by plugins, and addresses that they open.
extension SourceFinder {
  private static let searchLifetime = Milliseconds(300_000)

  /// Searches by one plugin. The hits are kept for five minutes, and can be queued as described tracks.
  func search(_ request: Resolver.Search) async throws -> Resolver.SearchHits {
    let plugin = try await registry.usable(request.plugin)
    let words = request.words.trimmed
    guard !words.isEmpty, words.utf8.count <= 500 else {
      throw LunaraError("resolver.badSearch", "A search has 1 to 500 letters.")
    }
    let key = "\(plugin.file.id) \(words)"
    let now = MonotonicClock.milliseconds()
    if let known = searches[key], known.at + Self.searchLifetime > now { return known.hits }
    guard plugin.has("search") else { return .init(plugin: plugin.name, tracks: []) }
    let value: PluginValue
    do {
      value = try await limited(plugin.file.id) {
        let failures = await plugin.runner.failedRequests
        let value = try await plugin.call("search", [.text(words)], within: Deadline.search)
        if value.elements.isEmpty { try await plugin.runner.checkRequests(since: failures) }
        return value
      }
    } catch {
      await registry.failed(plugin.file.id, LunaraError(error))
      throw error
    }
    let tracks = SourceAnswers.tracks(value, of: plugin.file.id, limit: 50)
    let hits = Resolver.SearchHits(plugin: plugin.name, tracks: described(tracks, of: plugin))
    if searches.count >= 200 { searches = [:] }
    searches[key] = (hits, now)
    return hits
  }

  /// Opens an address: the plugin looks it up whose pattern fits first in the order in which plugins were loaded.
  func open(_ request: Resolver.OpenAddress) async throws -> Resolver.OpenedAddress {
    let address = request.address.trimmed
    let plugins = try await registry.usable()
    var matcher = URLMatcher()
    for id in await registry.loadOrder {
      guard let plugin = plugins.first(where: { $0.file.id == id }) else { continue }
      matcher.set(plugin.file.content.urlPatterns.map(\.text), of: id)
    }
    guard address.utf8.count <= 2000, let id = matcher.plugin(for: address),
      let plugin = plugins.first(where: { $0.file.id == id })
    else {
      throw LunaraError(
        "resolver.unknownAddress", "No plugin that is switched on opens this address. `lunara plugins` lists them.")
    }
    let opened = try await AddressLookup(plugin: plugin, address: address).run()
    let tracks = described(opened.tracks, of: plugin)
    return .init(plugin: plugin.name, kind: opened.kind, title: opened.title, artist: opened.artist, tracks: tracks)
  }

  /// Returns tracks as descriptions, and remembers what the plugin found.
  private func described(_ tracks: [FoundTrack], of plugin: PluginRegistry.Usable) -> [DescribedTrack] {
    tracks.filter { !$0.source.artist.isEmpty }.map { found in
      let described = found.described
      let key = Key(described.track.id.native, plugin)
      if hits.count >= Self.memoryLimit { hits = [:] }
      var hit = found
      hit.source.confidence = MatchConfidence.fitting
      hits[key] = hit
      if let stream = found.stream { remember(stream, key) }
      return described
    }
  }
}
