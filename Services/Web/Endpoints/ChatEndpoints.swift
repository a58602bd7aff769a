import Bus
import Client
import HTTP
import Messages
import Model

/// The endpoints for what plugins receive, for conversations with them, and for queues that they make.
extension Endpoint {
  static let chats: [Endpoint] = [
    Endpoint("GET", "/api/v1/sharing", "listSharing") { api, _ in
      guard api.node.nodes().contains(.resolver) else { return .json(Resolver.SharingList(plugins: []).json) }
      return .json(try await api.askResolver(Resolver.ListSharing()).json)
    },
    Endpoint("PUT", "/api/v1/sharing/{plugin}", "setSharing", of: .resolver) {
      try $0.body(Resolver.SetSharing.self, fixed: ["plugin": $0.text("plugin")])
    },
    Endpoint("GET", "/api/v1/plugins/{plugin}/choices", "listChoices", of: .resolver) {
      Resolver.ListChoices(plugin: $0.text("plugin"))
    },
    Endpoint("POST", "/api/v1/chats", "chat", of: .resolver) { try $0.body(Resolver.Chat.self) },
    Endpoint("GET", "/api/v1/chats/{conversation}", "readChat", of: .resolver) {
      Resolver.ReadChat(
        conversation: $0.text("conversation"), from: try $0.parameters.number("from", in: 0...1_000_000) ?? 0)
    },
    Endpoint("POST", "/api/v1/chats/{conversation}/answer", "answerChat", of: .resolver) {
      try $0.body(Resolver.AnswerChat.self, fixed: ["conversation": $0.text("conversation")])
    },
    Endpoint("POST", "/api/v1/generate", "generateQueue") { api, call in
      let request = try call.body(Resolver.Generate.self)
      guard api.node.nodes().contains(.resolver) else {
        throw LunaraError("resolver.noPlugins", "This household has no plugins. `lunara plugins add FILE` adds one.")
      }
      return .json(try await api.ask(request, of: .resolver, within: .seconds(130)).json)
    },
    Endpoint("POST", "/api/v1/unwanted", "changeUnwanted", of: .resolver) {
      try $0.body(Resolver.ChangeUnwanted.self, usual: ["add": [String](), "remove": [String]()])
    },
  ]
}
