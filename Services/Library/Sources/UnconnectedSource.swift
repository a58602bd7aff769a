import Messages
import Model

/// A source of which no connection can be made as it is set up: its secret is lost, or cannot be read. What it brought
/// stays; another one takes its place once it is signed in again.
struct UnavailableSource: MusicSource {
  let name: String
  let kind: String
  /// Why there is no connection.
  let error: LunaraError

  var isCheap: Bool { true }

  func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts? { throw error }

  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String {
    error.code == "library.signedOut" ? "signed-out" : "unreachable"
  }
}
