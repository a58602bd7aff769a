import Messages
import Model
import Records

/// A source to which no connection can be made as it is set up, because its secret is lost or cannot be read. Its music
/// stays listed. Another object replaces this one once a person has signed in again.
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
