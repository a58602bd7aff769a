import Bus
import Model
import ServiceKit
import System

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "nowplaying", name: { $0["LUNARA_DESKTOP"] ?? $0.nameOnThisMachine }) { context in
      let settings = context.settings
      var setup = NowPlayingService.Setup(
        host: context.hostID, coverFolder: "\(settings.run)/covers-\(context.id.name)",
        webName: settings.nameOnThisMachine)
      setup.notified = NotifiedRooms(settings["LUNARA_NOTIFY"])
      let (host, port) = try Settings.address(settings.web, of: "LUNARA_WEB")
      let address = PageOpener.address(host: host, port: port, isEncrypted: settings["LUNARA_WEB_CERT"] != nil)
      setup.page = PageOpener(address: address, environment: environment())
      let node = try await context.startNode()
      let service = NowPlayingService(node: node, log: context.log, setup: setup)
      let work = Task { await service.run() }
      await context.ready(node) { await service.checkResponsive() }
      await context.stopRequested()
      work.cancel()
      await work.value
      await node.close()
    }
  }

  /// Returns the environment of this process without Lunara's own variables, which may be secret.
  private static func environment() -> Environment {
    Environment(Environment.ofProcess().variables.filter { !$0.key.hasPrefix("LUNARA_") })
  }
}
