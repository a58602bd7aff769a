package import Bus
import Catalogue
package import Messages
import Model
package import Storage

/// Answers the requests for rediscovered albums and for an album by chance.
package struct RediscoveryRequestHandler: Sendable {
  let database: Database
  var now: @Sendable () -> Timestamp
  /// Returns what people think of albums: disliked ones are never shown, and liked ones count as loved.
  var opinions: @Sendable (ReadTransaction) throws -> AlbumOpinions
  /// Returns the albums about which somebody wrote on the same day of a former year.
  var noted: @Sendable (AnniversaryDays, ReadTransaction) throws -> [Anniversary]

  init(
    database: Database, now: @escaping @Sendable () -> Timestamp = { .now() },
    opinions: @escaping @Sendable (ReadTransaction) throws -> AlbumOpinions = { try RediscoveryQueries.opinions($0) },
    noted: @escaping @Sendable (AnniversaryDays, ReadTransaction) throws -> [Anniversary] = {
      try RediscoveryQueries.noted(on: $0, $1)
    }
  ) {
    self.database = database
    self.now = now
    self.opinions = opinions
    self.noted = noted
  }

  package init(database: Database) { self.init(database: database, now: { .now() }) }

  private static let longestShelf = 24

  /// Serves the requests on a node.
  package func start(on node: Node) async {
    let draws = RecentDraws()
    await node.serve(Library.ReadRediscovery.self) { request, _ in
      try await database.read { try shelves(request, at: now(), $0) }
    }
    await node.serve(Library.DrawAlbum.self) { _, _ in
      try await database.read { transaction in
        var generator = SystemRandomNumberGenerator()
        return try drawn(draws, at: now(), using: &generator, transaction)
      }
    }
  }

  /// Returns the shelves of a day. Throws `library.badDay`.
  func shelves(
    _ request: Library.ReadRediscovery, at now: Timestamp, _ transaction: ReadTransaction
  ) throws -> Library.RediscoveryDay {
    let day = try AnniversaryDays(request.day, at: now, transaction)
    let facts = try RediscoveryQueries.facts(
      of: day, at: now, try opinions(transaction), noted: try noted(day, transaction), transaction)
    var budget = PageBudget(items: .max, reserved: 4000)
    let shelves = try RediscoveryPlan(facts: facts, day: day.name)
      .shelves(limit: min(max(1, request.limit), Self.longestShelf)).map { shelf in
        let items = try shelf.picks.compactMap { pick in
          try Catalogue.album(pick.album, transaction).map { Library.ExplainedAlbum(album: $0, reason: pick.reason) }
        }
        return Library.RediscoveryShelf(
          shelf: shelf.kind, title: shelf.title, reason: shelf.reason, items: items.filter { budget.admits($0.size) })
      }
    return Library.RediscoveryDay(day: day.name, shelves: shelves.filter { !$0.items.isEmpty })
  }

  /// Returns an album by chance. Throws `library.noAlbums`.
  func drawn(
    _ draws: RecentDraws, at now: Timestamp, using generator: inout some RandomNumberGenerator,
    _ transaction: ReadTransaction
  ) throws -> Library.ExplainedAlbum {
    let entries = try RandomAlbum.entries(without: try opinions(transaction).dislikes, transaction)
    guard let number = draws.draw(entries, at: now, using: &generator),
      let album = try Catalogue.album(number, transaction)
    else {
      throw LunaraError("library.noAlbums", "There is no album yet. `lunara status` shows the sources.")
    }
    let past = album.lastPlayedAt.map { playedAt in
      "Last heard \(RediscoveryWords.length(now.seconds - playedAt.seconds)) ago."
    }
    return Library.ExplainedAlbum(album: album, reason: "Drawn by chance. \(past ?? "Never heard.")")
  }
}

extension Library.ExplainedAlbum: SizedItem {
  package var size: Int { album.size + 40 + PageBudget.size(reason) }
}
