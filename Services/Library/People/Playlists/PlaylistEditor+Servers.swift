import Catalogue
import Messages
import Model
import Storage
import Text

/// The playlists of servers.
extension PlaylistEditor {
  /// Returns entries as a server's playlist has them: by the server's own tracks.
  func atServer(_ new: [PlaylistEntries.Entry], _ source: String) throws -> [PlaylistEntries.Entry] {
    let found = try new.compactMap { entry -> PlaylistEntries.Entry? in
      // The track itself may be of this source, or have a copy there.
      let row = try transaction.row(
        """
        SELECT id, native FROM tracks WHERE source = ?2 AND native IS NOT NULL AND (id = ?1 OR shown =
          (SELECT shown FROM tracks WHERE id = ?1)) ORDER BY id <> ?1, id LIMIT 1
        """, entry.track, source
      ) { (id: try $0.value(0) as Int64, native: try $0.value(1) as String) }
      return row.map { .init(track: $0.id, native: $0.native, addedAt: now) }
    }
    guard found.count == new.count else {
      throw LunaraError(
        "library.notOnServer",
        "\(new.count - found.count) of \(new.count) tracks are not on \(source), so its playlist cannot have them. Copy the playlist, and add them to the copy."
      )
    }
    return found
  }

  /// Recreates a playlist on the server that was deleted there. One whose deletion was not sent yet is kept.
  func makeAgain(_ number: Int64) throws {
    guard let source = try source(of: number), source != Catalogue.ownPlaylists else { return }
    let isWaiting: Bool? = try transaction.value(
      "SELECT EXISTS (SELECT 1 FROM playlist_outbox WHERE playlist = ?)", number)
    guard isWaiting != true else { return }
    let title: String = try transaction.value("SELECT title FROM playlists WHERE id = ?", number) ?? ""
    try transaction.execute(
      "UPDATE playlists SET native = ?2 WHERE id = ?1", number,
      try PlaylistOutbox.create(number, source: source, title: title, transaction))
  }
}

/// Playlists whose server does not take what was changed here.
extension PlaylistEditor {
  /// Makes a server's playlist one of the library itself.
  func detach(_ number: Int64, note: String) throws {
    let entries = try PlaylistEntries(of: number, transaction).all()
    for entry in entries {
      let own = try ownEntry(entry)
      try transaction.execute(
        "UPDATE playlist_entries SET native = NULL, identity = ?2, described = ?3, added_at = ?4 WHERE id = ?1",
        entry.id,
        own?.identity,
        try own?.described.map { String(decoding: try MessageCoding.encode($0), as: UTF8.self) }, now)
    }
    try transaction.execute(
      "DELETE FROM playlist_entries WHERE playlist = ? AND described IS NULL", number)
    try transaction.execute(
      """
      UPDATE playlists SET source = ?2, native = id, note = ?3, revision = revision + 1, created_at = ?4, updated_at = ?4
      WHERE id = ?1
      """, number, Catalogue.ownPlaylists, note, now)
    try transaction.execute("DELETE FROM playlist_undo WHERE playlist = ?", number)
    try publish(number)
  }

  /// Makes a copy of a server's playlist as one of the library itself.
  func keepCopy(of number: Int64, note: String) throws {
    let entries = try PlaylistEntries(of: number, transaction).all().compactMap { try ownEntry($0) }
    let title: String = try transaction.value("SELECT title FROM playlists WHERE id = ?", number) ?? "Playlist"
    let copy = try create("\(title) (changed here)", nil, entries, source: Catalogue.ownPlaylists, note: note)
    try publish(copy)
  }

  /// Returns an entry of a server's playlist as one of the library's own has it; nil if its track is not known.
  private func ownEntry(_ entry: PlaylistEntries.Entry) throws -> PlaylistEntries.Entry? {
    try entry.track.flatMap { try Catalogue.track($0, transaction) }.map { try self.entry(of: $0) }
  }
}
