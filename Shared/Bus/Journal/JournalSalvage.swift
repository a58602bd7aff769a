public import Model
public import Storage
import System

/// The report to a person of a database that was damaged: once in the log, and in a file beside what is left of it, by
/// which every later start knows of it until the person has put both away.
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

  /// The first of them, and how many there are besides.
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

  /// The error of the newest that lies beside a database; nil where there is none that can be read.
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

/// Opening a journal's database though it is damaged.
extension Journal {
  /// The tables of the bus that are saved out of a damaged database: the journal, the registrations of its readers, and
  /// the answers of commands.
  ///
  /// Not the cursors: what the service made of the facts of others may be gone, so it reads them again.
  private static let saved = [
    "bus_journal", "bus_ancestors", "bus_epochs", "bus_facts", "bus_readers", "bus_answers",
  ]

  /// Opens the database of a service that keeps a journal. A damaged one is moved aside, and what can be read of its
  /// journal and of the service's own tables is saved into a new one, whose journal takes a new identity at its start.
  /// A list of what was saved lies in a file beside the damaged one.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - migrations: those of the service; where they do not include `migrations`, a damaged file stays an error.
  ///   - readers: the number of threads that read at a time.
  ///   - tables: the service's own that are saved, each after those that it refers to.
  ///   - finish: statements that put the service's tables right after that.
  ///   - report: told of what a person should know, though all goes on.
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
