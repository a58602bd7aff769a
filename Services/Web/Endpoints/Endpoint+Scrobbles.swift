import Bus
import HTTP
import Messages
import Model

extension Endpoint {
  /// What counted as heard, and where it is sent.
  static let scrobbles: [Endpoint] = [
    Endpoint("GET", "/api/v1/scrobbles", "listScrobbles") { api, call in
      let word = call.parameters.text("filter") ?? "all"
      guard let filter = Scrobble.ListScrobbles.Filter(rawValue: word) else {
        throw LunaraError("web.badParameter", "filter is \(word). It must be all, pending or failed.")
      }
      let request = Scrobble.ListScrobbles(filter: filter, limit: try call.limit(50), after: call.after)
      let page = try await api.ask(request, of: .scrobble)
      return try .json(Shape.Page(Library.Page(items: page.items, next: page.next), Shape.scrobble))
    },
    Endpoint("GET", "/api/v1/scrobbles/loves", "listFailedLoves") { api, call in
      try .json(try await api.ask(Scrobble.ListFailedLoves(limit: try call.limit(50)), of: .scrobble))
    },
    Endpoint("POST", "/api/v1/scrobbles/retry", "retryScrobbles") { api, call in
      let request = Scrobble.RetryDeliveries(listen: try call.body(ListenBody.self).listen)
      return try .json(try await api.ask(request, of: .scrobble, within: .seconds(20)))
    },
    Endpoint("POST", "/api/v1/scrobbles/drop", "dropScrobbles") { api, call in
      let request = Scrobble.DropDeliveries(listen: try call.body(ListenBody.self).listen)
      return try .json(try await api.ask(request, of: .scrobble, within: .seconds(20)))
    },
    Endpoint("POST", "/api/v1/scrobbles/import", "importScrobbles") { api, call in
      let request = try call.body(ImportBody.self).request()
      return try .json(try await api.ask(request, of: .scrobble, within: .seconds(30)))
    },
    Endpoint("GET", "/api/v1/scrobbles/accounts", "listAccounts") { api, _ in
      try .json(Shape.Items(try await api.ask(Scrobble.ListAccounts(), of: .scrobble).accounts))
    },
    Endpoint("POST", "/api/v1/scrobbles/accounts", "addAccount") { api, call in
      let request = try call.body(AccountBody.self).request()
      return try .json(try await api.ask(request, of: .scrobble, within: .seconds(40)))
    },
    Endpoint("PATCH", "/api/v1/scrobbles/accounts", "switchAccounts") { api, call in
      struct Body: Decodable {
        var service: String?
        var account: String?
        var on: Bool
      }
      let body = try call.body(Body.self)
      let request = Scrobble.SwitchAccount(service: body.service, account: body.account, isOn: body.on)
      return try .json(Shape.Items(try await api.ask(request, of: .scrobble, within: .seconds(20)).accounts))
    },
    Endpoint("PUT", "/api/v1/scrobbles/private", "setPrivate") { api, call in
      let request = Scrobble.SetPrivate(for: try call.body(PrivateBody.self).duration())
      return try .json(Shape.Private(until: try await api.ask(request, of: .scrobble).until))
    },
    Endpoint("GET", "/api/v1/scrobbles/filters", "listFilters") { api, _ in
      try .json(Shape.Items(try await api.ask(Scrobble.ChangeFilters(), of: .scrobble).filters))
    },
    Endpoint("PATCH", "/api/v1/scrobbles/filters", "changeFilters") { api, call in
      struct Body: Decodable {
        var add: [Scrobble.Filter]?
        var remove: [Scrobble.Filter]?
      }
      let body = try call.body(Body.self)
      let request = Scrobble.ChangeFilters(add: body.add ?? [], remove: body.remove ?? [])
      return try .json(Shape.Items(try await api.ask(request, of: .scrobble).filters))
    },
  ]
}
