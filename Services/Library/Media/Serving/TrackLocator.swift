import Catalogue
import Messages
import Model
import Records
import ServiceKit
import Sources
import Storage
import Synchronization
import System

/// Finds the audio of a track: the best copy that can be read now.
struct TrackLocator: Sendable {
  let database: Database
  /// The id of the library's host.
  let hostID: String
  /// Returns the music folders.
  let roots: @Sendable () -> [LocalPath]
  /// Returns the address at which another host reads audio of a length. Throws the errors of `MediaAddresses`.
  let mediaAddress: @Sendable (TrackID, Audio, Milliseconds) async throws -> Library.Locator
  /// Returns the server of a source; nil if none can be used.
  let server: @Sendable (_ source: String) async -> (any MusicServer)?
  /// The time limits for a copy that has others after it, and for the last copy; a room waits 14 s in all.
  var patience = (next: Duration.seconds(3), last: Duration.seconds(10))

  private let unreachable = UnreachableSources()

  /// Audio that another host cannot read by itself.
  enum Audio: Hashable, Sendable {
    case file(LocalPath, AudioSegment?)
    case stream(MediaLink.Stream)
  }

  /// Returns the location of the track that a request means. A described track is looked for now, so that music that
  /// came since it was queued is found.
  ///
  /// - Throws: `library.notHere` for a description without a track; the errors of `locate(_:for:)`.
  func locate(_ request: Library.LocateTrack) async throws -> Library.Locator {
    guard let described = request.described else { return try await locate(request.id, for: request.host) }
    let roots = roots()
    let found = try await database.read { try TrackMatcher(roots: roots, transaction: $0).track(described) }
    guard let found else {
      throw LunaraError(
        "library.notHere",
        "\(Byline.quoted(described.track.title, described.artist)) is not in the library. Add its music to a source and refresh it."
      )
    }
    return try await locate(found.id, for: request.host)
  }

  /// Returns the location for a room on `host`: that of the first copy that can be read. Copies are tried in their
  /// order, but those of servers that did not answer lately come last.
  ///
  /// - Throws: `library.unknownID`; where no copy can be read, the error of the best one: `library.fileMissing`,
  ///   `library.outsideFolders`, `library.mediaAway`, `library.signedOut`, `library.sourceAway`, `library.gone`.
  func locate(_ id: TrackID, for host: String) async throws -> Library.Locator {
    let copies = try await database.read { try Catalogue.copies(of: id, $0) }
    let isUnreachable = copies.map { $0.path == nil && unreachable.contains($0.id.source) }
    let order = copies.indices.filter { !isUnreachable[$0] } + copies.indices.filter { isUnreachable[$0] }
    var failures: [Int: any Error] = [:]
    for index in order {
      let copy = copies[index]
      do {
        let place = try await find(copy, for: host, within: index == order.last ? patience.last : patience.next)
        if copy.path == nil { unreachable.remove(copy.id.source) }
        switch place {
        case .here(let locator): return locator
        case .media(let audio): return try await mediaAddress(copy.id, audio, duration(of: copy))
        }
      } catch {
        try Task.checkCancellation()
        failures[index] = error
        guard copy.path == nil, SourceError.isAway(LunaraError(error)) else { continue }
        unreachable.insert(copy.id.source)
      }
    }
    throw failures.min { $0.key < $1.key }?.value ?? CatalogueID.unknown(id)
  }

  /// The audio of a copy: where the room itself reads it, or what `lunara-media` reads for it.
  private enum Place {
    case here(Library.Locator)
    case media(Audio)
  }

  /// Returns the place of a copy within a time. A lookup that takes longer is cancelled and not waited for, as a disk
  /// or a search for a server may continue regardless.
  private func find(_ copy: Catalogue.TrackCopy, for host: String, within time: Duration) async throws -> Place {
    let (results, continuation) = AsyncStream<Result<Place, any Error>>.makeStream()
    let work = Task {
      do { continuation.yield(.success(try await find(copy, for: host))) } catch {
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

  private func duration(of copy: Catalogue.TrackCopy) async throws -> Milliseconds {
    try await database.read { try Catalogue.duration(of: copy.id, $0) }
  }

  private func find(_ copy: Catalogue.TrackCopy, for host: String) async throws -> Place {
    if let path = copy.path {
      // This runs on a thread of its own, as it may wait for a disk.
      try await BlockingThreads.perform { try FileCheck.requireReadable(path) }
      return host == hostID ? .here(.file(path, segment: copy.segment)) : .media(.file(path, copy.segment))
    }
    let stream = try await copy.stream(server)
    // A loopback address would lead a room on another host to its own machine.
    if host != hostID, Loopback.isTarget(of: stream.url) {
      return .media(.stream(.init(source: copy.id.source, url: stream.url, headers: stream.headers)))
    }
    return .here(.url(stream.url, headers: stream.headers))
  }
}

extension Catalogue.TrackCopy {
  /// Returns the audio of a copy that a server has.
  ///
  /// - Parameter server: returns the server of a source; nil if none can be used.
  /// - Throws: `library.unknownID`, `library.sourceAway`, and what the server throws.
  func stream(_ server: (_ source: String) async -> (any MusicServer)?) async throws -> ServerStream {
    guard let native else { throw CatalogueID.unknown(id) }
    guard let server = await server(id.source) else { throw SourceError.away(id.source, cause: nil) }
    return try await server.stream(part: part, native: native)
  }
}

/// The sources that did not answer in the last minute: their copies are tried last.
final class UnreachableSources: Sendable {
  static let lifetime = Duration.seconds(60)

  private let seen = Mutex<[String: ContinuousClock.Instant]>([:])

  func insert(_ source: String) { seen.withLock { $0[source] = .now } }

  func remove(_ source: String) { seen.withLock { $0[source] = nil } }

  func contains(_ source: String) -> Bool {
    seen.withLock { $0[source].map { $0.duration(to: .now) < Self.lifetime } ?? false }
  }
}
