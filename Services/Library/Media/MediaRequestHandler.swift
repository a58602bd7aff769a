package import Bus
import Catalogue
package import HTTP
package import Messages
package import Model
package import Records
package import ServiceKit
package import Sources
package import Storage

/// Finds what the catalogue lists: audio, pictures, lyrics, and the tags of files. `lunara-media` serves it to other
/// hosts.
package struct MediaRequestHandler: Sendable {
  /// Returns the server of a source; nil if none can be used.
  package typealias Servers = @Sendable (_ source: String) async -> (any MusicServer)?

  /// The places from which pictures come that no source has, and where pictures are kept.
  package struct Pictures: Sendable {
    /// The service's home; pictures are in its folder `artwork`.
    var home: String
    /// The most bytes of that folder.
    var space: Int64
    /// The address of a server of covers of releases, which may be in this house; nil for the usual one.
    var coverArt: String?
    /// Returns the picture of a playlist of the library itself.
    var ofPlaylist: @Sendable (_ reference: String) async throws -> [UInt8]

    package init(
      home: String, space: Int64, coverArt: String?,
      ofPlaylist: @escaping @Sendable (_ reference: String) async throws -> [UInt8]
    ) {
      self.home = home
      self.space = space
      self.coverArt = coverArt
      self.ofPlaylist = ofPlaylist
    }
  }

  private let node: Node
  private let hostID: String
  private let locator: TrackLocator
  private let art: ArtStore
  private let prefetcher: CoverPrefetcher
  private let lyrics: LyricsReader
  private let allTags: AllTagsReader
  private let addresses: MediaAddresses

  /// - Parameter address: the address at which `lunara-media` serves other hosts.
  package init(
    node: Node, database: Database, hostID: String, folders: MusicFolders, tagReaders: TagReaders, pictures: Pictures,
    address: MediaAddress, http: HTTPClient, log: Log, now: @escaping @Sendable () -> Timestamp,
    server: @escaping Servers
  ) {
    self.node = node
    self.hostID = hostID
    let boundary = FolderBoundary(folders)
    allTags = AllTagsReader(database: database, tagReaders: tagReaders)
    lyrics = LyricsReader(database: database, boundary: boundary, tagReaders: tagReaders, server: server)
    let covers = PublicCovers(http: http, trusted: pictures.coverArt)
    let art = ArtStore(
      database: database, folder: ArtFolder(path: "\(pictures.home)/artwork", capacity: pictures.space),
      files: PictureFiles(boundary: boundary, tagReaders: tagReaders)
    ) { name, reference, size in
      if name == Catalogue.ownPlaylists { return try await pictures.ofPlaylist(reference) }
      if name == DescribedTrack.coverSource { return try await covers.picture(at: reference) }
      guard let server = await server(name) else { throw SourceError.away(name, cause: nil) }
      return try await server.picture(reference, size: size)
    }
    self.art = art
    prefetcher = CoverPrefetcher(art, log: log)
    let addresses = MediaAddresses(
      node: node, home: pictures.home, address: address, files: MediaFiles(folders: folders, artwork: art.folder.path),
      now: now)
    self.addresses = addresses
    locator = TrackLocator(
      database: database, hostID: hostID, roots: { folders.paths },
      mediaAddress: { id, audio, duration in
        switch audio {
        case .file(let path, let segment): try await addresses.audio(of: id, path, lasting: duration, segment: segment)
        case .stream(let stream): try await addresses.stream(of: id, stream, lasting: duration)
        }
      }, server: server)
  }

  package func start() async {
    await node.serve(Library.LocateTrack.self) { [locator] request, _ in try await locator.locate(request) }
    await node.serve(Library.ReadLyrics.self) { [lyrics] request, _ in try await lyrics.lyrics(of: request.id) }
    await node.serve(Library.ReadTrackTags.self) { [allTags] request, _ in try await allTags.tags(of: request.id) }
    await node.serve(Library.LocateArt.self) { [art, hostID, addresses] request, _ in
      let file = try await art.locate(request.id, size: request.size, takesWebP: request.takesWebP ?? false)
      return request.host == hostID ? .file(file) : try await addresses.picture(of: request.id, file)
    }
    await addresses.start()
  }

  /// Prefetches covers of music that a refresh added.
  package func observe(_ state: Library.CatalogueState) async { await prefetcher.observe(state) }

  /// Checks that a picture can be shown.
  package func check(_ picture: ArtID) async throws { _ = try await art.locate(picture, size: 512) }

  package func stop() async {
    await addresses.stop()
    // The prefetcher may wait for pictures: it starts no more, the store ends them, and then it can stop.
    await prefetcher.cancel()
    await art.stop()
    await prefetcher.stop()
  }
}
