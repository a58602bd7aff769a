public import Model
public import Storage
import System

/// The report of a damaged database to a person: once in the log, and in a file beside the damaged one, which every
/// later start reads until the person deletes both.
struct DamageNote {
  let error: LunaraError
  private let path: String
  private let text: String

  private static let ending = ".txt"

  init(_ salvage: Salvage, of database: String) {
    path = salvage.damaged + Self.ending
    let lost = salvage.tables.filter { !$0.isWhole }
    error = LunaraError(
      "bus.journalSalvaged",
      """
      \(database) was damaged and lies at \(salvage.damaged) now. \(salvage.rows) entries were saved\
      \(lost.isEmpty ? ", which is all" : "; of \(Self.names(lost)) some could not be read"). Check the disk; once all is \
      well, delete \(salvage.damaged)*.
      """, cause: salvage.cause.cause)
    let rows = salvage.tables.map { "\($0.name)\t\($0.rows)\t\($0.isWhole ? "whole" : "not all")" }
    text = ([error.message, error.cause ?? "", "", "table\tsaved\t"] + rows).joined(separator: "\n") + "\n"
  }

  /// Returns the first four names, and the number of further ones.
  private static func names(_ tables: [Salvage.Table]) -> String {
    let names = tables.prefix(4).map(\.name).joined(separator: ", ")
    return tables.count > 4 ? "\(names) and \(tables.count - 4) more" : names
  }

  func write() throws(LunaraError) {
    do throws(Errno) { try Files.replace(path, with: text) } catch {
      throw LunaraError(
        "bus.cannotNoteDamage", "\(path) cannot be written, so only the log says what was saved. Is the disk full?",
        cause: error)
    }
  }

  /// Reads the error of the newest report beside a database; nil if there is none that can be read.
  static func newest(beside database: String) -> LunaraError? {
    let folder = Files.folder(of: database)
    let beginning = Files.name(of: database) + ".damaged-"
    do throws(Errno) {
      let names = try Files.names(in: folder)
      guard let newest = names.last(where: { $0.hasPrefix(beginning) && $0.hasSuffix(ending) }) else { return nil }
      let text = String(decoding: try Files.read("\(folder)/\(newest)"), as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
      guard let message = lines.first, !message.isEmpty else { return nil }
      return LunaraError(
        "bus.journalSalvaged", message, cause: lines.count > 1 && !lines[1].isEmpty ? lines[1] : nil)
    } catch {
      // The salvage was logged when it happened.
      return nil
    }
  }
}

/// Opening a journal's database if it is damaged.
extension Journal {
  /// The tables of the bus that are saved from a damaged database: the journal, the registrations of its readers, and
  /// the answers to commands.
  ///
  /// The cursors are not saved: the effects of the facts of others may be lost, so these facts are read again.
  private static let saved = [
    "bus_journal", "bus_ancestors", "bus_epochs", "bus_facts", "bus_readers", "bus_answers",
  ]

  /// Opens the database of a service that keeps a journal. A damaged one is moved aside, and the readable rows of its
  /// journal and of the service's own tables are saved into a new one, whose journal takes a new identity at its start.
  /// A file beside the damaged one lists what was saved.
  ///
  /// - Parameters:
  ///   - path: the database file.
  ///   - migrations: those of the service; they have to include `Journal.migrations`, or a damaged file is an error.
  ///   - readers: the number of threads that read at a time.
  ///   - tables: the service's own tables that are saved, each after the tables that it refers to.
  ///   - finish: statements that make the service's tables consistent after that.
  ///   - report: called with problems that a person should know of but that do not prevent opening.
  /// - Throws: the errors of `Database.init`.
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
