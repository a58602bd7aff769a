import Bus
import Client
import HTTP
import Messages
import Model

/// The endpoints for what is told to plugins, for conversations with them, and for queues that they make.
extension Endpoint {
  static let chats: [Endpoint] = [
    Endpoint("GET", "/api/v1/sharing", "listSharing") { api, _ in
      guard api.node.nodes().contains(.resolver) else { return .json(Resolver.SharingList(plugins: []).json) }
      return .json(try await api.askResolver(Resolver.ListSharing()).json)
    },
    Endpoint("PUT", "/api/v1/sharing/{plugin}", "setSharing", of: .resolver) { call in
      struct Body: Decodable {
        var subject: KnownWord<Resolver.SharedSubject>
        var allowed: Bool
      }
      let body = try call.body(Body.self)
      return Resolver.SetSharing(plugin: call.text("plugin"), subject: body.subject.value, isAllowed: body.allowed)
    },
    Endpoint("GET", "/api/v1/plugins/{plugin}/choices", "listChoices", of: .resolver) {
      Resolver.ListChoices(plugin: $0.text("plugin"))
    },
    Endpoint("POST", "/api/v1/chats", "chat", of: .resolver) { call in
      struct Body: Decodable {
        var words: String
        var conversation: String?
        var plugin: String?
        var room: String?
      }
      let body = try call.body(Body.self)
      return Resolver.Chat(
        words: body.words, conversation: body.conversation, plugin: body.plugin,
        room: body.room.map { RoomName(from: $0) })
    },
    Endpoint("GET", "/api/v1/chats/{conversation}", "readChat", of: .resolver) {
      Resolver.ReadChat(
        conversation: $0.text("conversation"), from: try $0.parameters.number("from", in: 0...1_000_000) ?? 0)
    },
    Endpoint("POST", "/api/v1/chats/{conversation}/answer", "answerChat", of: .resolver) { call in
      struct Body: Decodable {
        var question: String
        var agreed: Bool
      }
      let body = try call.body(Body.self)
      return Resolver.AnswerChat(
        conversation: call.text("conversation"), question: body.question, isAgreed: body.agreed)
    },
    Endpoint("POST", "/api/v1/generate", "generateQueue") { api, call in
      struct Body: Decodable {
        var words: String
        var plugin: String?
      }
      let body = try call.body(Body.self)
      guard api.node.nodes().contains(.resolver) else {
        throw LunaraError("resolver.noPlugins", "This household has no plugins. `lunara plugins add FILE` adds one.")
      }
      let request = Resolver.Generate(words: body.words, plugin: body.plugin)
      return .json(try await api.ask(request, of: .resolver, within: .seconds(130)).json)
    },
    Endpoint("POST", "/api/v1/unwanted", "changeUnwanted", of: .resolver) { call in
      struct Body: Decodable {
        var add: [Resolver.UnwantedMusic]?
        var remove: [Resolver.UnwantedMusic]?
      }
      let body = try call.body(Body.self)
      return Resolver.ChangeUnwanted(add: body.add ?? [], remove: body.remove ?? [])
    },
  ]
}
