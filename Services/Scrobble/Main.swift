import Bus
import HTTP
import Model
import ServiceKit
import Storage

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "scrobble", schema: .scrobble) { context in
      let settings = context.settings
      let database = try context.database("scrobble", readers: 1)
      let journal = try await context.journal(in: database)
      let node = try await context.startNode(journal: journal)
      let accounts = AccountContext(
        database: database, journal: journal,
        credentials: AccountCredentials(store: CredentialStore(home: settings.home)),
        http: HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)"), log: context.log, setting: { settings[$0] })
      let work = try await Scrobbler(node: node, accounts: accounts).start()
      await context.ready(node) { try await database.read { _ in } }
      await context.stopRequested()
      await work.stop()
      await node.close()
      await database.close()
    }
  }
}
