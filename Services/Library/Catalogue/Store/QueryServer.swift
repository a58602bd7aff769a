package import Bus
package import Messages
package import Model
package import Storage

/// Answers requests by queries of the catalogue.
package struct QueryServer: Sendable {
  let database: Database
  let remote: RemoteLookup

  package init(database: Database, remote: RemoteLookup) {
    self.database = database
    self.remote = remote
  }

  /// Serves a request by a query.
  package func serve<R: Request>(
    _ type: R.Type, on node: Node, _ query: @escaping @Sendable (R, ReadTransaction) throws -> R.Answer
  ) async {
    await node.serve(type) { [database] request, _ in try await database.read { try query(request, $0) } }
  }

  /// Serves a request by a query. Where the catalogue does not know the item but its server does, the source is
  /// refreshed and the query repeated.
  package func serve<R: Request, Kind>(
    _ type: R.Type, on node: Node, lookingUp item: @escaping @Sendable (R) -> ItemID<Kind>?,
    _ query: @escaping @Sendable (R, ReadTransaction) throws -> R.Answer
  ) async {
    await node.serve(type) { [database, remote] request, _ in
      @Sendable func answer() async throws -> R.Answer { try await database.read { try query(request, $0) } }
      guard let item = item(request) else { return try await answer() }
      return try await remote.answer(item) { try await answer() }
    }
  }
}
