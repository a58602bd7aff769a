import Bus
import Client
import HTTP
import Messages
import Model

/// Plugins, what they find, and what people decide on it. A household without plugins has no resolver to ask: then the
/// list is empty, and all else is refused.
extension Endpoint {
  static let plugins: [Endpoint] = [
    Endpoint("GET", "/api/v1/plugins", "listPlugins") { api, _ in
      guard api.node.nodes().contains(.resolver) else {
        return .json(Resolver.PluginList(plugins: []).json)
      }
      return .json(try await api.askResolver(Resolver.ListPlugins()).json)
    },
    Endpoint("POST", "/api/v1/plugins", "offerPlugin", of: .resolver) { try $0.body(Resolver.OfferPlugin.self) },
    Endpoint("PUT", "/api/v1/plugins/order", "orderPlugins", of: .resolver) {
      try $0.body(Resolver.OrderPlugins.self)
    },
    Endpoint("POST", "/api/v1/plugins/updates", "findPluginUpdates", of: .resolver) {
      try $0.body(Resolver.FindUpdates.self)
    },
    Endpoint("POST", "/api/v1/plugins/{plugin}/former", "offerFormerVersion", of: .resolver) {
      Resolver.OfferFormerVersion(id: $0.text("plugin"))
    },
    Endpoint("POST", "/api/v1/plugins/{plugin}/allow", "allowPlugin", of: .resolver) { call in
      struct Body: Decodable {
        var sha256: String
        var inherits: [String]?
      }
      let body = try call.body(Body.self)
      return Resolver.AllowPlugin(id: call.text("plugin"), digest: body.sha256, inherits: body.inherits)
    },
    Endpoint("POST", "/api/v1/plugins/{plugin}/test", "testPlugin", of: .resolver) {
      Resolver.TestPlugin(id: $0.text("plugin"))
    },
    Endpoint("GET", "/api/v1/plugins/{plugin}/search", "searchByPlugin", of: .resolver) {
      Resolver.Search(words: try $0.required("q"), plugin: $0.text("plugin"))
    },
    Endpoint("PUT", "/api/v1/plugins/{plugin}", "setPlugin", of: .resolver) { call in
      struct Body: Decodable {
        var enabled: Bool?
        var settings: [Resolver.SettingValue]?
        var host: String?
        var server: ServerConsentBody?
      }
      let body = try call.body(Body.self)
      return Resolver.SetPlugin(
        id: call.text("plugin"), isEnabled: body.enabled, settings: body.settings, host: body.host,
        server: body.server?.consent)
    },
    Endpoint("DELETE", "/api/v1/plugins/{plugin}", "removePlugin", of: .resolver) {
      Resolver.RemovePlugin(id: $0.text("plugin"))
    },
    Endpoint("POST", "/api/v1/resolve", "findSources") { api, call in
      let body = try call.body(SourceRequestBody.self)
      let described = body.described.track
      let list: Resolver.SourceList
      if let verdict = body.verdict {
        list = try await api.askResolver(
          Resolver.DecideSource(
            described: described, plugin: body.plugin ?? "", sourceID: body.sourceID, verdict: verdict))
      } else {
        list = try await api.askResolver(
          Resolver.FindSources(described: described, isFresh: body.fresh ?? false))
      }
      return .json(list.json(of: described))
    },
    Endpoint("GET", "/api/v1/concerts", "listConcerts") { api, call in
      let filter = try call.parameters.concertFilter()
      let list = try await api.askResolver(Resolver.ListConcerts(artist: call.parameters.text("artist")))
      return .json(filter.apply(to: list, today: "\(Timestamp.now())"))
    },
    Endpoint("GET", "/api/v1/open", "openAddress", of: .resolver) {
      Resolver.OpenAddress(address: try $0.required("address"))
    },
  ]
}

extension QueryParameters {
  /// Returns the wish for concerts near a place, and within some months. The place goes no further than this service.
  fileprivate func concertFilter() throws -> ConcertFilter {
    var filter = ConcertFilter()
    if let text = text("near") {
      guard let place = ConcertFilter.Place(text) else {
        throw LunaraError("web.badParameter", "near is \(text). It must be a latitude and a longitude: 47.07,15.44.")
      }
      filter.near = place
    }
    if let within = try number("within", in: 1...ConcertFilter.mostKilometres) { filter.within = Double(within) }
    filter.months = try number("months", in: 1...ConcertFilter.mostMonths)
    return filter
  }
}

/// A person's answer to whether a plugin may ask a server.
struct ServerConsentBody: Decodable {
  var setting, address, sha256: String
  var allowed: Bool

  var consent: Resolver.ServerConsent {
    .init(setting: setting, address: address, digest: sha256, isAllowed: allowed)
  }
}

/// The body of `POST /api/v1/sources`: a track, and where a person decides on a source of it, the decision.
struct SourceRequestBody: Decodable {
  var described: DescribedTrackBody
  var fresh: Bool?
  var plugin: String?
  var sourceID: String?
  var verdict: Resolver.Verdict?
}
