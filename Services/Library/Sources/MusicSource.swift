import Messages
import Model

/// Somewhere that music comes from, as refreshes see it.
protocol MusicSource: Sendable {
  var name: String { get }
  /// `files`, `plex` or `subsonic`.
  var kind: String { get }
  /// True if a start refreshes it also where that was done lately: a look costs next to nothing.
  var isCheap: Bool { get }

  /// Brings the catalogue in line with it: one transaction, or nothing at all. nil where it was stopped.
  func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts?

  /// Returns whenever something there may have changed, and throws where it cannot tell any more. One that never tells
  /// never returns.
  func awaitChange() async throws

  /// Returns the health while no refresh runs, from what the last refreshes left.
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
    let missing = status.problems.count { $0.code == "library.folderMissing" }
    let all = folders.all.count
    if all > 0, missing >= all { return "unreachable" }
    return status.tracks == 0 ? "empty" : "ready"
  }
}

/// A source of which no connection can be made as it is set up: its secret is lost, or cannot be read. What it brought
/// stays; another one takes its place once it is signed in again.
struct UnavailableSource: MusicSource {
  let name: String
  let kind: String
  let error: LunaraError

  var isCheap: Bool { true }

  func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts? {
    throw error
  }

  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String {
    error.code == "library.signedOut" ? "signed-out" : "unreachable"
  }
}

/// The changes that a refresh makes without asking, as a person allowed them.
struct AcceptedChanges: OptionSet, Hashable, Sendable {
  let rawValue: Int

  static let deletions = AcceptedChanges(rawValue: 1)
  /// Another server may have taken the place of the one that was there.
  static let otherServer = AcceptedChanges(rawValue: 2)
  /// Both: what is allowed for one source by its name.
  static let all: AcceptedChanges = [.deletions, .otherServer]
}
