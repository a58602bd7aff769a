import Bus
import Client
import HTTP
import Messages
import Model

/// The accounts of plugins, and the devices on which they play.
extension Endpoint {
  static let pluginAccounts: [Endpoint] = [
    Endpoint("POST", "/api/v1/plugins/{plugin}/sign-in", "beginPluginSignIn", of: .resolver) {
      try $0.body(Resolver.BeginSignIn.self, fixed: ["plugin": $0.text("plugin")])
    },
    Endpoint("PUT", "/api/v1/plugins/{plugin}/sign-in", "finishPluginSignIn", of: .resolver) {
      try $0.body(Resolver.FinishSignIn.self, fixed: ["plugin": $0.text("plugin")])
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
