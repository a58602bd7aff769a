import Bus
import Model
import ServiceKit
import Storage

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "discovery", schema: .discovery) { context in
      let database = try context.database("discovery", readers: 2)
      let node = try await context.startNode()
      let service = try await DiscoveryService(
        node: node, database: database, log: context.log, json: PackageResources.taxonomy_json,
        access: OutsideAccess(node: node) { context.settings[$0] })
      let work = try await service.start()
      await context.ready(node) { try await database.read { _ in } }
      await context.stopRequested()
      await work.stop()
      await node.close()
      await database.close()
    }
  }
}
