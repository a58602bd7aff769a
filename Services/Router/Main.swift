import Bus
import ServiceKit

@main struct Main {
  static func main() async {
    await Service.run(role: "router") { context in
      let node = try await context.startNode()
      await Coordinator(node: node, log: context.log).start()
      let upkeep = Upkeep(asking: node, log: context.log)
      await upkeep.follow(node)
      context.ready()
      await context.stopRequested()
      await upkeep.stop()
      await node.close()
    }
  }
}
