import Bus
import Client
import Messages
import Model
import Plugins
import System

/// The requests that people make of plugins with a language model: conversations, queues by words, and their choices of
/// models.
struct PluginAsking: Sendable {
  /// The time that a request of such a plugin may take: a model at home needs more than the usual one.
  static let requestTime = Duration.seconds(110)

  let registry: PluginRegistry
  let unwanted: UnwantedStore
  let generator: QueueGenerator
  let conversations: Conversations
  private let outcomes: RequestOutcomes

  /// - Parameter now: the time by which conversations end.
  init(
    node: Node, registry: PluginRegistry, sharing: SharingStore, outcomes: RequestOutcomes,
    now: @escaping @Sendable () -> Milliseconds = { MonotonicClock.milliseconds() }
  ) {
    let history = HistorySource(sharing: sharing) {
      try await node.request(Library.ReadListeningContext(), to: .library, within: .seconds(20))
    }
    let unwanted = UnwantedStore(database: sharing.database)
    let client = Client(node: node)
    self.registry = registry
    self.unwanted = unwanted
    self.outcomes = outcomes
    generator = QueueGenerator(registry: registry, unwanted: unwanted, history: history, outcomes: outcomes)
    conversations = Conversations(registry: registry, history: history, outcomes: outcomes, now: now) {
      HouseholdTools(client: client, unwanted: unwanted, roomName: $0)
    }
  }

  /// Starts to answer requests.
  func serve(on node: Node) async {
    await node.serve(Resolver.Chat.self) { request, _ in try await conversations.say(request) }
    await node.serve(Resolver.ReadChat.self) { request, _ in try await conversations.read(request) }
    await node.serve(Resolver.AnswerChat.self) { request, _ in try await conversations.answer(request) }
    await node.serve(Resolver.Generate.self) { request, _ in try await generator.generate(request) }
    await node.serve(Resolver.ChangeUnwanted.self) { request, _ in try await unwanted.change(request) }
    await node.serve(Resolver.ListChoices.self) { request, _ in try await choices(request.plugin) }
  }

  /// Asks a plugin for the values of its settings that it offers itself.
  private func choices(_ id: String) async throws -> Resolver.ChoiceList {
    let plugin = try await registry.usable(id)
    let settings = plugin.file.content.settings.fields.filter { $0.kind == .dynamicSelect }.map(\.name)
    guard !settings.isEmpty, plugin.has("listModels") else { return .init(settings: [], choices: []) }
    let start = outcomes.mark(id)
    do {
      let value = try await plugin.call("listModels", [], within: SourceFinder.Deadline.lookup)
      return .init(settings: settings, choices: Self.choices(value))
    } catch { throw outcomes.explained(LunaraError(error), of: plugin, since: start) }
  }

  /// Reads a list of values: each a text, or an object with `value` and `label`.
  static func choices(_ value: PluginValue) -> [Resolver.PluginSetting.Choice] {
    value.elements.prefix(200).compactMap { element in
      guard let value = (element["value"] ?? (element.isObject ? nil : element))?.string, value.utf8.count <= 200 else {
        return nil
      }
      return .init(value: value, label: SourceAnswers.text(element["label"]) ?? value)
    }
  }
}

extension PluginRegistry.Usable {
  /// The servers that the plugin may ask, with the time for which one that asks a language model waits.
  var askingAccess: PluginAccess {
    var access = access
    if has("chat") || has("generate") { access.time = PluginAsking.requestTime }
    return access
  }
}
