import Messages
package import Model
import Records
package import Storage

/// Playlists and their entries.
extension Catalogue {
  /// The source of the playlists of the library itself.
  package static let ownPlaylists = "lunara"

  /// SQL for the number of the track that is shown for an entry `e`: that of its row, of the row that took over its
  /// number, or of the first with the same identity, so that an entry follows its track without being written; NULL if
  /// the track is not here.
  package static let shownTrack = """
    coalesce(\(Successors.shown(.track, "e.track")),
      (SELECT min(shown) FROM tracks WHERE identity = e.identity))
    """

  /// SQL for the entries of a playlist that are shown: those whose track is here, and those with a description.
  package static func shownEntries(of playlist: String) -> String {
    "playlist_entries e WHERE e.playlist = \(playlist) AND (e.described IS NOT NULL OR \(shownTrack) IS NOT NULL)"
  }

  package static let playlistColumns = """
    p.source || ':p' || p.id, p.title, (SELECT count(*) FROM \(shownEntries(of: "p.id"))),
    (SELECT ifnull(sum(ifnull((SELECT duration FROM tracks WHERE id = \(shownTrack)),
      ifnull(e.described ->> '$.duration', 0))), 0) FROM \(shownEntries(of: "p.id"))), p.is_smart,
    ifnull(p.source || ':' || nullif(p.art, ''), (SELECT a.art FROM playlist_entries e
      CROSS JOIN tracks t ON t.id = e.track CROSS JOIN albums a ON a.id = t.shelf
      WHERE e.playlist = p.id AND a.art IS NOT NULL ORDER BY e.place LIMIT 1)),
    p.summary, \(isEditable), CASE WHEN \(isEditable) THEN p.revision END,
    ifnull((SELECT 'The changes that were made here are not sent to ' || o.source || ' yet.'
      || ifnull(' ' || o.problem, '') FROM playlist_outbox o WHERE o.playlist = p.id), p.note)
    """

  /// SQL that is true for a playlist that can be edited: one of the library itself, or one of a server of a kind whose
  /// playlists can be edited, unless a rule fills it.
  private static let isEditable = {
    let names = Library.SourceKind.withPlaylistEdits.map { "'\($0.kind)'" }.joined(separator: ", ")
    return
      "(p.source = '\(ownPlaylists)' OR p.is_smart = 0 AND (SELECT kind FROM sources WHERE name = p.source) IN (\(names)))"
  }()

  /// Returns true for a playlist that can be edited.
  package static func isEditable(playlist number: Int64, _ transaction: ReadTransaction) throws -> Bool {
    try transaction.value("SELECT \(isEditable) FROM playlists p WHERE p.id = ?", number) ?? false
  }

  package static func playlist(_ row: borrowing Row) throws -> Playlist {
    Playlist(
      id: try row.value(0), title: try row.value(1), trackCount: try row.value(2), duration: try row.value(3),
      isSmart: try row.value(4), art: try row.value(5), summary: try row.value(6), isEditable: try row.value(7),
      revision: try row.value(8), note: try row.value(9))
  }
}

extension Playlist: SizedItem {
  package var size: Int { 260 + PageBudget.size(title) + PageBudget.size(summary) + PageBudget.size(note) }
}

extension DescribedTrack: SizedItem {
  package var size: Int {
    160 + PageBudget.size(title) + PageBudget.size(artist) + PageBudget.size(album) + PageBudget.size(location)
  }
}
