import Model
package import Records
package import Storage

extension Catalogue {
  /// Returns the settings by which the stored files were read, or are being read. Throws the errors of the database.
  static func tagSettings(_ transaction: ReadTransaction) throws -> TagSettings {
    var texts: [String: String] = [:]
    _ = try transaction.rows("SELECT name, value FROM tag_settings") {
      texts[try $0.value(0)] = try $0.value(1) as String
    }
    return try TagSettings { texts[$0] }
  }

  /// Stores the settings. Files whose tags mean something else by them are read again by the next scan: with other
  /// lists all, with other encodings those that have text which claims to be Latin-1, and those beside CUE sheets.
  package static func adopt(_ settings: TagSettings, _ transaction: Transaction) throws {
    var before: [String: String] = [:]
    _ = try transaction.rows("SELECT name, value FROM tag_settings") {
      before[try $0.value(0)] = try $0.value(1) as String
    }
    guard before != settings.texts else { return }
    try transaction.execute("DELETE FROM tag_settings")
    for (name, value) in settings.texts {
      try transaction.execute("INSERT INTO tag_settings (name, value) VALUES (?, ?)", name, value)
    }
    var lists = (before, settings.texts)
    lists.0[TagSettings.encoding] = nil
    lists.1[TagSettings.encoding] = nil
    // Fields of packed tags begin after U+001F; `xe` is that of `AudioTags.hasLegacyText`.
    let isConcerned = lists.0 == lists.1 ? "instr(tags, char(31) || 'xe') > 0" : "TRUE"
    try transaction.execute("UPDATE files SET reader = 0 WHERE \(isConcerned)")
    if before[TagSettings.encoding] != settings.texts[TagSettings.encoding] {
      try transaction.execute("UPDATE folders SET digest = 0, sheets = 0 WHERE sheets != 0")
    }
  }
}
