import Bus
import Client
import Messages
import Model

extension Option {
  static let everywhere = Option("--everywhere", help: "also what plugins find, or what an address names")
}

/// The hits of one plugin in a search, or the error with which it failed.
struct PluginHits: JSONRepresentable, Sendable {
  var plugin: Resolver.PluginName
  var result: Result<[DescribedTrack], LunaraError>
  /// True if the plugin answered and found nothing.
  var hasNothing: Bool {
    if case .success(let tracks) = result { tracks.isEmpty } else { false }
  }

  /// The shape of the hits, with an error where the plugin failed.
  var json: JSON {
    switch result {
    case .success(let tracks):
      Resolver.SearchHits(plugin: plugin, tracks: tracks).json
    case .failure(let error): ["plugin": plugin.id, "name": plugin.name, "tracks": JSON.array([]), "error": error]
    }
  }
}

extension Client {
  /// Searches by all plugins at the same time, or opens an address by the one that knows it.
  ///
  /// - Parameter came: called for each plugin as its answer comes.
  func searchPlugins(_ words: String, came: @Sendable @escaping (PluginHits) -> Void) async throws -> [PluginHits] {
    guard nodes().contains(.resolver) else { return [] }
    if GivenMusic.isAddress(words) {
      let opened = try await ask(Resolver.OpenAddress(address: words), within: Self.openTime)
      let hits = PluginHits(plugin: opened.plugin, result: .success(opened.tracks))
      came(hits)
      return [hits]
    }
    let plugins = try await ask(Resolver.ListPlugins()).plugins
      .filter { $0.isEnabled && $0.consent == nil && $0.functions.contains("search") }
    return try await withThrowingTaskGroup(of: PluginHits.self) { group in
      for plugin in plugins {
        group.addTask {
          let name = Resolver.PluginName(id: plugin.id, name: plugin.name)
          let request = Resolver.Search(words: words, plugin: plugin.id)
          do {
            let hits = try await self.ask(request, within: .seconds(20))
            return PluginHits(plugin: name, result: .success(hits.tracks))
          } catch {
            return PluginHits(plugin: name, result: .failure(LunaraError(error)))
          }
        }
      }
      var all: [PluginHits] = []
      for try await hits in group {
        came(hits)
        all.append(hits)
      }
      return all
    }
  }
}

extension Console {
  /// Prints the hits of a plugin for people.
  func show(_ hits: PluginHits) {
    guard !isJSON else { return }
    switch hits.result {
    case .failure(let error): remark("\(hits.plugin.name): \(error.message)")
    case .success(let tracks) where tracks.isEmpty: remark("\(hits.plugin.name) has found nothing.")
    case .success(let tracks):
      print("\n" + style.strong(Printable.line(hits.plugin.name)) + "\n")
      print(
        Table(
          tracks.map { track in
            [
              .strong(track.title), .init(track.artist), .faint(track.album ?? ""),
              .number(track.duration?.description ?? ""),
            ]
          }))
    }
  }
}
