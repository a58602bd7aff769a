import Bus
import ServiceKit

@main struct Main {
  static func main() async {
    await Service.run(role: "nowplaying", name: \.nameOnThisMachine) { context in
      let node = try await context.startNode()
      let service = NowPlaying(node: node, host: context.hostID, log: context.log)
      let work = Task { await service.run() }
      context.ready()
      await context.stopRequested()
      work.cancel()
      await work.value
      await node.close()
    }
  }
}
