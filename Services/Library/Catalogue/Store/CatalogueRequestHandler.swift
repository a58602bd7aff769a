package import Bus
import Messages
package import Model
package import Records
package import Storage

/// Answers the requests that read the catalogue.
package struct CatalogueRequestHandler: Sendable {
  let queries: QueryServer
  /// The music folders, which change while the library runs.
  let folders: MusicFolders
  let searches: SearchCache
  /// Returns the sources that answer and were read as a whole.
  let answering: @Sendable () async throws -> Set<String>

  package init(
    queries: QueryServer, folders: MusicFolders, searches: SearchCache,
    answering: @escaping @Sendable () async throws -> Set<String>
  ) {
    self.queries = queries
    self.folders = folders
    self.searches = searches
    self.answering = answering
  }

  package func start(on node: Node) async {
    let (queries, folders, searches, answering) = (queries, folders, searches, answering)
    let lists = ListCache()
    await queries.serve(Library.ListAlbums.self, on: node) {
      try Catalogue.albums($0, randomSeed: .random(in: .min ... .max), keeping: lists, $1)
    }
    await queries.serve(Library.ReadAlbumWindow.self, on: node) {
      try Catalogue.window($0, randomSeed: .random(in: .min ... .max), keeping: lists, $1)
    }
    await queries.serve(Library.ListTracks.self, on: node) {
      try Catalogue.tracks($0, randomSeed: .random(in: .min ... .max), keeping: lists, $1)
    }
    await queries.serve(Library.ReadTrackWindow.self, on: node) {
      try Catalogue.trackWindow($0, randomSeed: .random(in: .min ... .max), keeping: lists, $1)
    }
    await queries.serve(Library.IndexTracks.self, on: node) { try Catalogue.trackIndex($0, $1) }
    await queries.serve(Library.ListAlbumFeatures.self, on: node) { try Catalogue.albumFeatures($0, $1) }
    await queries.serve(Library.IndexAlbums.self, on: node) { try Catalogue.index($0, $1) }
    await queries.serve(Library.ListNextAlbums.self, on: node) { try Catalogue.nextAlbums($0, keeping: lists, $1) }
    await queries.serve(Library.ListArtists.self, on: node) { try Catalogue.artists($0, $1) }
    await queries.serve(Library.ListTags.self, on: node) { try Catalogue.tags($0, $1) }
    await queries.serve(Library.ListCredits.self, on: node) { try Catalogue.credits($0, $1) }
    await queries.serve(Library.ListWorks.self, on: node) { try Catalogue.works($0, $1) }
    await queries.serve(Library.ReadWork.self, on: node) { try Catalogue.work($0, $1) }
    await queries.serve(Library.ListFolder.self, on: node) { try Catalogue.folder($0, roots: folders.all, $1) }
    await queries.serve(Library.ListProblems.self, on: node) { try Catalogue.problems($0, $1) }
    await queries.serve(Library.ListCollections.self, on: node) { try Catalogue.collections($0, $1) }
    await queries.serve(Library.ReadCollection.self, on: node) { try Catalogue.collection($0, $1) }
    await queries.serve(Library.Search.self, on: node) { try Catalogue.search($0, keeping: searches, $1) }
    await queries.serve(Library.ReadAlbum.self, on: node, lookingUp: { $0.id }) { try Catalogue.album($0, $1) }
    await queries.serve(Library.ReadTrack.self, on: node, lookingUp: { $0.id }) { try Catalogue.track($0, $1) }
    await queries.serve(Library.ReadArtist.self, on: node, lookingUp: { $0.id }) { try Catalogue.artist($0, $1) }
    await node.serve(Library.ListRemovedTracks.self) { request, _ in
      // The sources are read before the catalogue: a source that becomes complete only afterwards must not count.
      let sources = try await answering()
      return try await queries.database.read { try Catalogue.removedTracks(request, answering: sources, $0) }
    }
  }
}

package struct CatalogueMetrics: Sendable {
  let database: Database
  let now: @Sendable () -> Timestamp

  package init(database: Database, now: @escaping @Sendable () -> Timestamp) {
    self.database = database
    self.now = now
  }

  /// Registers the numbers of albums, tracks and problems and the age of the last refresh.
  package func register(in metrics: MetricRegistry) {
    metrics.gauge("library_albums", "Albums in the catalogue.") { Double(try await state().albums) }
    metrics.gauge("library_tracks", "Tracks in the catalogue.") { Double(try await state().tracks) }
    metrics.family("library_source_problems", "Number of problems of a source at its last refresh.", .gauge) {
      try await state().sources.map { .init(Double($0.problemCount), ["source": $0.name]) }
    }
    metrics.family("library_source_age_seconds", "Time since a source was last read completely, in seconds.", .gauge) {
      try await state().sources.compactMap { source in
        // A time before 2010 is that of a clock that was not set, and says nothing of an age.
        source.lastRefreshed.flatMap { $0.seconds < 1_262_304_000 ? nil : $0 }
          .map { .init(max(.zero, now() - $0).seconds, ["source": source.name]) }
      }
    }
  }

  private func state() async throws -> Library.CatalogueState {
    try await database.read(Catalogue.state)
  }
}
