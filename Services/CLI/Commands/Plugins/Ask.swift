import Client
import Glibc
import Messages
import Model

extension Option {
  static let byPlugin = Option("--plugin", "ID", help: "ask this plugin; else the first one that can")
}

extension Command {
  static let ask = Command(
    name: "ask", summary: "talk with a plugin that has a language model, about your music",
    discussion: """
      The plugin sends your words and what its tools find (names of tracks, albums and playlists) to its server. It may
      play, queue and make playlists; before it clears a queue or deletes a playlist you are asked, and without a terminal
      that is refused. ask.axe of the examples is such a plugin, also for a server at home.
      """,
    examples: [
      "lunara ask \"what plays?\"": "one question",
      "lunara ask \"a quiet playlist of what I have by Nova Kessler\" --room kitchen": "with the tools of a room",
    ],
    takes: .context(.room), .text(.byPlugin), .text("--conversation", "ID", help: "go on with this conversation"),
    .operands("WORDS", 1...1000, help: "what you want to say"),
    through: Client.withPlugins
  ) { client, console, context, plugin, conversation, words in
    let room = client.rooms().isEmpty ? nil : try await client.room(for: context)
    var state = try await client.ask(
      Resolver.Chat(words: words.joined(separator: " "), conversation: conversation, plugin: plugin, room: room))
    // A person has just typed the first message.
    let start = state.first
    var seen = start + 1
    while true {
      state = try await client.ask(
        Resolver.ReadChat(conversation: state.conversation, from: seen), within: .seconds(20))
      for message in state.messages { console.show(message) }
      seen = state.first + state.messages.count
      if let question = state.question {
        let agrees = isatty(0) == 1 && !console.isJSON
        if !agrees {
          console.remark("\(question.text) It is refused, as nobody can be asked without a terminal.")
        }
        let isAgreed = agrees ? try await SecretPrompt.confirm("\(Printable.line(question.text)) [y/N] ") : false
        _ = try await client.ask(
          Resolver.AnswerChat(conversation: state.conversation, question: question.id, isAgreed: isAgreed))
      } else if !state.isBusy, seen >= state.count {
        break
      }
    }
    if console.isJSON {
      var whole = try await client.ask(Resolver.ReadChat(conversation: state.conversation, from: start))
      while whole.first + whole.messages.count < whole.count {
        let more = try await client.ask(
          Resolver.ReadChat(conversation: state.conversation, from: whole.first + whole.messages.count))
        guard !more.messages.isEmpty else { break }
        whole.messages += more.messages
      }
      console.print(whole.json)
    }
    if let error = state.error { throw error }
    console.remark("Go on with `lunara ask --conversation \(state.conversation) …`, for an hour.")
  }
}

extension Console {
  /// Prints a message of a conversation for people.
  fileprivate func show(_ message: Resolver.ChatMessage) {
    guard !isJSON else { return }
    switch message.role {
    case .plugin:
      print(
        message.text.split(separator: "\n", omittingEmptySubsequences: false).map { Printable.line(String($0)) + "\n" }
          .joined())
    case .action: remark("\(message.isFailed ? "Not done: " : "")\(message.text)")
    case .person, .unknown: break
    }
  }
}

extension Client {
  /// Asks a plugin for tracks that match some words.
  func generated(_ words: String, by plugin: String?) async throws -> Resolver.GeneratedQueue {
    try requireResolver()
    return try await ask(Resolver.Generate(words: words, plugin: plugin), within: .seconds(130))
  }
}
