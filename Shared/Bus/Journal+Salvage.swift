public import Model
public import Storage

/// Opening a journal's database though it is damaged.
extension Journal {
  /// What is saved of a damaged database: the journal, the registrations of its readers, and the answers of commands.
  ///
  /// Not the cursors: what the service made of the facts of others is gone with its other tables, so it reads them
  /// again.
  private static let saved = [
    "bus_journal", "bus_ancestors", "bus_epochs", "bus_facts", "bus_readers", "bus_answers",
  ]

  /// Opens the database of a service that keeps a journal. A damaged one is moved aside, and what can be read of its
  /// journal is saved into a new one, which takes a new identity at its start.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - migrations: those of the service; where they do not include `migrations`, a damaged file stays an error.
  ///   - readers: how many threads read at a time.
  ///   - report: told of a salvage.
  /// - Throws: what `Database.init` throws.
  public static func database(
    at path: String, migrations: [Migration], readers: Int = 2, report: (LunaraError) -> Void
  ) throws -> Database {
    let (database, salvage) = try Database.opening(
      at: path, migrations: migrations, readers: readers, saving: saved,
      finish: "UPDATE bus_journal SET fork = ifnull(fork, 0)")
    if let salvage {
      report(
        LunaraError(
          "bus.journalSalvaged",
          """
          \(path) was damaged and lies at \(salvage.damaged) now. \(salvage.rows) entries of its journal were saved\
          \(salvage.isWhole ? ", which is all" : "; some could not be read"). What else was in it begins anew.
          """, cause: salvage.cause.cause))
    }
    return database
  }
}
