import Bus
import HTTP
import Model
import ServiceKit
import System

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "web", name: \.nameOnThisMachine) { context in
      let listen = try listenAddress(context.settings)
      let files = try PageFiles.ofThisProgram()
      if let problem = files.problem {
        context.log.warning("the page opens more slowly, as its modules cannot be joined", ["cause": problem])
      }
      let isOpen = Loopback.isHost(listen.address) && listen.proxies.isEmpty
      let authenticator =
        isOpen
        ? SessionAuthenticator() : try SessionAuthenticator(home: context.settings.home) { context.log.warning($0) }
      let node = try await context.startNode()
      let service = try await WebService(
        node: node, log: context.log, hostID: context.hostID, at: listen, files: files, authenticator: authenticator,
        home: context.settings.home)
      let shown = listen.address.contains(":") ? "[\(listen.address)]" : listen.address
      context.log.info("the page is at \(listen.identity == nil ? "http" : "https")://\(shown):\(service.port)")
      if !isOpen, listen.identity == nil, listen.proxies.isEmpty {
        context.log.warning(
          "the page's password is sent over the network unencrypted: set LUNARA_WEB_CERT and LUNARA_WEB_KEY, or use a proxy",
          ["address": shown])
      }
      await context.ready(node) { await service.checkResponsive() }
      await context.stopRequested()
      await service.stop()
      await node.close()
    }
  }

  /// Reads the settings that begin with `LUNARA_WEB`. Throws `settings.badAddress`, `http.badCertificate`.
  private static func listenAddress(_ settings: Settings) throws -> WebService.ListenAddress {
    func list(_ name: String) -> [String] {
      (settings[name] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
    }
    let (host, port) = try Settings.address(settings.web, of: "LUNARA_WEB")
    var listen = WebService.ListenAddress(
      address: host == "localhost" ? "127.0.0.1" : host, port: port, names: list("LUNARA_WEB_NAMES"),
      proxies: Set(try list("LUNARA_WEB_PROXY").map(proxy)))
    switch (settings["LUNARA_WEB_CERT"], settings["LUNARA_WEB_KEY"]) {
    case (let certificate?, let key?): listen.identity = try TLSCertificate(certificate: certificate, key: key)
    case (nil, nil): break
    default:
      throw LunaraError(
        "http.badCertificate",
        "LUNARA_WEB_CERT and LUNARA_WEB_KEY belong together: set both, to a certificate and its key as PEM files.")
    }
    return listen
  }

  /// Returns a proxy's address in the form of clients' addresses. An address in any other form would never equal one of
  /// them, and the proxy would silently not be trusted.
  private static func proxy(_ text: String) throws -> String {
    guard let address = ClientAddress.canonical(text) else {
      throw LunaraError(
        "settings.badAddress",
        "LUNARA_WEB_PROXY must hold numeric addresses of proxies, such as 127.0.0.1,::1, and no names or networks.",
        cause: text)
    }
    return address
  }
}
