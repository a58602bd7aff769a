import Bus
import Client
import HTTP
import Messages
import Model

extension Endpoint {
  /// The endpoints for sources of music, and for signing in to services.
  static let sources: [Endpoint] = [
    Endpoint("GET", "/api/v1/sources", "listSources") { api, _ in
      .json(try await api.ask(Library.ListSources(), of: .library))
    },
    Endpoint("POST", "/api/v1/sources", "addSource") { api, call in
      let request = try call.body(SourceRequestBody.self).request()
      return .json(try await api.ask(request, of: .library, within: .seconds(30)))
    },
    Endpoint("PUT", "/api/v1/sources/order", "orderSources") { api, call in
      struct Body: Decodable { var names: [String] }
      let request = Library.OrderSources(names: try call.body(Body.self).names)
      return .json(try await api.ask(request, of: .library, within: .seconds(30)))
    },
    Endpoint("PUT", "/api/v1/sources/{name}/section", "switchSection") { api, call in
      struct Body: Decodable {
        var section: String
        var on: Bool
      }
      let body = try call.body(Body.self)
      let request = Library.SwitchSection(source: call.text("name"), section: body.section, isOn: body.on)
      _ = try await api.ask(request, of: .library, within: .seconds(30))
      return .done()
    },
    Endpoint("DELETE", "/api/v1/sources/{name}", "removeSource") { api, call in
      // A slow machine may have to delete several hundred thousand tracks.
      _ = try await api.ask(Library.RemoveSource(name: call.text("name")), of: .library, within: .seconds(180))
      return .done()
    },
    Endpoint("POST", "/api/v1/sync", "sync") { api, call in
      struct Body: Decodable {
        var source: String?
        var acceptDeletions: Bool?
      }
      let body = try call.body(Body.self)
      _ = try await api.ask(
        Library.Sync(source: body.source, acceptDeletions: body.acceptDeletions), of: .library)
      return .done()
    },
    Endpoint("POST", "/api/v1/sign-ins", "beginSignIn") { try await $0.beginSignIn($1) },
    Endpoint("GET", "/api/v1/sign-ins/{service}/{id}", "readSignIn") { try await $0.readSignIn($1) },
    Endpoint("POST", "/api/v1/sign-outs", "signOutOf") { try await $0.signOut($1) },
  ]
}

extension API {
  /// Returns true if a service receives scrobbles; all others are sources of music.
  ///
  /// - Throws: the error of a scrobbler that does not answer, unless the library knows the service.
  private func receivesScrobbles(_ service: String) async throws -> Bool {
    // A household without a scrobbler is not to wait for one.
    let isThere = await household.nodesThatAreThere().contains(.scrobble)
    do {
      let list = try await ask(Scrobble.ListServices(), of: .scrobble, within: .seconds(isThere ? 10 : 1))
      return list.services.contains { $0.kind == service }
    } catch {
      let known = try await ask(Library.ListSources(), of: .library)
      let isSource = known.sources.contains { $0.status.name == service }
      guard isSource || known.kinds?.contains(where: { $0.kind == service }) == true else { throw error }
      return false
    }
  }

  fileprivate func beginSignIn(_ call: Call) async throws -> HTTPServerResponse {
    struct Body: Decodable {
      var service: String
      var address: String?
      var page: String?
    }
    let body = try call.body(Body.self)
    let service = body.service
    if try await receivesScrobbles(service) {
      let request = Scrobble.BeginSignIn(service: service, address: body.address, page: body.page)
      return .json(try await ask(request, of: .scrobble, within: .seconds(40)).json(at: service))
    }
    let signIn = try await ask(Library.BeginSignIn(service: service), of: .library, within: .seconds(30))
    return .json(signIn.json(at: service))
  }

  fileprivate func readSignIn(_ call: Call) async throws -> HTTPServerResponse {
    let id = call.text("id")
    if try await receivesScrobbles(call.text("service")) {
      return .json(try await ask(Scrobble.ReadSignIn(id: id), of: .scrobble))
    }
    return .json(try await ask(Library.ReadSignIn(id: id), of: .library))
  }

  fileprivate func signOut(_ call: Call) async throws -> HTTPServerResponse {
    struct Body: Decodable {
      var service: String
      var account: String?
    }
    let body = try call.body(Body.self)
    if try await receivesScrobbles(body.service) {
      let request = Scrobble.SignOut(service: body.service, account: body.account)
      _ = try await ask(request, of: .scrobble, within: .seconds(20))
    } else {
      _ = try await ask(Library.SignOut(service: body.service), of: .library, within: .seconds(20))
    }
    return .done()
  }
}

/// The body of `POST /api/v1/sources`.
struct SourceRequestBody: Decodable {
  private var type: String
  private var address: String
  private var user: String?
  private var secret: String?
  private var exposesPassword: Bool?
  private var forwardsPlays: Bool?
  private var settings: [Library.ChosenSetting]?

  /// Returns the request to the library.
  ///
  /// - Throws: `web.badBody`.
  func request() throws -> Library.AddSource {
    guard !type.isEmpty else { throw LunaraError("web.badBody", "type is empty.") }
    guard !address.isEmpty else { throw LunaraError("web.badBody", "address is empty.") }
    return Library.AddSource(
      type: type, address: address, user: user, secret: secret, exposesPassword: exposesPassword,
      forwardsPlays: forwardsPlays, settings: settings)
  }
}
