import Bus
import ServiceKit
import Storage

@main struct Main {
  static func main() async {
    await Service.run(role: "scrobble") { context in
      let database = try context.database("scrobble", migrations: Scrobbler.migrations, readers: 1)
      let journal = try await context.journal(in: database)
      let node = try await context.startNode(journal: journal)
      let scrobbler = Scrobbler(node: node, database: database, journal: journal, log: context.log)
      let work = await scrobbler.start()
      context.ready()
      await context.stopRequested()
      work.cancel()
      await node.close()
      await database.close()
    }
  }
}
