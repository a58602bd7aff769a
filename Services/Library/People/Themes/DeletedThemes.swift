import Bus
import Catalogue
import Messages
import Model
import Storage

/// Deletes themes, and brings them back for 30 days.
enum DeletedThemes {
  private static let memory = Timestamp(seconds: 30 * 86_400)
  private static let columns =
    "id, title, title_sort, text, rules, first, second, texture, cover, revision, created_at, updated_at"

  /// Deletes a theme, and forgets those that were deleted more than 30 days ago. Throws `library.unknownTheme`.
  static func delete(_ number: Int64, at now: Timestamp, journal: Journal? = nil, _ transaction: Transaction) throws {
    let title: String? = try transaction.value("SELECT title FROM themes WHERE id = ?", number)
    guard let title else { throw ThemeStore.unknown(number) }
    try transaction.execute(
      "INSERT INTO deleted_themes (\(columns), deleted_at) SELECT \(columns), ? FROM themes WHERE id = ?", now, number)
    try transaction.execute("DELETE FROM themes WHERE id = ?", number)
    try forget(before: now.microseconds - memory.microseconds, transaction)
    try journal?.append(Library.ThemeChanged(id: number, title: title, isDeleted: true), in: transaction)
  }

  /// Brings a deleted theme back. Throws `library.unknownTheme`, `library.tooManyThemes`.
  static func restore(_ number: Int64, journal: Journal? = nil, _ transaction: Transaction) throws {
    let title: String? = try transaction.value("SELECT title FROM deleted_themes WHERE id = ?", number)
    guard let title else {
      throw LunaraError(
        "library.unknownTheme",
        "The theme \(number) was not deleted, or not in the last 30 days. `lunara themes` lists all.")
    }
    let before = try ThemeStore.size(transaction)
    try ThemeStore.checkCount(transaction)
    try transaction.execute(
      "INSERT INTO themes (\(columns)) SELECT \(columns) FROM deleted_themes WHERE id = ?", number)
    try transaction.execute("DELETE FROM deleted_themes WHERE id = ?", number)
    try ThemeStore.checkSize(since: before, transaction)
    try journal?.append(Library.ThemeChanged(id: number, title: title), in: transaction)
  }

  private static func forget(before time: Int64, _ transaction: Transaction) throws {
    try transaction.execute(
      "DELETE FROM theme_picks WHERE theme IN (SELECT id FROM deleted_themes WHERE deleted_at < ?)", time)
    try transaction.execute("DELETE FROM deleted_themes WHERE deleted_at < ?", time)
    try Subjects(transaction).prune()
  }
}
