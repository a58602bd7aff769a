package import Messages
package import Model
import ServiceKit
import Storage

/// A source of music, as refreshes use it.
package protocol MusicSource: Sendable {
  var name: String { get }
  /// The kind, such as `files` or `plex`.
  var kind: String { get }
  /// True if a refresh costs little, so that every start makes one, even soon after the last.
  var isCheap: Bool { get }

  /// Updates the catalogue to the contents of the source, in one transaction. Returns nil if it was stopped.
  func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts?

  /// Waits until something in the source may have changed; throws where it can no longer find that out. A source
  /// without notifications waits until it is cancelled.
  func awaitChange() async throws

  /// Returns the health while no refresh runs, from the results of the last refreshes.
  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String
}

extension MusicSource {
  package var isCheap: Bool { false }

  package func awaitChange() async throws { try await Task.sleep(for: .seconds(365 * 86400)) }

  package func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String {
    if let failure, SourceError.isAway(failure) { return "unreachable" }
    if failure?.code == "library.signedOut" { return "signed-out" }
    return status.tracks == 0 ? "empty" : "ready"
  }
}

/// The changes and requests that a person has allowed a refresh to make; none for a refresh that nobody asked for.
package struct AcceptedChanges: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let deletions = AcceptedChanges(rawValue: 1)
  /// Another server may have taken the place of the one that was there.
  package static let otherServer = AcceptedChanges(rawValue: 2)
  /// Both, as a person allows them for one source by its name.
  static let all: AcceptedChanges = [.deletions, .otherServer]
  /// Lists that a server refused may be requested again before their pause is over.
  package static let earlyRetries = AcceptedChanges(rawValue: 4)
  /// All folders may be visited, also those in which no change was reported.
  package static let wholeScan = AcceptedChanges(rawValue: 8)
  /// All items of a server may be read for the ratings that other apps gave there.
  package static let ratings = AcceptedChanges(rawValue: 16)
}

extension AcceptedChanges {
  /// Creates the permissions that a person gives with a request.
  package init(_ request: Library.Sync) {
    self = [.earlyRetries, .wholeScan, .ratings]
    if request.acceptDeletions == true { formUnion(.all) }
  }
}

/// A source as it is set up, without any secret.
package struct SourceRecord: Hashable, Sendable {  // memberwise
  /// The first part of its ids: `plex`, `plex-2`.
  package var name: String
  package var kind: String
  /// The server's base address as it was given, or as it last worked.
  package var address: String? = nil
  package var account: String? = nil
  /// The machine that answers there; nil if it was never reached.
  package var machine: String? = nil
  /// The `SourceSettings` that a person chose, as JSON.
  package var settings: String? = nil
  /// True if an environment variable or a command-line option defines the source.
  package var isFromSettings = false
  package var isLeaving = false
}
