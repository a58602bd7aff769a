import Catalogue
import Messages
import Model
import Records
import Storage

/// The rules of smart playlists.
extension PlaylistEditor {
  /// Gives a smart playlist other rules. Returns the former ones; nil if they are the same.
  func change(rules text: String, of number: Int64, seen: Int64?) throws -> String? {
    guard let former = try Catalogue.rulesText(ofPlaylist: number, transaction) else {
      throw LunaraError("library.notEditable", "This playlist has entries and no rules. Make a smart playlist.")
    }
    let revision: Int64? = try transaction.value("SELECT revision FROM playlists WHERE id = ?", number)
    guard seen == nil || seen == revision else {
      throw LunaraError(
        "library.changedMeanwhile", "Somebody else has changed these rules meanwhile. Look at them again.")
    }
    try set(rules: text, of: number)
    return try Catalogue.rulesText(ofPlaylist: number, transaction) == former ? nil : former
  }

  /// Stores rules. A random order gets a seed, so that it stays until the rules change. Throws `library.badRules`.
  func set(rules text: String, of number: Int64) throws {
    var rules = try PlaylistRules(json: Array(text.utf8))
    rules.name = nil
    rules.comment = nil
    if rules.isRandom, rules.seed == nil { rules.seed = now.microseconds & 0xFFFF_FFFF }
    // A playlist that it names may name it in turn, which only counting finds.
    try transaction.execute(
      "UPDATE playlists SET rules = ?2, is_smart = 1 WHERE id = ?1", number,
      String(decoding: try rules.json(), as: UTF8.self))
    _ = try Catalogue.count(of: rules, Catalogue.ruleContext(of: number), transaction)
  }
}
