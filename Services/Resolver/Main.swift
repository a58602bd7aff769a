import Bus
import HTTP
import Model
import ServiceKit
import Storage

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "resolver", schema: .resolver) { context in
      let database = try context.database("resolver", readers: 2)
      let node = try await context.startNode()
      let service = ResolverService(
        node: node, home: context.settings.home, hostID: context.hostID, database: database, log: context.log,
        http: HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)"),
        household: try HouseholdServers(context.settings, node: node),
        pageReader: PageReader(path: context.settings["LUNARA_YT_DLP"]),
        accounts: AccountSetup(services: AccountService.all { context.settings[$0] }))
      let work = try await service.start()
      await context.ready(node) { try await database.read { _ in } }
      await context.stopRequested()
      await work.stop()
      await node.close()
      await database.close()
    }
  }
}
