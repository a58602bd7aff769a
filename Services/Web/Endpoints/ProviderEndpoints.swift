import Bus
import Client
import HTTP
import Messages
import Model

/// Providers with which playlists are kept in step, and the wish list.
extension Endpoint {
  static let providers: [Endpoint] = [
    Endpoint("GET", "/api/v1/providers", "listProviders", of: .library) { _ in Library.ListProviders() },
    Endpoint("POST", "/api/v1/providers", "linkProvider", of: .library) { try $0.body(Library.LinkProvider.self) },
    Endpoint("PUT", "/api/v1/providers/{name}", "setProvider", of: .library) {
      try $0.body(Library.SetProvider.self, fixed: ["name": $0.text("name")], usual: ["parts": [String]()])
    },
    Endpoint("DELETE", "/api/v1/providers/{name}", "unlinkProvider", of: .library) {
      Library.UnlinkProvider(name: $0.text("name"))
    },
    Endpoint("POST", "/api/v1/providers/{name}/sync", "syncProvider", of: .library) {
      Library.SyncProvider(name: $0.text("name"))
    },
    Endpoint("GET", "/api/v1/providers/{name}/reports", "readProviderReports", of: .library) {
      Library.ReadProviderReports(name: $0.text("name"), limit: try $0.limit())
    },
    Endpoint("POST", "/api/v1/providers/{name}/answers", "answerProvider", of: .library) {
      try $0.body(Library.AnswerProvider.self, fixed: ["name": $0.text("name")])
    },
    Endpoint("POST", "/api/v1/providers/{name}/undo", "undoRemoval", of: .library) {
      try $0.body(Library.UndoRemoval.self, fixed: ["name": $0.text("name")])
    },
    Endpoint("GET", "/api/v1/wishes", "listWishes") { api, call in
      .json(try await Client(node: api.node).wishes(.init(after: call.after, limit: try call.limit())).json)
    },
    Endpoint("POST", "/api/v1/wishes", "addWish", of: .library) { try $0.body(Library.AddWish.self) },
    Endpoint("DELETE", "/api/v1/wishes/{number}", "removeWish", of: .library) { call in
      guard let id = Int64(call.text("number")) else {
        throw LunaraError("web.badParameter", "A wish is named by its number, not by “\(call.text("number"))”.")
      }
      return Library.RemoveWish(id: id)
    },
  ]
}
