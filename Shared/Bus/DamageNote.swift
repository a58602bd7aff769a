import Glibc
public import Model
import Storage

/// What a person is told of a database that was damaged: once in the log, and in a file beside what is left of it, by
/// which every later start knows of it until the person has put both away.
public struct DamageNote: Sendable {
  /// What happened, in words.
  public let error: LunaraError
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

  private init(message: String, cause: String?, path: String) {
    error = LunaraError("bus.journalSalvaged", message, cause: cause)
    (self.path, text) = (path, "")
  }

  /// The first of them, and how many there are besides.
  private static func names(_ tables: [Salvage.Table]) -> String {
    let names = tables.prefix(4).map(\.name).joined(separator: ", ")
    return tables.count > 4 ? "\(names) and \(tables.count - 4) more" : names
  }

  /// Writes it beside the damaged file.
  func write() throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count, fsync(descriptor) == 0 else {
      throw Self.failure(path)
    }
  }

  /// The newest that lies beside a database; nil where there is none.
  public static func newest(beside database: String) -> DamageNote? {
    guard let slash = database.lastIndex(of: "/"), let directory = opendir(String(database[...slash])) else {
      return nil
    }
    defer { closedir(directory) }
    let beginning = database[database.index(after: slash)...] + ".damaged-"
    var newest = ""
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasPrefix(beginning), name.hasSuffix(ending), name > newest { newest = name }
    }
    guard !newest.isEmpty else { return nil }
    let path = String(database[...slash]) + newest
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard let message = lines.first, !message.isEmpty else { return nil }
    return DamageNote(
      message: String(message), cause: lines.count > 1 && !lines[1].isEmpty ? String(lines[1]) : nil, path: path)
  }

  private static func failure(_ path: String) -> LunaraError {
    LunaraError(
      "bus.cannotNoteDamage", "\(path) cannot be written, so only the log says what was saved. Is the disk full?",
      cause: String(cString: strerror(errno)))
  }
}
