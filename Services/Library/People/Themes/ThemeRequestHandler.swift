package import Bus
import Catalogue
import Messages
package import Model
package import Storage

/// Answers the requests about themes.
package struct ThemeRequestHandler: Sendable {
  let database: Database
  let journal: Journal?
  let now: @Sendable () -> Timestamp

  package init(database: Database, journal: Journal?, now: @escaping @Sendable () -> Timestamp) {
    self.database = database
    self.journal = journal
    self.now = now
  }

  /// Serves the requests on a node. A theme cannot be read again from anywhere, so changes are synced to disk.
  package func start(on node: Node) async {
    let (database, journal, now) = (database, journal, now)
    let counts = KeptCounts<ThemeCount>()
    await node.serve(Library.ListThemes.self) { _, _ in
      try await database.read { try ThemeStore.list(keeping: counts, $0) }
    }
    await node.serve(Library.ReadTheme.self) { request, _ in
      try await database.read { try ThemeStore.page(request, $0) }
    }
    await node.serve(Library.SaveTheme.self) { request, _ in
      try await database.write(.power) { try ThemeStore.save(request, at: now(), journal: journal, $0) }
    }
    await node.serve(Library.DeleteTheme.self) { request, _ in
      try await database.write(.power) { transaction in
        try request.isTakenBack ?? false
          ? DeletedThemes.restore(request.id, journal: journal, transaction)
          : DeletedThemes.delete(request.id, at: now(), journal: journal, transaction)
      }
      return Done()
    }
  }
}

/// The ids by which themes are played.
enum ThemeID {
  private static let prefix = "theme:"

  /// Returns the number of a theme; nil for the id of something else.
  static func number(_ id: PlayableID) -> Int64? {
    guard id.source == Catalogue.everything.source, id.native.hasPrefix(prefix) else { return nil }
    return Int64(id.native.dropFirst(prefix.count))
  }
}
