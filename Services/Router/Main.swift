import Bus
import ServiceKit

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "router") { context in
      let node = try await context.startNode()
      let handler = RouterRequestHandler(node: node, log: context.log)
      await handler.start()
      let maintenance = QueueMaintenance(sender: node, log: context.log)
      await maintenance.follow(node)
      await context.ready(node) { _ = await handler.rooms() }
      await context.stopRequested()
      await maintenance.stop()
      await handler.moves.stop()
      await node.close()
    }
  }
}
