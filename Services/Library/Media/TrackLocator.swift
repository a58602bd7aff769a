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
  /// How long a copy may take while there is another one, and how long the last: a room waits for 14 s.
  var patience = (next: Duration.seconds(3), last: Duration.seconds(10))

  private let away = UnreachableSources()

  init(
    database: Database, hostID: String, elsewhere: @escaping @Sendable (TrackID) async throws -> Library.Locator,
    server: @escaping @Sendable (_ source: String) async -> (any MusicServer)?
  ) {
    (self.database, self.hostID, self.elsewhere, self.server) = (database, hostID, elsewhere, server)
  }

  /// The place for a room on `host`: copies are tried in their order, those of servers that were away just now last, and
  /// the first that can be read is given.
  ///
  /// - Throws: `library.unknownID`; where no copy can be had, what is wrong with the best one: `library.fileMissing`,
  ///   `library.mediaAway`, `library.signedOut`, `library.sourceAway`, `library.gone`.
  func locate(_ id: TrackID, for host: String) async throws -> Library.Locator {
    let copies = try await database.read { try Catalogue.copies(of: id, $0) }
    let isAway = copies.map { $0.path == nil && away.has($0.id.source) }
    let order = copies.indices.filter { !isAway[$0] } + copies.indices.filter { isAway[$0] }
    var failures: [Int: any Error] = [:]
    for index in order {
      let copy = copies[index]
      do {
        let place = try await soon(copy, for: host, within: index == order.last ? patience.last : patience.next)
        if copy.path == nil { away.note(copy.id.source, isAway: false) }
        return place
      } catch {
        try Task.checkCancellation()
        failures[index] = error
        guard copy.path == nil, LunaraError(error).code == "library.sourceAway" else { continue }
        away.note(copy.id.source, isAway: true)
      }
    }
    throw failures.min { $0.key < $1.key }?.value ?? CatalogueID.unknown(id)
  }

  /// The place of a copy within a time. What takes longer is cancelled and left behind, as a disk or a search for a
  /// server goes on regardless.
  private func soon(
    _ copy: Catalogue.TrackCopy, for host: String, within time: Duration
  ) async throws -> Library.Locator {
    let (results, continuation) = AsyncStream<Result<Library.Locator, any Error>>.makeStream()
    let work = Task {
      do { continuation.yield(.success(try await place(of: copy, for: host))) } catch {
        continuation.yield(.failure(error))
      }
    }
    let timer = Task {
      do { try await Task.sleep(for: time) } catch { return }
      continuation.yield(.failure(SourceError.away(copy.id.source, cause: "it took longer than \(time)")))
    }
    defer {
      work.cancel()
      timer.cancel()
    }
    for await result in results { return try result.get() }
    throw CancellationError()
  }

  private func place(of copy: Catalogue.TrackCopy, for host: String) async throws -> Library.Locator {
    if let path = copy.path {
      // It may wait for a disk, and nobody's look into the catalogue waits with it.
      try await BlockingThreads.perform { try FileCheck.requireReadable(path) }
      return host == hostID ? .file(path) : try await elsewhere(copy.id)
    }
    guard let native = copy.native else { throw CatalogueID.unknown(copy.id) }
    guard let server = await server(copy.id.source) else { throw SourceError.away(copy.id.source, cause: nil) }
    let stream = try await server.stream(part: copy.part, native: native)
    // A room elsewhere would look for a server beside the library on its own machine.
    if host != hostID, Loopback.isTarget(of: stream.url) { return try await elsewhere(copy.id) }
    return .url(stream.url, headers: stream.headers)
  }
}
