import Catalogue
import Messages
import Model
import Storage

/// The step that takes back one change of a playlist. The steps of a playlist are taken in the opposite order of its
/// changes, so each finds the entries as its change left them.
struct PlaylistUndoStep: Codable, Hashable, Sendable {
  /// The number of changes of a playlist that can be taken back.
  static let most: Int64 = 10

  /// An entry that was removed, and the one that stood before it; 0 for none.
  struct Removed: Codable, Hashable, Sendable {
    var entry: PlaylistEntries.Entry
    var before: Int64
  }

  /// An entry that was moved, and the one that stood before it; 0 for none.
  struct Moved: Codable, Hashable, Sendable {
    var entry: Int64
    var before: Int64
  }

  /// The entries that were added.
  var added: [Int64]?
  /// The entries that were removed, in their order.
  var removed: [Removed]?
  /// The entries that were moved, in their former order.
  var moved: [Moved]?
  /// The former title; nil if it was not changed.
  var title: String?
  /// The former description, empty for none; nil if it was not changed.
  var summary: String?
  /// The former rules; nil if they were not changed.
  var rules: String?
  /// The reference of the former cover, empty for none; nil if it was not changed.
  var cover: String?

  /// Takes the change of the entries back.
  func apply(to entries: PlaylistEntries) throws {
    if let added { try entries.remove(added) }
    // Neighbours come back together: each stood behind the one before it in the list.
    var run: [PlaylistEntries.Entry] = []
    var anchor: Int64 = 0
    for one in removed ?? [] {
      if let last = run.last, last.id != one.before {
        _ = try entries.insert(run, after: anchor)
        run = []
      }
      if run.isEmpty { anchor = one.before }
      run.append(one.entry)
    }
    _ = try entries.insert(run, after: anchor)
    for one in moved ?? [] { try entries.move([one.entry], after: one.before) }
  }
}

/// The last changes of playlists.
enum PlaylistUndo {
  static func keep(_ step: PlaylistUndoStep, of playlist: Int64, revision: Int64, _ transaction: Transaction) throws {
    try transaction.execute(
      "INSERT OR REPLACE INTO playlist_undo (playlist, revision, body) VALUES (?, ?, ?)", playlist, revision,
      String(decoding: try MessageCoding.encode(step), as: UTF8.self))
    try transaction.execute(
      """
      DELETE FROM playlist_undo WHERE playlist = ?1 AND revision NOT IN
        (SELECT revision FROM playlist_undo WHERE playlist = ?1 ORDER BY revision DESC LIMIT ?2)
      """, playlist, PlaylistUndoStep.most)
  }

  /// Returns the step that takes the last change back, and forgets it; nil if there is none.
  static func takeLast(of playlist: Int64, _ transaction: Transaction) throws -> PlaylistUndoStep? {
    let row = try transaction.row(
      "SELECT revision, body FROM playlist_undo WHERE playlist = ? ORDER BY revision DESC LIMIT 1", playlist
    ) { (revision: try $0.value(0) as Int64, body: try $0.value(1) as String) }
    guard let row else { return nil }
    try transaction.execute(
      "DELETE FROM playlist_undo WHERE playlist = ? AND revision = ?", playlist, row.revision)
    return try MessageCoding.decode(PlaylistUndoStep.self, from: row.body.utf8)
  }
}
