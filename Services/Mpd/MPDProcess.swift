import Bus
import Client
import HTTP
import Model
import ServiceKit
import System

/// The process of the service: its node on the bus and the server for clients.
package enum MPDProcess {
  /// Runs the service until it is asked to stop.
  package static func run() async {
    await ServiceProcess.run(role: "mpd", name: \.nameOnThisMachine) { context in
      let setup = try Setup(context.settings)
      let node = try await context.startNode()
      let client = Client(node: node)
      let http = HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)")
      let household = Household(
        client: client, preferred: context.settings.room,
        pictures: Pictures(client: client, host: context.hostID, http: http))
      let server = try await MPDServer(
        household: household, access: Access(password: setup.password), host: setup.host, port: setup.port,
        log: context.log)
      node.metrics.gauge("mpd_connections", "Connections of MPD clients.") {
        Double(await household.connectionCount)
      }
      context.log.info("MPD clients are served.", ["address": setup.host, "port": "\(await server.port)"])
      let work = Task { await household.follow { await server.serve($0) } }
      await context.ready(node) { await server.checkResponsive() }
      await context.stopRequested()
      work.cancel()
      await server.stop()
      await work.value
      await node.close()
    }
  }

  /// The settings of the service.
  struct Setup: Equatable {
    var host: String
    var port: UInt16
    /// The password that clients have to send; nil if none is needed.
    var password: String?

    /// Reads the settings.
    ///
    /// - Throws: `mpd.off`, `mpd.passwordNeeded`, `settings.badAddress`.
    init(_ settings: Settings) throws {
      guard let text = settings["LUNARA_MPD"] else {
        throw LunaraError(
          "mpd.off", "MPD clients are not served. Set LUNARA_MPD to the address for them, such as 127.0.0.1:6600.")
      }
      let address = try Settings.address(text, of: "LUNARA_MPD")
      host = address.host
      port = address.port
      password = settings["LUNARA_MPD_PASSWORD"].flatMap { $0.isEmpty ? nil : $0 }
      guard password != nil || Loopback.isHost(host) else {
        throw LunaraError(
          "mpd.passwordNeeded",
          "Other machines reach \(host), so MPD clients need a password. Set LUNARA_MPD_PASSWORD, or listen at 127.0.0.1."
        )
      }
    }
  }
}
