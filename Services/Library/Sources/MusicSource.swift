import Messages
import Model

/// Somewhere that music comes from, as refreshes see it.
protocol MusicSource: Sendable {
  /// Its name, the first part of its ids.
  var name: String { get }
  /// `files`, `plex` or `subsonic`.
  var kind: String { get }
  /// Whether a start refreshes it also where that was done lately: a look costs next to nothing.
  var isCheap: Bool { get }

  /// Brings the catalogue in line with it: one transaction, or nothing at all. nil where it was stopped.
  func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts?

  /// Returns whenever something there may have changed, and throws where it cannot tell any more. One that never tells
  /// never returns.
  func awaitChange() async throws

  /// How it fares while it is not being refreshed, by what its last refreshes left.
  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String
}

extension MusicSource {
  var isCheap: Bool { false }

  func awaitChange() async throws { try await Task.sleep(for: .seconds(365 * 86400)) }

  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String {
    switch failure?.code {
    case "library.signedOut": "signed-out"
    case "library.sourceAway", "library.otherServer": "unreachable"
    default: status.tracks == 0 ? "empty" : "ready"
    }
  }
}

extension FilesSource: MusicSource {
  var name: String { Self.name }
  var kind: String { Self.kind }
  var isCheap: Bool { true }

  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String {
    Refresher.health(of: status, folders: folders.all.count)
  }
}
