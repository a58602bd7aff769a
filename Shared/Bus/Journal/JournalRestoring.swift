public import Model
public import Storage
import System

/// Taking journals into backups and restoring them.
extension Journal {
  /// Takes snapshots of the databases of a home folder that are consistent: no reader has read more facts than the
  /// snapshot of their publisher holds.
  ///
  /// Databases without a journal are included. If writers are too fast, the last snapshots are returned after 50
  /// attempts: a restored journal gets a new identity, so its readers miss no new facts even then.
  ///
  /// - Throws: `storage.cannotOpen`, `storage.corrupt`, `storage.busy`.
  public static func snapshots(of paths: [String]) throws -> [DatabaseSnapshot] {
    let snapshots = try paths.map { try DatabaseSnapshot(of: $0) }
    for _ in 0..<patience {
      let read = try snapshots.flatMap { try $0.read(positions) }
      let behind = try snapshots.filter { snapshot in
        let index = try snapshot.read(index)
        return read.contains { index?.isBeyond($0) == true }
      }
      if behind.isEmpty { break }
      for snapshot in behind { try snapshot.renew() }
    }
    return snapshots
  }

  private static let patience = 50

  /// The largest number of starts that a journal is assumed to have had since the backup. Other nodes order its
  /// messages by the start number, so the next one has to be higher than all former ones.
  private static let missedStarts: Int64 = 1_000_000

  /// Marks a database from a backup, before it replaces the current one: its journal takes a new identity at its next
  /// start, continues where the backup ends, and records the time of the restore. A database without a journal is not
  /// changed.
  ///
  /// - Parameters:
  ///   - path: the database from the backup.
  ///   - replaced: the path of the database that it replaces.
  ///   - now: the time of the restore.
  /// - Throws: `storage.…`, `bus.cannotNoteStart`.
  public static func markRestored(_ path: String, replacing replaced: String, at now: Timestamp) throws {
    guard let index = try DatabaseSnapshot(of: path).read(index) else { return }
    let start = max(index.epoch, JournalStart(beside: replaced)?.epoch ?? 0)
    let (epoch, isTooLarge) = start.addingReportingOverflow(missedStarts)
    try JournalStart(identity: restored, epoch: isTooLarge ? start : epoch, restoredAt: now).write(beside: path)
  }

  /// The identity in the start file of a restored database. It equals no journal's identity, as these are random.
  private static let restored = "restored"

  private static func positions(_ reader: ReadTransaction) throws -> [JournalPosition] {
    guard try hasTable("bus_cursors", reader) else { return [] }
    return try reader.rows("SELECT journal, epoch, seq FROM bus_cursors", as: JournalPosition.init)
  }

  /// Returns the index of a database's journal; nil if it has no journal, or one of an early version.
  private static func index(_ reader: ReadTransaction) throws -> JournalIndex? {
    guard try hasTable("bus_ancestors", reader), try hasTable("bus_epochs", reader) else { return nil }
    return try JournalIndex(reading: reader)
  }

  private static func hasTable(_ name: String, _ reader: ReadTransaction) throws -> Bool {
    try reader.row("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name) { _ in true } ?? false
  }

  /// Returns the time when this journal continued from a backup or a salvaged file; nil if it never did.
  ///
  /// Others may have received events from before that time of which the database does not know.
  ///
  /// - Throws: `storage.…`.
  public static func restoredAt(_ reader: ReadTransaction) throws -> Timestamp? {
    try reader.row("SELECT restored_at FROM bus_journal") { try $0.value(0) as Timestamp? } ?? nil
  }
}

/// The last start of a journal, in a file beside the database. If the database is older than this, a backup was
/// restored.
struct JournalStart: Hashable, Sendable {
  var identity: String
  var epoch: Int64
  /// The time when the database was restored from a backup; nil after a service has started with it.
  var restoredAt: Timestamp?

  static func path(beside database: String) -> String { database + ".start" }
}

extension JournalStart {
  /// Reads the file; nil if it is missing or cannot be read.
  init?(beside database: String) {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try Files.read(Self.path(beside: database), limit: 256, followsLinks: false)
    } catch {
      // Without the file a restored backup cannot be noticed, and the database is used as it is.
      return nil
    }
    let words = bytes.split { $0 == 32 || $0 == 10 }.map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 2 || words.count == 3, let epoch = Int64(words[1]), epoch > 0 else { return nil }
    let restoredAt = words.count == 3 ? Int64(words[2]) : nil
    self.init(identity: words[0], epoch: epoch, restoredAt: restoredAt.map { Timestamp(microseconds: $0) })
  }

  /// Replaces the file atomically.
  ///
  /// - Throws: `bus.cannotNoteStart`.
  func write(beside database: String) throws(LunaraError) {
    let path = Self.path(beside: database)
    let text = "\(identity) \(epoch)\(restoredAt.map { " \($0.microseconds)" } ?? "")\n"
    do throws(Errno) { try Files.replace(path, with: text, .init(temporary: path + ".new")) } catch {
      throw LunaraError(
        "bus.cannotNoteStart",
        "\(path) cannot be written, so a restored backup may not be noticed. Is the disk full, or read-only?",
        cause: error)
    }
  }
}
