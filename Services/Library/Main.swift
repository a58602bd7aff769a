import Bus
import HTTP
import Model
import ServiceKit
import Storage
import Text

@main struct Main {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    if words.first == SearchBench.verb, words.count == 2, let path = words.last {
      return await SearchBench(path: path).runToEnd()
    }
    await ServiceProcess.run(role: "library") { context in
      let database = try context.database(
        "library", migrations: Journal.migrations + Catalogue.migrations, saving: Catalogue.savedTables,
        finish: Catalogue.repairs)
      let journal = try await context.journal(in: database)
      let node = try await context.startNode(journal: journal)
      let folders = MusicFolders.normalised(
        context.settings.music, workingDirectory: MusicFolders.workingDirectory())
      let store = CredentialStore(home: context.settings.home)
      let http = HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)")
      let keyring = PlexCredentialStore(store: store, http: http, log: context.log)
      let media = MediaAddress(setting: try context.settings.media, listening: await node.listeningHost)
      let service = try LibraryService(
        node: node, database: database, journal: journal, folders: folders,
        kinds: [PlexSource.kind(keyring, context.settings), SubsonicServer.kind(http, context.settings)],
        secrets: StoredSecrets(store: store),
        plex: (keyring, context.settings["LUNARA_PLEX_CLOUD"]), home: context.settings.home, hostID: context.hostID,
        log: context.log, artSpace: try context.settings.artSpace, mediaAddress: media, http: http)
      try await service.start()
      context.onReload { Task { await service.refresh() } }
      await context.ready(node) { try await database.read { _ in } }
      await context.stopRequested()
      await service.stop()
      await node.close()
      await database.close()
    }
  }
}
