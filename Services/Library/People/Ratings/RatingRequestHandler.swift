package import Bus
package import Catalogue
import Messages
package import Model
package import Records
package import Storage

extension Rating {
  /// True for whole stars.
  var isWhole: Bool { rawValue.isMultiple(of: 2) }
}

/// Answers requests to rate, to take over ratings, counts of plays and listens, to pin and to prefer an edition:
/// ratings go to the sources first, the others are kept here.
package struct RatingRequestHandler: Sendable {
  /// Sends a rating of an item to a source. Throws `library.sourceAway`, `library.signedOut`, `library.notRateable`.
  package typealias Writing = @Sendable (_ item: RatedItem, _ source: String, _ rating: Rating?) async throws -> Void

  let database: Database
  var kinds: SourceKinds
  let publisher: ChangePublisher
  let now: @Sendable () -> Timestamp
  /// Called when the catalogue has changed.
  var changed: @Sendable () async -> Void = {}
  let write: Writing

  package init(
    database: Database, kinds: SourceKinds, publisher: ChangePublisher, now: @escaping @Sendable () -> Timestamp,
    changed: @escaping @Sendable () async -> Void = {}, write: @escaping Writing
  ) {
    self.database = database
    self.kinds = kinds
    self.publisher = publisher
    self.now = now
    self.changed = changed
    self.write = write
  }

  package func start(on node: Node) async {
    await node.serve(Library.Rate.self) { request, _ in
      try await rate(request)
      return Done()
    }
    await node.serve(Library.ImportRatings.self) { request, _ in
      let result = try await RatingImport(database: database, kinds: kinds, journal: publisher.journal, now: now).run(
        request)
      if result.rated > 0, !request.isDryRun { await changed() }
      return result
    }
    await node.serve(Library.ImportPlays.self) { request, _ in
      let result = try await PlayImport(database: database, publisher: publisher, now: now).run(request)
      if result.raised > 0, !request.isDryRun { await changed() }
      return result
    }
    await node.serve(Library.UndoImport.self) { request, _ in
      let result = try await ImportUndo(database: database, kinds: kinds, publisher: publisher, now: now).run(request)
      if result.undone > 0, !request.isDryRun { await changed() }
      return result
    }
    await node.serve(Library.ImportListens.self) { request, _ in try await add(request) }
    await node.serve(Library.UndoListenImport.self) { _, _ in
      let result = try await HistoryImportUndo(database: database, publisher: publisher).run()
      await changed()
      return result
    }
    await node.serve(Library.Pin.self) { request, _ in
      try await pin(request)
      return Done()
    }
    await node.serve(Library.PreferEdition.self) { request, _ in
      try await prefer(request)
      return Done()
    }
  }

  /// Sends a rating to every server that has the item, then stores it. If a server fails, nothing is stored; sending a
  /// rating again does no harm, so a person can try again. A server that keeps no ratings of that kind is left out, as
  /// long as another accepts the rating or the library can keep it. Half a star is refused where a server would round
  /// it: the next refresh would show another rating than was given.
  func rate(_ request: Library.Rate) async throws {
    let kinds = kinds
    let plan = try await database.read { try RatingPlan(request.id, kinds, $0) }
    if let rating = request.rating, !rating.isWhole, let server = plan.members.first(where: { !$0.keepsHalfStars }) {
      throw SourceError.wholeStarsOnly(server.source, rating)
    }
    var passedOver: [RatingPlan.Member] = []
    for member in plan.members {
      do { try await write(member.item, member.source, request.rating) } catch {
        guard LunaraError(error).code == "library.notRateable" else { throw error }
        passedOver.append(member)
        if passedOver.count == plan.members.count, !plan.isKeptHere { throw error }
      }
    }
    let (journal, now, others) = (publisher.journal, now(), passedOver)
    // A rating cannot be read again from anywhere, so it is synced to disk.
    try await database.write(.power) { transaction in
      // The shown row may be another one by now.
      var plan = try RatingPlan(request.id, kinds, transaction)
      plan.members.removeAll { others.contains($0) }
      try Ratings.write(plan, request.rating, at: now, journal, transaction)
    }
  }

  /// Adds listens to the history. The last part of an import announces that the plays of albums have changed.
  private func add(_ request: Library.ImportListens) async throws -> Scrobble.Imported {
    let (publisher, now) = (publisher, now())
    // An import can be repeated, so only its end is synced to disk, with all that came before.
    let answer = try await database.write(request.isLast ? .power : .process) { transaction in
      let answer = try HistoryImport.add(request, at: now, transaction)
      let isAny: Int? = try transaction.value("SELECT 1 FROM listen_imports WHERE name = ?", request.name)
      if request.isLast, isAny != nil {
        try Catalogue.countAndPublish(CatalogueWriter.Changes(), publisher, transaction, isWide: true)
      }
      return answer
    }
    if request.isLast { await changed() }
    return answer
  }

  /// Pins a collection, which is then listed first, or unpins it. The pin is stored by the collection's title, so that
  /// it outlives a rebuild of the source. Clients see the change by the revision of the lists.
  func pin(_ request: Library.Pin) async throws {
    let isNew = try await database.write(.power) { transaction in
      let number = try Catalogue.number(of: .collection, request.id, transaction)
      let isNew = try transaction.execute(
        """
        INSERT INTO pins (source, title, is_pinned) SELECT source, title_sort, ?1 FROM collections WHERE id = ?2
        ON CONFLICT (source, title) DO UPDATE SET is_pinned = ?1 WHERE is_pinned <> ?1
        """, request.isPinned, number)
      if isNew > 0 { try Catalogue.countListChange(transaction) }
      return isNew > 0
    }
    if isNew { await changed() }
  }

  /// Prefers an edition, which then stands in the lists for its release group.
  func prefer(_ request: Library.PreferEdition) async throws {
    let (publisher, now) = (publisher, now())
    try await database.write(.power) { transaction in
      let group = try PreferredEditions.prefer(request.id, at: now, transaction)
      let writer = try CatalogueWriter(
        source: MusicFolders.source, now: now, followers: publisher.followers, transaction)
      writer.regroup(editions: group)
      try writer.finish()
      try Catalogue.countAndPublish(writer.changes, publisher, transaction)
    }
    await changed()
  }
}
