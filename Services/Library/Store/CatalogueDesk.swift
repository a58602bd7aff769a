import Bus
import Messages
import Storage

/// Answers what is asked of the catalogue.
struct CatalogueRequestHandler: Sendable {
  let database: Database
  /// The library's own host.
  let hostID: String
  let remote: RemoteLookup
  /// Gives the sources that are well and were read as a whole.
  let answering: @Sendable () async throws -> Set<String>

  /// Answers from now on.
  func start(on node: Node) async {
    await serveLists(on: node)
    await serveItems(on: node)
    let (database, hostID, remote) = (database, hostID, remote)
    await node.serve(Library.Search.self) { request, _ in
      try await database.read { try Catalogue.search(request, $0) }
    }
    await node.serve(Library.ListPlayable.self) { request, _ in
      @Sendable func page() async throws -> Library.PlayablePage {
        try await database.read { try Catalogue.playable(request, host: hostID, $0) }
      }
      guard request.ids.count == 1, let id = request.ids.first else { return try await page() }
      return try await remote.answer(id) { try await page() }
    }
  }

  private func serveLists(on node: Node) async {
    let database = database
    await node.serve(Library.ListAlbums.self) { request, _ in
      let seed = Int64.random(in: .min ... .max)
      return try await database.read { try Catalogue.albums(request, randomSeed: seed, $0) }
    }
    let orders = RandomOrderCache()
    await node.serve(Library.ReadAlbumWindow.self) { request, _ in
      let seed = Int64.random(in: .min ... .max)
      return try await database.read { try Catalogue.window(request, randomSeed: seed, keeping: orders, $0) }
    }
    await node.serve(Library.IndexAlbums.self) { request, _ in
      try await database.read { try Catalogue.index(request, $0) }
    }
    await node.serve(Library.ListNextAlbums.self) { request, _ in
      try await database.read { try Catalogue.nextAlbums(request, $0) }
    }
    await node.serve(Library.ListArtists.self) { request, _ in
      try await database.read { try Catalogue.artists(request, $0) }
    }
    await node.serve(Library.ListTags.self) { request, _ in
      try await database.read { try Catalogue.tags(request, $0) }
    }
    await node.serve(Library.ListTracks.self) { request, _ in
      let seed = Int64.random(in: .min ... .max)
      return try await database.read { try Catalogue.tracks(request, randomSeed: seed, $0) }
    }
    await node.serve(Library.ListCollections.self) { request, _ in
      try await database.read { try Catalogue.collections(request, $0) }
    }
    await node.serve(Library.ListPlaylists.self) { request, _ in
      try await database.read { try Catalogue.playlists(request, $0) }
    }
  }

  private func serveItems(on node: Node) async {
    let (database, remote, answering) = (database, remote, answering)
    await node.serve(Library.ListRemovedTracks.self) { request, _ in
      // Asked before the catalogue is looked at: what is gone then was gone for a source that was well.
      let sources = try await answering()
      return try await database.read { try Catalogue.removedTracks(request, answering: sources, $0) }
    }
    await node.serve(Library.ReadAlbum.self) { request, _ in
      try await remote.answer(request.id) { try await database.read { try Catalogue.album(request, $0) } }
    }
    await node.serve(Library.ReadTrack.self) { request, _ in
      try await remote.answer(request.id) { try await database.read { try Catalogue.track(request, $0) } }
    }
    await node.serve(Library.ReadArtist.self) { request, _ in
      try await remote.answer(request.id) { try await database.read { try Catalogue.artist(request, $0) } }
    }
    await node.serve(Library.ReadCollection.self) { request, _ in
      try await database.read { try Catalogue.collection(request, $0) }
    }
    await node.serve(Library.ReadPlaylist.self) { request, _ in
      try await database.read { try Catalogue.playlist(request, $0) }
    }
  }
}
