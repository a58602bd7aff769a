import Bus
import CPlatform
import Glibc
import Model
import ServiceKit

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "nowplaying", name: { $0["LUNARA_DESKTOP"] ?? $0.nameOnThisMachine }) { context in
      let settings = context.settings
      var setup = NowPlaying.Setup(
        host: context.hostID, coverFolder: "\(settings.run)/covers-\(context.id.name)",
        webName: settings.nameOnThisMachine)
      setup.notified = NotifiedRooms(settings["LUNARA_NOTIFY"])
      let (host, port) = try Settings.address(settings.web, of: "LUNARA_WEB")
      if let path = getenv("PATH") {
        setup.page = PageOpener(
          address: PageOpener.address(
            host: host, port: port, isEncrypted: settings["LUNARA_WEB_CERT"] != nil),
          path: String(cString: path), environment: variables())
      }
      let node = try await context.startNode()
      let service = NowPlaying(node: node, log: context.log, setup: setup)
      let work = Task { await service.run() }
      await context.ready(node) { await service.prove() }
      await context.stopRequested()
      work.cancel()
      await work.value
      await node.close()
    }
  }

  /// The variables of this process, as `NAME=value`, without what is Lunara's own, which may be secret.
  private static func variables() -> [String] {
    var variables: [String] = []
    var next = lunara_environment()
    while let variable = next.pointee {
      let text = String(cString: variable)
      if !text.hasPrefix("LUNARA_") { variables.append(text) }
      next += 1
    }
    return variables
  }
}
