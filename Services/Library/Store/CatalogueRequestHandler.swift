import Bus
import Messages
import Model
import Storage

/// Answers the requests that read the catalogue.
struct CatalogueRequestHandler: Sendable {
  let database: Database
  /// The id of the library's host.
  let hostID: String
  let remote: RemoteLookup
  /// The music folders, which change while the library runs.
  let folders: MusicFolders
  /// Returns the sources that answer and were read as a whole.
  let answering: @Sendable () async throws -> Set<String>

  func start(on node: Node) async {
    let (database, hostID, folders, answering) = (database, hostID, folders, answering)
    let lists = ListCache()
    let searches = SearchCache()
    let counts = SmartCounts()
    await serve(Library.ListAlbums.self, on: node) {
      try Catalogue.albums($0, randomSeed: .random(in: .min ... .max), keeping: lists, $1)
    }
    await serve(Library.ReadAlbumWindow.self, on: node) {
      try Catalogue.window($0, randomSeed: .random(in: .min ... .max), keeping: lists, $1)
    }
    await serve(Library.ListTracks.self, on: node) {
      try Catalogue.tracks($0, randomSeed: .random(in: .min ... .max), keeping: lists, $1)
    }
    await serve(Library.ReadTrackWindow.self, on: node) {
      try Catalogue.trackWindow($0, randomSeed: .random(in: .min ... .max), keeping: lists, $1)
    }
    await serve(Library.IndexTracks.self, on: node) { try Catalogue.trackIndex($0, $1) }
    await serve(Library.ListAlbumFeatures.self, on: node) { try Catalogue.albumFeatures($0, $1) }
    await serve(Library.IndexAlbums.self, on: node) { try Catalogue.index($0, $1) }
    await serve(Library.ListNextAlbums.self, on: node) { try Catalogue.nextAlbums($0, keeping: lists, $1) }
    await serve(Library.ListArtists.self, on: node) { try Catalogue.artists($0, $1) }
    await serve(Library.ListTags.self, on: node) { try Catalogue.tags($0, $1) }
    await serve(Library.ListCredits.self, on: node) { try Catalogue.credits($0, $1) }
    await serve(Library.ListWorks.self, on: node) { try Catalogue.works($0, $1) }
    await serve(Library.ReadWork.self, on: node) { try Catalogue.work($0, $1) }
    await serve(Library.ListFolder.self, on: node) { try Catalogue.folder($0, roots: folders.all, $1) }
    await serve(Library.ListProblems.self, on: node) { try Catalogue.problems($0, $1) }
    await serve(Library.ListCollections.self, on: node) { try Catalogue.collections($0, $1) }
    await serve(Library.ReadCollection.self, on: node) { try Catalogue.collection($0, $1) }
    await serve(Library.ListPlaylists.self, on: node) { try Catalogue.playlists($0, keeping: counts, $1) }
    await serve(Library.ReadPlaylist.self, on: node) { try Catalogue.playlist($0, $1) }
    await serve(Library.PreviewRules.self, on: node) { try Catalogue.preview($0, $1) }
    await serve(Library.Search.self, on: node) { try Catalogue.search($0, keeping: searches, $1) }
    await serve(Library.ReadAlbum.self, on: node, lookingUp: { $0.id }) { try Catalogue.album($0, $1) }
    await serve(Library.ReadTrack.self, on: node, lookingUp: { $0.id }) { try Catalogue.track($0, $1) }
    await serve(Library.ReadArtist.self, on: node, lookingUp: { $0.id }) { try Catalogue.artist($0, $1) }
    await serve(Library.ListPlayable.self, on: node, lookingUp: { $0.ids.count == 1 ? $0.ids.first : nil }) {
      try Catalogue.playable($0, host: hostID, keeping: searches, $1)
    }
    await node.serve(Library.ListRemovedTracks.self) { request, _ in
      // The sources are read before the catalogue: a source that becomes complete only afterwards must not count.
      let sources = try await answering()
      return try await database.read { try Catalogue.removedTracks(request, answering: sources, $0) }
    }
  }

  /// Serves a request by a query.
  private func serve<R: Request>(
    _ type: R.Type, on node: Node, _ query: @escaping @Sendable (R, ReadTransaction) throws -> R.Answer
  ) async {
    await node.serve(type) { [database] request, _ in try await database.read { try query(request, $0) } }
  }

  /// Serves a request by a query. Where the catalogue does not know the item but its server does, the source is
  /// refreshed and the query repeated.
  private func serve<R: Request, Kind>(
    _ type: R.Type, on node: Node, lookingUp item: @escaping @Sendable (R) -> ItemID<Kind>?,
    _ query: @escaping @Sendable (R, ReadTransaction) throws -> R.Answer
  ) async {
    await node.serve(type) { [database, remote] request, _ in
      @Sendable func answer() async throws -> R.Answer { try await database.read { try query(request, $0) } }
      guard let item = item(request) else { return try await answer() }
      return try await remote.answer(item) { try await answer() }
    }
  }
}

struct CatalogueMetrics: Sendable {
  let database: Database
  let now: @Sendable () -> Timestamp

  /// Registers the numbers of albums, tracks and problems and the age of the last refresh.
  func register(in metrics: MetricRegistry) {
    metrics.gauge("library_albums", "Albums in the catalogue.") { Double(try await state().albums) }
    metrics.gauge("library_tracks", "Tracks in the catalogue.") { Double(try await state().tracks) }
    metrics.family("library_source_problems", "Number of problems of a source at its last refresh.", .gauge) {
      try await state().sources.map { .init(Double($0.problemCount), ["source": $0.name]) }
    }
    metrics.family("library_source_age_seconds", "Time since a source was last read completely, in seconds.", .gauge) {
      try await state().sources.compactMap { source in
        source.lastRefreshed.map { .init(max(.zero, now() - $0).seconds, ["source": source.name]) }
      }
    }
  }

  private func state() async throws -> Library.CatalogueState {
    try await database.read(Catalogue.state)
  }
}
