import Bus
import Catalogue
import HTTP
import Media
import Model
import ProviderRuns
import Records
import ServiceKit
import Sources
import Storage

@main struct Main {
  static func main() async {
    await ServiceProcess.run(role: "library", schema: .library) { context in
      let database = try context.database("library")
      let journal = try await context.journal(in: database)
      let node = try await context.startNode(journal: journal)
      let folders = MusicFolders.normalised(
        context.settings.music, workingDirectory: MusicFolders.workingDirectory())
      let store = CredentialStore(home: context.settings.home)
      let http = HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)")
      let kinds = SourceKinds(
        in: .init(settings: context.settings, credentials: store, http: http, log: context.log))
      let media = MediaAddress(setting: try context.settings.media, listening: await node.listeningHost)
      let providers = ProviderProcess(node: node, folder: ProvidersFolder(home: context.settings.home))
      let service = LibraryService(
        node: node, database: database, journal: journal, folders: folders, kinds: kinds,
        home: context.settings.home, hostID: context.hostID, log: context.log,
        artSpace: try context.settings.artSpace, sharesEvery: try context.settings.sharesEvery,
        tagSettings: try TagSettings { context.settings[$0] },
        mediaAddress: media, http: http, coverArt: context.settings["LUNARA_COVERART_URL"],
        providers: providers.services, providersFolder: providers.folder, hide: { try await providers.hide($0) })
      let newest = try await database.read(ClockCorrection.newestListen)
      try await service.start()
      context.onReload { Task { await service.refresh() } }
      let clock = Task { await ClockStep.follow { await service.correct($0, after: newest) } }
      await context.ready(node) { try await database.read { _ in } }
      await context.stopRequested()
      clock.cancel()
      await service.stop()
      await node.close()
      await database.close()
    }
  }
}
