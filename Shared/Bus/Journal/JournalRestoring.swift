public import Model
public import Storage
import System

/// Taking journals out of backups and putting them back.
extension Journal {
  /// Takes snapshots of the databases of a home folder that fit together: no reader has read more facts than the
  /// snapshot of their publisher holds.
  ///
  /// Databases without a journal are included. If writers are too quick, the snapshots are used as they are after some
  /// attempts: a restored journal gets a new identity, so its readers skip nothing new even then.
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

  /// The number of starts that a journal may have had since the backup was made. Others order what they hear of it by
  /// its start.
  private static let missedStarts: Int64 = 1_000_000

  /// Marks a database that was taken out of a backup, before it is put in the place of the one it replaces: its journal
  /// takes a new identity at its next start, which goes on where this copy ends, and knows from when on it does. One
  /// without a journal is left as it is.
  ///
  /// - Throws: `storage.…`, `bus.cannotNoteStart`.
  public static func markRestored(_ path: String, replacing replaced: String, at now: Timestamp) throws {
    guard let index = try DatabaseSnapshot(of: path).read(index) else { return }
    let start = max(index.epoch, JournalStart(beside: replaced)?.epoch ?? 0)
    let (epoch, isTooLarge) = start.addingReportingOverflow(missedStarts)
    try JournalStart(identity: restored, epoch: isTooLarge ? start : epoch, restoredAt: now).write(beside: path)
  }

  /// Stands for an identity in the note beside a restored database. No journal has it: theirs are drawn.
  private static let restored = "restored"

  private static func positions(_ reader: ReadTransaction) throws -> [JournalPosition] {
    guard try hasTable("bus_cursors", reader) else { return [] }
    return try reader.rows("SELECT journal, epoch, seq FROM bus_cursors", as: JournalPosition.init)
  }

  /// The index of a database's journal; nil where it has none, or one of the first version.
  private static func index(_ reader: ReadTransaction) throws -> JournalIndex? {
    guard try hasTable("bus_ancestors", reader), try hasTable("bus_epochs", reader) else { return nil }
    return try JournalIndex(reading: reader)
  }

  private static func hasTable(_ name: String, _ reader: ReadTransaction) throws -> Bool {
    try reader.row("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name) { _ in true } ?? false
  }

  /// The moment at which this journal went on from a backup, or from what was saved of a damaged file; nil where it
  /// never did.
  ///
  /// Events before that may have been told to others already, though the database does not know of it.
  ///
  /// - Throws: `storage.…`.
  public static func restoredAt(_ reader: ReadTransaction) throws -> Timestamp? {
    try reader.row("SELECT restored_at FROM bus_journal") { try $0.value(0) as Timestamp? } ?? nil
  }
}

/// The last start of a journal, in a file of its own beside the database: a database that is older than this went back.
struct JournalStart: Hashable, Sendable {
  var identity: String
  var epoch: Int64
  /// The moment at which the database was taken out of a backup, where nothing has started with it since.
  var restoredAt: Timestamp?

  static func path(beside database: String) -> String { database + ".start" }
}

extension JournalStart {
  /// Reads it; nil where there is none that can be read.
  init?(beside database: String) {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try Files.read(Self.path(beside: database), limit: 256, followsLinks: false)
    } catch {
      // Without it the database is taken as it is.
      return nil
    }
    let words = bytes.split { $0 == 32 || $0 == 10 }.map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 2 || words.count == 3, let epoch = Int64(words[1]), epoch > 0 else { return nil }
    let restoredAt = words.count == 3 ? Int64(words[2]) : nil
    self.init(identity: words[0], epoch: epoch, restoredAt: restoredAt.map { Timestamp(microseconds: $0) })
  }

  /// Writes it, whole or not at all.
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
