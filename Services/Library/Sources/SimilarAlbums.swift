package import Bus
import Catalogue
import HTTP
import Messages
import Model
package import Records
package import Storage

/// Answers which albums the servers of an album name as similar to it.
package struct SimilarAlbumsHandler: Sendable {
  let database: Database
  /// Returns the server of a source; nil for music folders, and where it cannot be used.
  let server: @Sendable (_ source: String) async -> (any MusicServer)?

  package init(database: Database, server: @escaping @Sendable (_ source: String) async -> (any MusicServer)?) {
    self.database = database
    self.server = server
  }

  /// The most albums of an answer.
  private static let most = 50

  package func start(on node: Node) async {
    await node.serve(Library.ListSimilarAlbums.self) { request, _ in try await similar(to: request) }
  }

  /// Returns the albums of the first server that names some.
  ///
  /// - Throws: `library.unknownID`, and `library.sourceAway` or `library.signedOut` of the last server that failed
  ///   where none names an album.
  func similar(to request: Library.ListSimilarAlbums) async throws -> Library.SimilarAlbums {
    let limit = min(max(1, request.limit), Self.most)
    let copies = try await database.read { transaction in
      let number = try Catalogue.number(of: .album, request.id, transaction)
      return try transaction.rows(
        """
        SELECT a.source, a.key FROM albums a JOIN sources s ON s.name = a.source WHERE a.shelf = ?
        ORDER BY s.position, a.source, a.id
        """, number
      ) { (source: try $0.value(0) as String, native: try $0.value(1) as String) }
    }
    var problem: (any Error)?
    for copy in copies {
      guard let server = await server(copy.source) else { continue }
      do {
        let natives = try await server.albums(similarTo: copy.native, limit: limit)
        let albums = try await database.read {
          try Self.albums(natives, of: copy.source, without: request.id, $0)
        }
        if !albums.isEmpty { return Library.SimilarAlbums(albums: Array(albums.prefix(limit))) }
      } catch let error as LunaraError where error.code == "library.gone" {
        continue
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    return Library.SimilarAlbums(albums: [])
  }

  /// Returns the albums that are shown for the server's own ids of albums, in their order, each once.
  private static func albums(
    _ natives: [String], of source: String, without own: AlbumID, _ transaction: ReadTransaction
  ) throws -> [AlbumID] {
    var seen: Set<AlbumID> = [own]
    return try natives.prefix(200).compactMap { native in
      let id: AlbumID? = try transaction.value(
        """
        SELECT s.source || ':a' || s.id FROM albums a JOIN albums s ON s.id = a.shelf
        WHERE a.source = ? AND a.key = ? AND s.shelf = s.id
        """, source, native)
      return id.flatMap { seen.insert($0).inserted ? $0 : nil }
    }
  }
}

extension PlexServer {
  /// Returns the albums that sound most like one. This needs the server's sonic analysis; without it there are none.
  func albums(similarTo native: String, limit: Int) async throws -> [String] {
    let path = "/library/metadata/\(PlexQuery.encoded(native))/nearest"
    let response = try await client.send(
      .reads, "GET", path, PlexQuery(["limit": "\(limit)", "maxDistance": "0.25"]))
    guard response.status != 401 else { throw PlexError.signedOut(client.name) }
    // A server without the analysis, or without Plex Pass, refuses.
    if (400..<500).contains(response.status), PlexError.isOfServer(response) { return [] }
    if let error = PlexError.from(response, client.name) { throw error }
    let page = try PlexPage(response.body, of: client.name)
    return page.rows.compactMap { row in
      row["type"]?.string == "track" ? row["parentRatingKey"]?.text : row["ratingKey"]?.text
    }
  }
}

extension SubsonicServer {
  /// Returns the albums of the songs that are like those of an album: by their sound where the server has the extension
  /// `sonicSimilarity`, and else by its artist.
  func albums(similarTo native: String, limit: Int) async throws -> [String] {
    guard let album = try await client.callIfKnown(.reads, "getAlbum", [("id", native)])?["album"] else { return [] }
    var songs: [JSONView] = []
    if try await client.profile().hasSonicSimilarity {
      for song in (album["song"]?.elements ?? []).prefix(3) {
        guard let id = song["id"]?.string else { continue }
        let answer = try await client.callIfKnown(.reads, "getSonicSimilarTracks", [("id", id), ("count", "50")])
        songs += (answer?["sonicMatch"]?.elements ?? [])
          .filter { $0["similarity"]?.number ?? 0 >= 0 }.compactMap { $0["entry"] }
      }
    }
    if songs.isEmpty, let artist = album["artistId"]?.string {
      let answer = try await client.callIfKnown(.reads, "getSimilarSongs2", [("id", artist), ("count", "100")])
      songs = answer?["similarSongs2"]?["song"]?.elements ?? []
    }
    var seen: Set<String> = [native]
    return songs.compactMap { $0["albumId"]?.string }.filter { seen.insert($0).inserted }.prefix(limit).map { $0 }
  }
}
