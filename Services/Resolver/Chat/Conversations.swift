import Bus
import Messages
import Model
import ServiceKit
import System

/// The conversations with plugins. They are in memory only, and end an hour after their last message.
actor Conversations {
  /// The times and numbers of conversations.
  struct Limits: Sendable {
    /// The time after its last message for which a conversation is kept.
    var lifetime = Milliseconds(3_600_000)
    /// The most conversations; the oldest one ends for a new one.
    var count = 20
    /// The time in which a plugin answers.
    var deadline = Duration.seconds(120)
    /// The time for which a question waits for a person. Without an answer it is refused.
    var patience = Duration.seconds(600)
  }

  /// A question that waits for a person.
  struct Waiting {
    var question: Resolver.ChatQuestion
    var answer: CheckedContinuation<Bool, Never>
    var timer: Task<Void, Never>
  }

  struct Conversation {
    var plugin: Resolver.PluginName
    var room: RoomName?
    /// The messages as the plugin gets them, without the first one of the system.
    var messages: [PluginValue] = []
    var shown: [Resolver.ChatMessage] = []
    var isBusy = false
    var error: LunaraError?
    var waiting: Waiting?
    /// True once the person has refused a tool in the present turn: further questions are refused as well.
    var hasRefused = false
    var usedAt: Milliseconds
  }

  static let function = "chat"
  /// The most bytes of the messages of an answer of this service.
  private static let answerBytes = 120 << 10

  let registry: PluginRegistry
  let history: HistorySource
  let outcomes: RequestOutcomes
  let limits: Limits
  /// Makes the tools for a room that a person named; nil for none.
  let tools: @Sendable (RoomName?) -> HouseholdTools
  private let now: @Sendable () -> Milliseconds
  var conversations: [String: Conversation] = [:]
  private var turns: [String: Task<Void, Never>] = [:]

  init(
    registry: PluginRegistry, history: HistorySource, outcomes: RequestOutcomes, limits: Limits = Limits(),
    now: @escaping @Sendable () -> Milliseconds = { MonotonicClock.milliseconds() },
    tools: @escaping @Sendable (RoomName?) -> HouseholdTools
  ) {
    self.registry = registry
    self.history = history
    self.outcomes = outcomes
    self.limits = limits
    self.now = now
    self.tools = tools
  }

  // MARK: - What people ask

  /// - Throws: `resolver.noChat`, `resolver.badSearch`, `resolver.unknownConversation`, `resolver.chatBusy`.
  func say(_ request: Resolver.Chat) async throws -> Resolver.ChatState {
    let words = try QueueGenerator.words(request.words)
    prune()
    let id: String
    if let known = request.conversation {
      guard conversations[known] != nil else { throw Self.unknown(known) }
      id = known
    } else {
      let plugin = try await plugin(request.plugin)
      id = UniqueID<Conversation>.random().rawValue
      if conversations.count >= limits.count,
        let oldest = conversations.min(by: { $0.value.usedAt < $1.value.usedAt })?.key
      {
        end(oldest)
      }
      conversations[id] = Conversation(plugin: plugin.name, room: request.room, usedAt: now())
    }
    guard conversations[id]?.isBusy == false else {
      throw LunaraError(
        "resolver.chatBusy", "The conversation waits for an answer. Wait for it, or answer its question.")
    }
    let first = conversations[id]?.shown.count ?? 0
    conversations[id]?.messages.append(.object(["role": .text("user"), "content": .text(words)]))
    show(.init(role: .person, text: words), in: id)
    if let room = request.room { conversations[id]?.room = room }
    conversations[id]?.isBusy = true
    conversations[id]?.error = nil
    conversations[id]?.hasRefused = false
    turns[id] = Task { await runTurn(id) }
    return try state(id, from: first)
  }

  /// - Throws: `resolver.unknownConversation`.
  func read(_ request: Resolver.ReadChat) async throws -> Resolver.ChatState {
    let end = now() + Milliseconds(10_000)
    while let conversation = conversations[request.conversation], conversation.isBusy, conversation.waiting == nil,
      conversation.shown.count <= request.from, now() < end
    {
      try await Task.sleep(for: .milliseconds(50))
    }
    return try state(request.conversation, from: request.from)
  }

  /// - Throws: `resolver.unknownConversation`, `resolver.noQuestion`.
  func answer(_ request: Resolver.AnswerChat) throws -> Resolver.ChatState {
    guard let conversation = conversations[request.conversation] else { throw Self.unknown(request.conversation) }
    guard conversation.waiting?.question.id == request.question else {
      throw LunaraError("resolver.noQuestion", "This question is answered already, or waited for too long.")
    }
    decide(request.isAgreed, request.question, in: request.conversation)
    return try state(request.conversation, from: conversation.shown.count)
  }

  /// Ends conversations that are over.
  func prune() {
    let time = now()
    for (id, one) in conversations where !one.isBusy && one.usedAt + limits.lifetime <= time { end(id) }
  }

  /// Ends all conversations.
  func stop() { for id in conversations.keys { end(id) } }

  // MARK: - What turns use

  func show(_ message: Resolver.ChatMessage, in id: String) {
    conversations[id]?.shown.append(message)
    conversations[id]?.usedAt = now()
  }

  /// Marks a turn as ended.
  func finish(_ id: String, _ error: LunaraError?) {
    conversations[id]?.isBusy = false
    conversations[id]?.error = error
    conversations[id]?.usedAt = now()
    turns[id] = nil
  }

  /// Asks the person a question, and returns the answer. Without one it is refused after a while.
  func ask(_ text: String, in id: String) async -> Bool {
    let question = Resolver.ChatQuestion(id: UniqueID<Conversation>.random().rawValue, text: text)
    let patience = limits.patience
    return await withCheckedContinuation { continuation in
      guard conversations[id] != nil else { return continuation.resume(returning: false) }
      let timer = Task {
        // A cancelled sleep means that the question was answered.
        do { try await Task.sleep(for: patience) } catch { return }
        self.decide(false, question.id, in: id)
      }
      conversations[id]?.waiting = Waiting(question: question, answer: continuation, timer: timer)
    }
  }

  private func decide(_ isAgreed: Bool, _ question: String, in id: String) {
    guard let waiting = conversations[id]?.waiting, waiting.question.id == question else { return }
    conversations[id]?.waiting = nil
    if !isAgreed { conversations[id]?.hasRefused = true }
    waiting.timer.cancel()
    waiting.answer.resume(returning: isAgreed)
  }

  private func end(_ id: String) {
    if let question = conversations[id]?.waiting?.question.id { decide(false, question, in: id) }
    conversations[id] = nil
    turns.removeValue(forKey: id)?.cancel()
  }

  private func state(_ id: String, from: Int) throws -> Resolver.ChatState {
    guard let one = conversations[id] else { throw Self.unknown(id) }
    let first = min(max(0, from), one.shown.count)
    var bytes = 0
    let messages = one.shown[first...].prefix { message in
      bytes += message.text.utf8.count * 2 + 200
      return bytes <= Self.answerBytes
    }
    return .init(
      conversation: id, plugin: one.plugin, isBusy: one.isBusy, first: first, messages: Array(messages),
      count: one.shown.count, question: one.waiting?.question, error: one.error)
  }

  private func plugin(_ id: String?) async throws -> PluginRegistry.Usable {
    if let plugin = try await registry.usable(id, with: Self.function) { return plugin }
    throw LunaraError(
      "resolver.noChat",
      "No plugin with which one can talk is switched on. ask.axe of the examples is one (docs/plugins, or /usr/share/doc/lunara/examples/plugins); `lunara plugins add` installs it."
    )
  }

  private static func unknown(_ id: String) -> LunaraError {
    LunaraError(
      "resolver.unknownConversation",
      "The conversation is over: one ends an hour after its last message. Begin another."
    )
  }
}
