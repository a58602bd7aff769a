import Bus
import Foundation
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// Conversations with plugins, whose model is a stand-in.
@Suite struct ChatTests {
  /// A plugin whose answers the server gives as they are.
  private static let functions = [
    "chat": """
    async (messages, tools, config) => {
      const answer = await fetch(config.server + '/chat', { method: 'POST', body: JSON.stringify({ messages, tools }) });
      if (!answer.ok) throw new Error('it answered ' + answer.status);
      return answer.json();
    }
    """
  ]

  /// The answers of the model in their order; the last one stands for all later ones.
  private final class Model: Sendable {
    private let answers: [(Int, String)]
    let bodies = Mutex([String]())

    init(_ answers: [(Int, String)]) { self.answers = answers }

    func answer(_ request: HTTPServerRequest) -> (Int, String) {
      let index = bodies.withLock { bodies in
        bodies.append(String(decoding: request.body, as: UTF8.self))
        return bodies.count - 1
      }
      return answers[min(index, answers.count - 1)]
    }

    var asked: [String] { bodies.withLock { $0 } }
  }

  private func household(_ answers: (Int, String)...) async throws -> (TestResolver, Model) {
    let model = Model(answers)
    let resolver = try await TestResolver { model.answer($0) }
    try await resolver.install("talker", Self.functions)
    return (resolver, model)
  }

  private static func call(_ name: String, _ arguments: String = "{}", id: String = "c1") -> String {
    #"{"content":"","toolCalls":[{"id":"\#(id)","name":"\#(name)","arguments":\#(arguments)}]}"#
  }

  private static func text(_ words: String) -> String { #"{"content":"\#(words)","toolCalls":null}"# }

  /// Says something, and reads the conversation until the plugin has answered or asks a question.
  private func say(_ words: String, to resolver: TestResolver, in conversation: String? = nil) async throws
    -> Resolver.ChatState
  {
    let begun = try await resolver.ask(
      Resolver.Chat(words: words, conversation: conversation, room: RoomName(from: "kitchen")))
    return try await finished(begun.conversation, resolver)
  }

  private func finished(_ conversation: String, _ resolver: TestResolver) async throws -> Resolver.ChatState {
    var state = try await resolver.ask(Resolver.ReadChat(conversation: conversation))
    while state.isBusy, state.question == nil {
      try await Task.sleep(for: .milliseconds(50))
      state = try await resolver.ask(Resolver.ReadChat(conversation: conversation))
    }
    return state
  }

  @Test func aToolIsUsedAndItsResultGoesBackToTheModel() async throws {
    let (resolver, model) = try await household(
      (200, Self.call("get_playlists")), (200, Self.text("You have one.")))
    let library = try await resolver.bus.node("library@main")
    await library.serve(Library.ListPlaylists.self) { _, _ in
      Library.Page(
        items: [
          Playlist(
            id: PlaylistID(source: "lunara", native: "p1"), title: "Evening", trackCount: 3, duration: .zero)
        ], next: nil)
    }
    let state = try await say("which playlists?", to: resolver)
    #expect(state.error == nil && !state.isBusy)
    #expect(state.messages.map(\.role) == [.person, .action, .plugin])
    #expect(state.messages.last?.text == "You have one.")
    let second = try #require(model.asked.last)
    #expect(second.contains(#""tool_call_id":"c1""#) && second.contains("Evening"))
    #expect(try #require(model.asked.first).contains(#""name":"delete_playlist""#))
    await library.close()
    await resolver.close()
  }

  @Test func clearingAsksFirstAndIsNotDoneWhereNobodyAgrees() async throws {
    let (resolver, model) = try await household(
      (200, Self.call("queue_clear")), (200, Self.text("As you like.")), (200, Self.call("queue_clear")),
      (200, Self.text("Done.")))
    let cleared = Mutex(0)
    let room = try await resolver.bus.node("playback@kitchen")
    await room.serve(Playback.ReadQueue.self) { _, _ in
      Playback.QueueState(revision: 1, count: 12, current: 0, first: 0, items: [])
    }
    await room.serve(Playback.EditQueue.self) { request, _ in
      if request.edit == .clear { cleared.withLock { $0 += 1 } }
      return .init(revision: 2, count: 0, current: nil)
    }
    var state = try await say("clear it", to: resolver)
    let question = try #require(state.question)
    #expect(question.text.contains("kitchen") && question.text.contains("12 tracks") && cleared.withLock { $0 } == 0)
    _ = try await resolver.ask(
      Resolver.AnswerChat(conversation: state.conversation, question: question.id, isAgreed: false))
    state = try await finished(state.conversation, resolver)
    #expect(state.messages.contains { $0.tool == "queue_clear" && $0.isFailed } && cleared.withLock { $0 } == 0)
    #expect(try #require(model.asked.last).contains("nobody agreed"))
    state = try await say("now really", to: resolver, in: state.conversation)
    let again = try #require(state.question)
    // An answer to a question that was answered already counts for nothing.
    #expect(
      await resolver.refusal(
        of: Resolver.AnswerChat(conversation: state.conversation, question: question.id, isAgreed: true))?.code
        == "resolver.noQuestion")
    _ = try await resolver.ask(
      Resolver.AnswerChat(conversation: state.conversation, question: again.id, isAgreed: true))
    state = try await finished(state.conversation, resolver)
    #expect(cleared.withLock { $0 } == 1 && state.messages.last?.text == "Done.")
    await room.close()
    await resolver.close()
  }

  @Test func aModelThatNeverStopsUsingToolsIsAskedWithoutThemAfterFiveRounds() async throws {
    let (resolver, model) = try await household((200, Self.call("nonsense")))
    let state = try await say("go", to: resolver)
    #expect(model.asked.count == 6 && state.error?.code == "resolver.emptyAnswer")
    #expect(state.messages.count { $0.role == .action && $0.isFailed } == 5)
    #expect(try #require(model.asked.last).contains(#""tools":[]"#))
    await resolver.close()
  }

  @Test(arguments: [
    #"{"content":"I call play(\"x\")\u0000 <b>now</b>"}"#, #""only prose""#,
    #"{"content":"a","toolCalls":"queue_clear"}"#, #"{"content":"a","toolCalls":[7,{"name":""},{"id":"x"}]}"#,
  ])
  func anAnswerOfProseIsShownAsText(_ answer: String) async throws {
    let (resolver, _) = try await household((200, answer))
    let state = try await say("go", to: resolver)
    #expect(state.error == nil && state.messages.map(\.role) == [.person, .plugin])
    #expect(state.messages.last?.text.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" } == true)
    await resolver.close()
  }

  @Test func hostileCallsOfToolsAreHarmless() async throws {
    let calls = (1...12).map {
      #"{"id":"same","name":"\#($0 == 1 ? "__proto__" : "delete_playlist")","arguments":"{\"playlist_id\":\"other:p\#($0)\"}"}"#
    }
    let (resolver, model) = try await household(
      (200, #"{"content":"","toolCalls":[\#(calls.joined(separator: ","))]}"#), (200, Self.text("Sorry.")))
    let library = try await resolver.bus.node("library@main")
    await library.serve(Library.ReadPlaylist.self) { request, _ in
      throw LunaraError("library.unknownID", "There is no playlist \(request.id).")
    }
    let state = try await say("go", to: resolver)
    #expect(state.error == nil && state.question == nil)
    // At most eight calls of one answer are looked at, each with an id of its own.
    #expect(state.messages.count { $0.isFailed } == 8)
    let ids = Set(try #require(model.asked.last).matches(of: /"tool_call_id":"([^"]*)"/).map { String($0.1) })
    #expect(ids.count == 8)
    await library.close()
    await resolver.close()
  }

  @Test func anAnswerOfTenMegabytesIsRefused() async throws {
    let (resolver, _) = try await household((200, Self.text(String(repeating: "x", count: 10 << 20))))
    let state = try await say("go", to: resolver)
    #expect(state.error != nil && state.messages.count == 1)
    await resolver.close()
  }

  @Test(arguments: [
    (401, "resolver.keyRefused"), (429, "resolver.modelBusy"), (404, "resolver.modelUnknown"),
    (500, "resolver.pluginFailed"),
  ])
  func failuresOfTheModelAreToldApart(_ status: Int, _ code: String) async throws {
    let (resolver, _) = try await household((status, "{}"))
    let state = try await say("go", to: resolver)
    #expect(state.error?.code == code)
    await resolver.close()
  }

  @Test func aServerThatDoesNotAnswerIsSaidToBeUnreachable() async throws {
    let (resolver, _) = try await household((200, "{}"))
    try await resolver.setServer(of: "talker", to: "http://127.0.0.1:1")
    let state = try await say("go", to: resolver)
    #expect(state.error?.code == "resolver.modelUnreachable")
    await resolver.close()
  }

  @Test func aConversationIsOverAfterAnHourAndOneAtATimeIsAnswered() async throws {
    let clock = Mutex(Milliseconds(0))
    let resolver = try await TestResolver { _ in (200, Self.text("Hello.")) }
    try await resolver.install("talker", Self.functions)
    let conversations = PluginAsking(
      node: resolver.client, registry: resolver.service.registry,
      sharing: SharingStore(database: resolver.database), outcomes: RequestOutcomes(),
      now: { clock.withLock { $0 } }
    ).conversations
    let begun = try await conversations.say(.init(words: "hi"))
    await #expect(throws: LunaraError.self) {
      try await conversations.say(.init(words: "more", conversation: begun.conversation))
    }
    #expect(
      try await eventually(equals: false) {
        try await conversations.read(.init(conversation: begun.conversation, from: 2)).isBusy
      })
    clock.withLock { $0 = Milliseconds(3_600_001) }
    await conversations.prune()
    await #expect(throws: LunaraError.self) {
      try await conversations.read(.init(conversation: begun.conversation))
    }
    await resolver.close()
  }

  @Test func onlyTheNewestTurnsGoToThePlugin() {
    func message(_ role: String, _ text: String) -> PluginValue {
      .object(["role": .text(role), "content": .text(text)])
    }
    let long = (0..<40).flatMap { [message("user", "\($0)"), message("assistant", "a")] }
    let kept = Conversations.trimmed(long)
    #expect(kept.count <= 49 && kept.first?["role"] == .text("user") && kept.last == long.last)
    let large = [message("user", "q")] + (0..<40).map { _ in message("tool", String(repeating: "x", count: 8000)) }
    let smaller = Conversations.trimmed(large)
    #expect(smaller.count == large.count && smaller.reduce(0) { $0 + $1.size } < 170 << 10)
  }
}
