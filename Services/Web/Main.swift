import Bus
import Model
import ServiceKit

@main struct Main {
  static func main() async {
    await Service.run(role: "web", name: \.nameOnThisMachine) { context in
      let (host, port) = try Settings.address(context.settings.web, of: "LUNARA_WEB")
      let address = host == "localhost" ? "127.0.0.1" : host
      let names = (context.settings["LUNARA_WEB_NAMES"] ?? "").split(separator: ",").map(String.init)
      let node = try await context.startNode()
      let service = try await WebService(
        node: node, log: context.log, hostID: context.hostID, address: address, port: port, names: names)
      let shown = address.contains(":") ? "[\(address)]" : address
      context.log.info("the page is at http://\(shown):\(service.port)")
      if !RequestGuard.isLoopback(address) {
        context.log.warning(
          "whoever reaches \(address) can steer the music: there is no password yet", ["address": shown])
      }
      context.ready()
      await context.stopRequested()
      await service.stop()
      await node.close()
    }
  }
}
