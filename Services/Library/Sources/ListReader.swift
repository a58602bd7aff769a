import Model
import Records

/// Reads a server's collections and playlists one by one.
///
/// A list that the server refuses is staged as unread, and the others are read all the same: the catalogue keeps what
/// it has of that list, and the reason is shown as a problem of the source.
struct ListReader: Sendable {
  /// The server's name in problems.
  let server: String
  let staging: StagingTable
  /// Asks the server for something that every server gives. Throws where it does not answer at all.
  let ping: @Sendable () async throws -> Void

  /// Returns what `body` reads of one list; nil if the server refuses it. Throws `library.signedOut`, and the errors
  /// of `ping`.
  func read<Value>(
    _ native: String, titled title: String, of kind: StagingTable.Kind, _ body: () async throws -> Value
  ) async throws -> Value? {
    do { return try await body() } catch let error as LunaraError where error.code != "library.signedOut" {
      try await ping()
      let problem = SourceError.unreadableList("The \(kind) “\(title)”", server, error)
      try await staging.add(unread: native, of: kind, problem)
      return nil
    }
  }

  /// Returns what `body` reads of the listing of all lists of a kind, in one section or in all; nil if the server
  /// refuses it. Throws `library.signedOut`, and the errors of `ping`.
  func readListing<Value>(
    of kind: StagingTable.Kind, section: String = "", _ body: () async throws -> Value
  ) async throws -> Value? {
    do { return try await body() } catch let error as LunaraError where error.code != "library.signedOut" {
      try await ping()
      let lists = section.isEmpty ? "The list of \(kind)s" : "The list of \(kind)s in the section \(section)"
      try await staging.add(unreadListingOf: kind, section: section, SourceError.unreadableList(lists, server, error))
      return nil
    }
  }
}
