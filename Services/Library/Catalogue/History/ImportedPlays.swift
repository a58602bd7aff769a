/// Queries of the counts that were imported.
package enum ImportedPlays {
  /// Conditions of tracks `t` and albums `a` that nobody played, neither here nor, as tags count it, elsewhere.
  static let unplayedTracks = "(t.played_at = 0 AND t.id NOT IN (\(tracks)))"
  static let unplayedAlbums = "(a.played_at = 0 AND a.id NOT IN (\(albums)))"

  /// SQL for the tracks that are shown and have a count.
  private static let tracks = "SELECT c.shown FROM imported_plays p JOIN tracks c ON c.identity = p.identity"
  /// SQL for the albums in the lists that have such a track.
  private static let albums = "SELECT s.shelf FROM tracks s WHERE s.shelf IS NOT NULL AND s.id IN (\(tracks))"

  /// Returns SQL for the shown tracks and their counts: the highest among the copies of each.
  ///
  /// - Parameter shown: SQL for the ids of the tracks that are shown; nil for all.
  package static func counts(of shown: String?) -> String {
    guard let shown else {
      return """
        SELECT c.shown AS track, max(p.plays) AS plays FROM imported_plays p JOIN tracks c ON c.identity = p.identity
        GROUP BY 1
        """
    }
    return """
      SELECT track, max(plays) AS plays FROM (
        SELECT c.id AS track, p.plays FROM tracks c JOIN imported_plays p ON p.identity = c.identity
        WHERE c.id IN (\(shown))
        UNION ALL
        SELECT c.shown, p.plays FROM tracks c INDEXED BY tracks_copied JOIN imported_plays p ON p.identity = c.identity
        WHERE c.shown IN (\(shown)) AND c.shown <> c.id)
      GROUP BY 1
      """
  }
}
