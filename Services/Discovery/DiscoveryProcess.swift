import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Storage

/// The process of the service: its database, its node on the bus, and the parts that answer requests.
package enum DiscoveryProcess {
  /// Runs the service until it is asked to stop.
  package static func run() async {
    await ServiceProcess.run(role: "discovery", schema: .discovery) { context in
      let database = try context.database("discovery", readers: 2)
      let node = try await context.startNode()
      let access = OutsideAccess(node: node) { context.settings[$0] }
      let service = try await DiscoveryService(
        node: node, database: database, log: context.log, json: Taxonomy.builtIn, access: access)
      let work = try await service.start()
      let readAlbum: @Sendable (AlbumID) async throws -> Library.AlbumPage = {
        try await node.request(Library.ReadAlbum(id: $0), to: .library, within: .seconds(20))
      }
      let reviews = ReviewService(
        store: ReviewStore(database: database), credentials: CredentialStore(home: context.settings.home),
        http: HTTPClient(userAgent: "Lunara/\(LunaraVersion.current)"), log: context.log,
        readAlbum: readAlbum)
      await reviews.serve(on: node)
      let articles = ArticleService(
        store: ArticleStore(database: database),
        finder: ArticleFinder(
          musicBrainz: access.musicBrainz, wikipedia: WikipediaClient { context.settings[$0] }, readAlbum: readAlbum,
          now: { .now() }), log: context.log
      ) { try await node.request(Library.ReadArtist(id: $0), to: .library, within: .seconds(20)) }
      await articles.serve(on: node)
      await context.ready(node) { try await database.read { _ in } }
      await context.stopRequested()
      await reviews.stop()
      await articles.stop()
      await work.stop()
      await node.close()
      await database.close()
    }
  }
}
