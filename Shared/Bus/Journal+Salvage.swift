public import Model
public import Storage

/// Opening a journal's database though it is damaged.
extension Journal {
  /// What is saved of the bus's tables of a damaged database: the journal, the registrations of its readers, and the
  /// answers of commands.
  ///
  /// Not the cursors: what the service made of the facts of others may be gone, so it reads them again.
  private static let saved = [
    "bus_journal", "bus_ancestors", "bus_epochs", "bus_facts", "bus_readers", "bus_answers",
  ]

  /// Opens the database of a service that keeps a journal. A damaged one is moved aside, and what can be read of its
  /// journal and of the service's own tables is saved into a new one, whose journal takes a new identity at its start.
  /// What was saved stands in a file beside the damaged one.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - migrations: those of the service; where they do not include `migrations`, a damaged file stays an error.
  ///   - readers: how many threads read at a time.
  ///   - tables: the service's own that are saved, each after those that it refers to.
  ///   - finish: statements that put the service's tables right after that.
  ///   - report: told of a salvage.
  /// - Throws: what `Database.init` throws.
  public static func database(
    at path: String, migrations: [Migration], readers: Int = 2, saving tables: [String] = [], finish: [String] = [],
    report: (LunaraError) -> Void
  ) throws -> Database {
    let (database, salvage) = try Database.open(
      at: path, migrations: migrations, readers: readers, isExpected: JournalStart(beside: path) != nil,
      saving: saved + tables, finish: ["UPDATE bus_journal SET fork = ifnull(fork, 0)"] + finish)
    if let salvage {
      let note = DamageNote(salvage, of: path)
      report(note.error)
      do { try note.write() } catch { report(LunaraError(error)) }
    }
    return database
  }
}
