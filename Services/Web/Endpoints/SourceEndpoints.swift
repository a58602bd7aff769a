import Bus
import Client
import HTTP
import Messages
import Model

extension Endpoint {
  static let sources: [Endpoint] = [
    Endpoint("GET", "/api/v1/sources", "listSources", of: .library) { _ in Library.ListSources() },
    Endpoint("POST", "/api/v1/sources", "addSource", of: .library) { call in
      let request = try call.body(Library.AddSource.self)
      guard !request.type.isEmpty else { throw LunaraError("web.badBody", "type is empty.") }
      guard !request.address.isEmpty else { throw LunaraError("web.badBody", "address is empty.") }
      return request
    },
    Endpoint("PUT", "/api/v1/sources/order", "orderSources", of: .library) { try $0.body(Library.OrderSources.self) },
    Endpoint("PUT", "/api/v1/sources/{name}/section", "switchSection", of: .library) {
      try $0.body(Library.SwitchSection.self, fixed: ["source": $0.text("name")])
    },
    Endpoint("DELETE", "/api/v1/sources/{name}", "removeSource", of: .library) {
      Library.RemoveSource(name: $0.text("name"))
    },
    Endpoint("POST", "/api/v1/sync", "sync", of: .library) {
      try $0.body(Library.Sync.self)
    } shape: { _ in
      Done().json
    },
    Endpoint("POST", "/api/v1/sign-ins", "beginSignIn") { try await $0.beginSignIn($1) },
    Endpoint("GET", "/api/v1/sign-ins/{service}/{id}", "readSignIn") { try await $0.readSignIn($1) },
    Endpoint("POST", "/api/v1/sign-outs", "signOutOf") { try await $0.signOut($1) },
  ]
}

extension EndpointContext {
  /// Returns true if a service receives scrobbles, false if it is a source of music. Throws the error of a scrobbler
  /// that does not answer, unless the library knows the service.
  private func receivesScrobbles(_ service: String) async throws -> Bool {
    // Without a reachable scrobbler the answer is awaited for 1 s only.
    let isThere = await household.reachableNodes().contains(.scrobble)
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
    let request = try call.body(Scrobble.BeginSignIn.self)
    if try await receivesScrobbles(request.service) {
      return .json(try await ask(request, of: .scrobble).json(at: request.service))
    }
    let signIn = try await ask(Library.BeginSignIn(service: request.service), of: .library)
    return .json(signIn.json(at: request.service))
  }

  fileprivate func readSignIn(_ call: Call) async throws -> HTTPServerResponse {
    let id = call.text("id")
    if try await receivesScrobbles(call.text("service")) {
      return .json(try await ask(Scrobble.ReadSignIn(id: id), of: .scrobble))
    }
    return .json(try await ask(Library.ReadSignIn(id: id), of: .library))
  }

  fileprivate func signOut(_ call: Call) async throws -> HTTPServerResponse {
    let request = try call.body(Scrobble.SignOut.self)
    if try await receivesScrobbles(request.service) {
      _ = try await ask(request, of: .scrobble)
    } else {
      _ = try await ask(Library.SignOut(service: request.service), of: .library)
    }
    return .json(Done())
  }
}
