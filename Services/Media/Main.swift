import Bus
import HTTP
import Model
import ServiceKit

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "media") { context in
      let node = try await context.startNode()
      let address = MediaAddress(setting: try context.settings.media, listening: await node.listeningHost)
      let service = MediaService(
        node: node, address: address, home: context.settings.home,
        http: HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)"), log: context.log)
      let start = service.start()
      await context.ready(node)
      await context.stopRequested()
      start.cancel()
      await start.value
      await service.stop()
      await node.close()
    }
  }
}
