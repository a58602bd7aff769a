import Bus
import ServiceKit

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "router") { context in
      let node = try await context.startNode()
      let coordinator = Coordinator(node: node, log: context.log)
      await coordinator.start()
      let upkeep = Upkeep(asking: node, log: context.log)
      await upkeep.follow(node)
      await context.ready(node) { _ = await coordinator.rooms() }
      await context.stopRequested()
      await upkeep.stop()
      await coordinator.moves.stop()
      await node.close()
    }
  }
}
