package import Bus
import Messages
package import Model
package import Records
import ServiceKit
package import Storage

/// Answers requests about likes and dislikes of albums, and about the services that receive them.
package struct OpinionRequestHandler: Sendable {
  let database: Database
  let kinds: SourceKinds
  let journal: Journal?
  let sender: OpinionSender
  let now: @Sendable () -> Timestamp

  package init(
    database: Database, kinds: SourceKinds, journal: Journal?, sender: OpinionSender,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.database = database
    self.kinds = kinds
    self.journal = journal
    self.sender = sender
    self.now = now
  }

  package func start(on node: Node) async {
    await node.serve(Library.SetOpinion.self) { request, _ in try await set(request) }
    await node.serve(Library.ListOpinions.self) { request, _ in
      try await database.read { try OpinionStore.page(request, $0) }
    }
    await node.serve(Library.ReadOpinions.self) { request, _ in
      try await database.read { try OpinionStore.ids(request, $0) }
    }
    await node.serve(Library.ReadOpinionSharing.self) { _, _ in
      try await database.read { try OpinionServices.list(kinds, $0) }
    }
    await node.serve(Library.SetOpinionSharing.self) { request, _ in
      try await database.write(.power) { try OpinionServices.set(request, kinds, $0) }
      return Done()
    }
    await node.serve(Library.RetryOpinions.self) { request, _ in
      try await database.write(.power) { try OpinionOutbox.retry(request.service, kinds, $0) }
      await sender.wake()
      return Done()
    }
    await sender.start()
  }

  /// Stores an opinion, which cannot be read again from anywhere, so it is synced to disk. Services receive it later.
  func set(_ request: Library.SetOpinion) async throws -> Library.OpinionBefore {
    let (kinds, journal, now) = (kinds, journal, now())
    let result = try await database.write(.power) { try OpinionStore.set(request, at: now, kinds, journal, $0) }
    if result.isChanged { await sender.wake() }
    return Library.OpinionBefore(before: result.before)
  }

  package func stop() async { await sender.stop() }
}
