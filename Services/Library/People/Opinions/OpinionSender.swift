import Messages
package import Model
package import Records
package import ServiceKit
package import Storage

/// Tells services of opinions, one at a time. A service that cannot be reached is tried again after a pause that grows;
/// what it refuses five times is tried again when a person asks for it.
package struct OpinionSender: OutboxSender {
  /// Asks ListenBrainz not to recommend a release group.
  package typealias Hiding = @Sendable (_ releaseGroup: String) async throws -> Void

  package let loop = WorkLoop()
  package let log: Log
  private let database: Database
  /// Returns the server of a source; nil if there is none now.
  private let server: @Sendable (String) async -> (any MusicServer)?
  private let hide: Hiding
  private let time: @Sendable () -> Timestamp

  package init(
    database: Database, log: Log, server: @escaping @Sendable (String) async -> (any MusicServer)?,
    hide: @escaping Hiding, time: @escaping @Sendable () -> Timestamp = { .now() }
  ) {
    self.database = database
    self.log = log
    self.server = server
    self.hide = hide
    self.time = time
  }

  package func waiting() async throws -> [OpinionOutbox.Entry] {
    try await database.read { try OpinionOutbox.waiting($0) }
  }

  package func send(_ entry: OpinionOutbox.Entry) async throws -> Bool {
    // A person may have changed their mind since the entry was read.
    guard try await database.read({ try OpinionOutbox.isWaiting(entry.id, $0) }) else { return true }
    let server = entry.source.isEmpty ? nil : await server(entry.source)
    do {
      if entry.source.isEmpty {
        guard let group = entry.target else { throw Self.noReleaseGroup }
        try await hide(group)
      } else {
        guard let server else { throw SourceError.away(entry.source, cause: nil) }
        guard let native = entry.target else { throw SourceError.gone("The source \(entry.source)") }
        try await server.like(album: native)
      }
      try await database.write { try OpinionOutbox.end(entry.id, $0) }
      return true
    } catch {
      try Task.checkCancellation()
      return try await fail(entry, LunaraError(error), at: server)
    }
  }

  /// Stores that a service did not accept an entry. Returns false if it should rest for a while.
  private func fail(_ entry: OpinionOutbox.Entry, _ error: LunaraError, at server: (any MusicServer)?) async throws
    -> Bool
  {
    let isFinal = ["library.gone", "library.noReleaseGroup", "library.providerRefused"].contains(error.code)
    let isRefusal = isFinal ? true : await server?.answers() ?? false
    try Task.checkCancellation()
    log.info("a service was not told of an opinion", ["service": entry.service, "code": error.code])
    let time = time()
    try await database.write {
      try OpinionOutbox.fail(entry, error, isRefusal: isRefusal, isFinal: isFinal, at: time, $0)
    }
    // Another album may be accepted where this one alone is refused; it is tried again after the pause.
    return isFinal
  }

  private static let noReleaseGroup = LunaraError(
    "library.noReleaseGroup",
    "The album has no MusicBrainz release group, by which ListenBrainz knows albums. Tag it with MusicBrainz Picard, then run `lunara likes retry`."
  )
}
