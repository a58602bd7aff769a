import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Sync

/// The process of the service: its node on the bus, and the kinds of providers. It has no database.
package enum ProvidersProcess {
  /// Runs the service until it is asked to stop.
  package static func run() async {
    await ServiceProcess.run(role: "providers") { context in
      let node = try await context.startNode()
      let http = HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)")
      let secrets = ProviderSecrets(store: CredentialStore(home: context.settings.home))
      let listenBrainz = ListenBrainzAccount(
        http: http, secrets: secrets,
        settings: (context.settings["LUNARA_LISTENBRAINZ_URL"], context.settings["LUNARA_LISTENBRAINZ_TOKEN"]))
      let service = ProvidersService(services: [listenBrainz, SpotifyAccount(http: http, secrets: secrets)]) {
        try await ListenBrainzDislikes(account: listenBrainz).hide($0)
      }
      await service.start(on: node)
      await context.ready(node)
      await context.stopRequested()
      await service.stop()
      await node.close()
    }
  }
}
