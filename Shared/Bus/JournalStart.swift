import Glibc
import Model

/// The last start of a journal, in a file of its own beside the database: a database that is older than this went back.
struct JournalStart: Hashable, Sendable {
  /// The journal's identity.
  var identity: String
  /// The start's number.
  var epoch: Int64
  /// When the database was taken out of a backup, where nothing has started with it since.
  var restoredAt: Timestamp?

  /// Where it is kept for a database.
  static func path(beside database: String) -> String { database + ".start" }

  init(identity: String, epoch: Int64, restoredAt: Timestamp? = nil) {
    self.identity = identity
    self.epoch = epoch
    self.restoredAt = restoredAt
  }

  /// Reads it; nil where there is none that can be read.
  init?(beside database: String) {
    let descriptor = open(Self.path(beside: database), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    let words = bytes.prefix(max(0, count)).split { $0 == 32 || $0 == 10 }.map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 2 || words.count == 3, let epoch = Int64(words[1]), epoch > 0 else { return nil }
    let restoredAt = words.count == 3 ? Int64(words[2]) : nil
    self.init(identity: words[0], epoch: epoch, restoredAt: restoredAt.map { Timestamp(microseconds: $0) })
  }

  /// Writes it, whole or not at all.
  ///
  /// - Throws: `bus.cannotNoteStart`.
  func write(beside database: String) throws {
    let path = Self.path(beside: database)
    let text = "\(identity) \(epoch)\(restoredAt.map { " \($0.microseconds)" } ?? "")\n"
    let descriptor = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path) }
    let isWritten = Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count && fsync(descriptor) == 0
    let failure = isWritten ? nil : Self.failure(path)
    close(descriptor)
    if let failure { throw failure }
    guard rename(path + ".new", path) == 0 else { throw Self.failure(path) }
  }

  private static func failure(_ path: String) -> LunaraError {
    LunaraError(
      "bus.cannotNoteStart",
      "\(path) cannot be written, so a restored backup may not be noticed. Is the disk full, or read-only?",
      cause: String(cString: strerror(errno)))
  }
}
