import Bus
import HTTP
import Model
import ServiceKit
import Storage

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "scrobble") { context in
      let settings = context.settings
      let database = try context.database(
        "scrobble", migrations: Scrobbler.migrations, readers: 1, saving: Schema.saved)
      let journal = try await context.journal(in: database)
      let node = try await context.startNode(journal: journal)
      let http = HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)")
      var addresses: [ScrobbleService: String] = [:]
      addresses[.lastfm] = settings["LUNARA_LASTFM_URL"]
      addresses[.listenbrainz] = settings["LUNARA_LISTENBRAINZ_URL"]
      let scrobbler = Scrobbler(
        node: node,
        accounts: AccountDesk.Needs(
          database: database, journal: journal, keyring: Keyring(store: CredentialStore(home: settings.home)),
          http: http,
          door: LastFMDoor(http: http, key: settings["LUNARA_LASTFM_KEY"], secret: settings["LUNARA_LASTFM_SECRET"]),
          addresses: addresses, listenBrainzToken: settings["LUNARA_LISTENBRAINZ_TOKEN"], log: context.log))
      let work = try await scrobbler.start()
      await context.ready(node) { try await database.read { _ in } }
      await context.stopRequested()
      await work.stop()
      await node.close()
      await database.close()
    }
  }
}
