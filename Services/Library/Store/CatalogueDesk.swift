import Bus
import Messages
import Storage

/// Answers what is asked of the shelves beside albums.
struct CatalogueDesk: Sendable {
  let database: Database

  /// Answers from now on.
  func start(on node: Node) async {
    let database = database
    await node.serve(Library.ListTags.self) { request, _ in
      try await database.read { try Catalogue.tags(request, $0) }
    }
    await node.serve(Library.ListTracks.self) { request, _ in
      let seed = Int64.random(in: .min ... .max)
      return try await database.read { try Catalogue.tracks(request, randomSeed: seed, $0) }
    }
    await node.serve(Library.ReadTrack.self) { request, _ in
      try await database.read { try Catalogue.track(request, $0) }
    }
    await node.serve(Library.ReadArtist.self) { request, _ in
      try await database.read { try Catalogue.artist(request, $0) }
    }
    await node.serve(Library.ListCollections.self) { request, _ in
      try await database.read { try Catalogue.collections(request, $0) }
    }
    await node.serve(Library.ReadCollection.self) { request, _ in
      try await database.read { try Catalogue.collection(request, $0) }
    }
    await node.serve(Library.ListPlaylists.self) { request, _ in
      try await database.read { try Catalogue.playlists(request, $0) }
    }
    await node.serve(Library.ReadPlaylist.self) { request, _ in
      try await database.read { try Catalogue.playlist(request, $0) }
    }
  }
}
