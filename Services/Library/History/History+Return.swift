import Model
import Storage

extension History {
  /// Gives what was heard back to tracks that went and came again under new numbers, such as those of a source that was
  /// removed and added anew: by artist, album, place and title. To be called when a refresh brought new tracks.
  static func giveBack(_ transaction: Transaction) throws {
    let lost = """
      SELECT h.id, h.identity FROM listen_tracks h WHERE h.identity <> 0
        AND NOT EXISTS (SELECT 1 FROM tracks WHERE id = h.number)
        AND NOT EXISTS (SELECT 1 FROM heirs WHERE kind = 3 AND number = h.number)
      """
    // Most often nothing is lost, and the tracks are not read at all.
    guard try transaction.row("\(lost) LIMIT 1", as: { try $0.value(0) as Int64 }) != nil else { return }
    let found = try transaction.rows(
      """
      WITH lost AS MATERIALIZED (\(lost))
      SELECT lost.id, min(t.id) FROM tracks t CROSS JOIN lost ON lost.identity = t.identity GROUP BY lost.id
      """
    ) { (heard: try $0.value(0) as Int64, track: try $0.value(1) as Int64) }
    for (heard, track) in found {
      try transaction.execute(
        "UPDATE listen_tracks SET number = ?1, album = (SELECT album FROM tracks WHERE id = ?1) WHERE id = ?2", track,
        heard)
      let last = try transaction.row(
        """
        SELECT t.source, (SELECT max(counted_at) FROM listens WHERE track = ?) FROM tracks t WHERE t.id = ?
        """, heard, track
      ) { (source: try $0.value(0) as String, time: try $0.value(1) as Timestamp?) }
      guard let last, let time = last.time else { continue }
      try ListenRows.mark(CatalogueID.track(source: last.source, track), heardAt: time, transaction)
    }
  }
}
