import HTTP
import Model

extension Endpoint {
  /// Signing in at the page.
  static let sessions: [Endpoint] = [
    Endpoint("GET", "/api/v1/session", "readSession", .open) { api, call in
      try .json(await api.authenticator.standing(of: call.client.session))
    },
    Endpoint("POST", "/api/v1/session", "signIn", .open) { api, call in
      struct Body: Decodable { var password: String }
      let token = try await api.authenticator.signIn(try call.body(Body.self).password, from: call.client.address)
      var answer = try HTTPServerResponse.json(await api.authenticator.standing(of: token))
      if let token { answer.headers.append(("Set-Cookie", token.cookie(isEncrypted: call.client.isEncrypted))) }
      return answer
    },
    Endpoint("DELETE", "/api/v1/session", "signOut", .open) { api, call in
      if let token = call.client.session {
        await api.authenticator.signOut(token)
        await api.household.end(sessions: [token])
      }
      var answer = try HTTPServerResponse.json(await api.authenticator.standing(of: nil))
      answer.headers.append(("Set-Cookie", SessionToken.noCookie(isEncrypted: call.client.isEncrypted)))
      return answer
    },
  ]
}
