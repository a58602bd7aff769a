import Messages
import Model
import Storage

/// Says where a track's audio can be had: the best copy that is there right now.
struct TrackLocator: Sendable {
  let database: Database
  /// The library's own host.
  let hostID: String
  /// Where files are handed to other hosts.
  ///
  /// - Throws: `library.mediaAway`.
  let elsewhere: @Sendable (TrackID) async throws -> Library.Locator
  /// The server of a source; nil where there is none that can be used.
  let server: @Sendable (_ source: String) async -> (any MusicServer)?

  /// The place for a room on `host`: copies are tried in their order, and the first that can be read is given.
  ///
  /// - Throws: `library.unknownID`; where no copy can be had, what is wrong with the best one: `library.fileMissing`,
  ///   `library.mediaAway`, `library.signedOut`, `library.sourceAway`, `library.gone`.
  func locate(_ id: TrackID, for host: String) async throws -> Library.Locator {
    let copies = try await database.read { try Catalogue.copies(of: id, $0) }
    var first: (any Error)?
    for copy in copies {
      do { return try await place(of: copy, for: host) } catch is CancellationError {
        throw CancellationError()
      } catch { first = first ?? error }
    }
    throw first ?? CatalogueID.unknown(id)
  }

  private func place(of copy: Catalogue.TrackCopy, for host: String) async throws -> Library.Locator {
    if let path = copy.path {
      // The check of the file may wait for a disk, so it happens on a reader's thread.
      try await database.read { _ in try FileCheck.requireReadable(path) }
      return host == hostID ? .file(path) : try await elsewhere(copy.id)
    }
    guard let native = copy.native else { throw CatalogueID.unknown(copy.id) }
    guard let server = await server(copy.id.source) else { throw SourceRefusal.away(copy.id.source, cause: nil) }
    let stream = try await server.stream(part: copy.part, native: native)
    return .url(stream.url, headers: stream.headers)
  }
}
