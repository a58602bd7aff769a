import Bus
import Messages
import Model
import Plugins
import Text

/// Asks plugins for tracks that match words of a person.
struct QueueGenerator: Sendable {
  static let function = "generate"
  /// The time in which a plugin that asks a language model answers.
  static let deadline = Duration.seconds(120)
  /// The most tracks of a queue.
  static let limit = 100
  /// The most bytes of the words.
  static let wordsLimit = 4000

  let registry: PluginRegistry
  let unwanted: UnwantedStore
  let history: HistorySource
  let outcomes: RequestOutcomes

  /// - Throws: `resolver.noGenerator`, `resolver.badSearch`, `resolver.nothingGenerated`, and the errors of the plugin.
  func generate(_ request: Resolver.Generate) async throws -> Resolver.GeneratedQueue {
    let words = try Self.words(request.words)
    let plugin = try await plugin(request.plugin)
    let context = try await history.text(for: plugin.file.id)
    let start = outcomes.mark(plugin.file.id)
    let value: PluginValue
    do {
      value = try await plugin.runner.call(
        Self.function, [.text(words), await plugin.config(), context.map { .text($0) } ?? .null], within: Self.deadline)
    } catch {
      let error = outcomes.explained(LunaraError(error), of: plugin, since: start)
      await registry.failed(plugin.file.id, error)
      throw error
    }
    let names = try await unwanted.names()
    let named = Self.tracks(value)
    let wanted = named.filter { !names.contains($0) }
    guard !wanted.isEmpty else {
      throw LunaraError(
        "resolver.nothingGenerated",
        named.isEmpty
          ? "\(plugin.file.name) named no track. Say it in other words."
          : "\(plugin.file.name) named only music that is unwanted. `lunara plugins unwanted` lists that.")
    }
    return .init(plugin: plugin.name, tracks: wanted, unwanted: named.count - wanted.count)
  }

  /// Returns the words of a person in one text of bounded length.
  ///
  /// - Throws: `resolver.badSearch`.
  static func words(_ words: String) throws -> String {
    let text = words.trimmed
    guard !text.isEmpty, text.utf8.count <= wordsLimit else {
      throw LunaraError("resolver.badSearch", "Say it in 1 to \(wordsLimit) letters.")
    }
    return text
  }

  /// Reads a list of tracks. It may stand within an object, and one that is named twice counts once.
  static func tracks(_ value: PluginValue) -> [DescribedTrack] {
    let elements = value.elements.isEmpty ? value["tracks"]?.elements ?? [] : value.elements
    var seen: Set<TrackID> = []
    return elements.prefix(limit).compactMap { element in
      guard let title = SourceAnswers.text(element["title"]), let artist = SourceAnswers.text(element["artist"]) else {
        return nil
      }
      let track = DescribedTrack(title: title, artist: artist, album: SourceAnswers.text(element["album"]))
      return seen.insert(track.track.id).inserted ? track : nil
    }
  }

  private func plugin(_ id: String?) async throws -> PluginRegistry.Usable {
    if let plugin = try await registry.usable(id, with: Self.function) { return plugin }
    throw LunaraError(
      "resolver.noGenerator",
      "No plugin that makes queues by words is switched on. ask.axe of the examples is one (docs/plugins, or /usr/share/doc/lunara/examples/plugins); `lunara plugins add` installs it."
    )
  }
}
