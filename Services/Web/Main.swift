import Bus
import HTTP
import Model
import ServiceKit

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "web", name: \.nameOnThisMachine) { context in
      let place = try place(context.settings)
      let isOpen = RequestGuard.isLoopback(place.address) && place.proxies.isEmpty
      let authenticator =
        isOpen ? SessionAuthenticator() : try SessionAuthenticator(home: context.settings.home) { context.log.warning($0) }
      let node = try await context.startNode()
      let service = try await WebService(
        node: node, log: context.log, hostID: context.hostID, at: place, authenticator: authenticator)
      let shown = place.address.contains(":") ? "[\(place.address)]" : place.address
      context.log.info("the page is at \(place.identity == nil ? "http" : "https")://\(shown):\(service.port)")
      if !isOpen, place.identity == nil, place.proxies.isEmpty {
        context.log.warning(
          "the page's password goes unencrypted over the network: give LUNARA_WEB_CERT and LUNARA_WEB_KEY, or use a proxy",
          ["address": shown])
      }
      await context.ready(node) { await service.prove() }
      await context.stopRequested()
      await service.stop()
      await node.close()
    }
  }

  /// Where and to whom the page is served.
  private static func place(_ settings: Settings) throws -> WebService.Place {
    func list(_ name: String) -> [String] {
      (settings[name] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
    }
    let (host, port) = try Settings.address(settings.web, of: "LUNARA_WEB")
    var place = WebService.Place(
      address: host == "localhost" ? "127.0.0.1" : host, port: port, names: list("LUNARA_WEB_NAMES"),
      proxies: Set(try list("LUNARA_WEB_PROXY").map(proxy)))
    switch (settings["LUNARA_WEB_CERT"], settings["LUNARA_WEB_KEY"]) {
    case (let certificate?, let key?): place.identity = try TLSCertificate(certificate: certificate, key: key)
    case (nil, nil): break
    default:
      throw LunaraError(
        "http.badCertificate",
        "LUNARA_WEB_CERT and LUNARA_WEB_KEY go together: a certificate and its key, as PEM files.")
    }
    return place
  }

  /// A proxy's address as its connections show it: what could never be equal to one would be no proxy, and nobody told.
  private static func proxy(_ text: String) throws -> String {
    guard let address = ClientAddress.canonical(text) else {
      throw LunaraError(
        "settings.badAddress",
        "LUNARA_WEB_PROXY holds numeric addresses of proxies, such as 127.0.0.1,::1, and no names or networks.",
        cause: text)
    }
    return address
  }
}
