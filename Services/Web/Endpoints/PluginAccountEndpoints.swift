import Bus
import Client
import HTTP
import Messages
import Model

/// The accounts of plugins, and the devices on which they play.
extension Endpoint {
  static let pluginAccounts: [Endpoint] = [
    Endpoint("POST", "/api/v1/plugins/{plugin}/sign-in", "beginPluginSignIn", of: .resolver) { call in
      struct Body: Decodable { var clientID, clientSecret: String? }
      let body = try call.body(Body.self)
      return Resolver.BeginSignIn(
        plugin: call.text("plugin"), clientID: body.clientID, clientSecret: body.clientSecret)
    },
    Endpoint("PUT", "/api/v1/plugins/{plugin}/sign-in", "finishPluginSignIn", of: .resolver) { call in
      struct Body: Decodable { var redirect: String }
      return Resolver.FinishSignIn(plugin: call.text("plugin"), redirect: try call.body(Body.self).redirect)
    },
    Endpoint("DELETE", "/api/v1/plugins/{plugin}/sign-in", "signOutOfPlugin", of: .resolver) {
      Resolver.SignOut(plugin: $0.text("plugin"))
    },
    Endpoint("GET", "/api/v1/plugins/{plugin}/devices", "listPluginDevices", of: .resolver) {
      Resolver.ListDevices(plugin: $0.text("plugin"))
    },
    Endpoint("POST", "/api/v1/plugins/{plugin}/play", "playOnDevice", of: .resolver) { call in
      struct Body: Decodable {
        var described: [DescribedTrackBody]
        var device: String?
      }
      let body = try call.body(Body.self)
      return Resolver.PlayOnDevice(
        plugin: call.text("plugin"), described: body.described.map(\.track), device: body.device)
    },
  ]
}
