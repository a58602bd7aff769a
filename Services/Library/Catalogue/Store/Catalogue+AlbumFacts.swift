import Messages
import Model
import Storage

/// The facts of an album that its first page shows beside its tracks.
extension Catalogue {
  private static let mostSounds = 6
  private static let mostSources = 8

  /// Sets the facts of an album: its formats, its plays, its sources, its arrival and its length.
  static func addFacts(
    to page: inout Library.AlbumPage, of number: Int64, _ transaction: ReadTransaction
  ) throws {
    page.sound = try sound(of: number, transaction)
    page.plays = try history(of: "[\(number)]", transaction)[number]?.plays ?? 0
    page.lastPlayedAt = page.album.lastPlayedAt
    page.addedAt = page.album.addedAt
    page.sources = try sources(of: number, transaction)
    page.length = page.album.duration
  }

  /// Returns the formats of the tracks as they are shown, which are the best copies, the most frequent first. A bit
  /// rate is the mean of the tracks.
  private static func sound(of number: Int64, _ transaction: ReadTransaction) throws -> [Library.AlbumSound] {
    try transaction.rows(
      """
      SELECT lower(ifnull(t.codec, t.format)), t.is_lossless, t.bit_depth, t.sample_rate,
        CAST(round(avg(t.bit_rate)) AS INTEGER), count(*) FROM tracks t INDEXED BY tracks_of_shelf
      WHERE t.shelf = ? AND ifnull(t.codec, t.format) IS NOT NULL
      GROUP BY 1, 2, 3, 4 ORDER BY 6 DESC, 1, 3 DESC, 4 DESC LIMIT ?
      """, number, mostSounds
    ) { row in
      let isLossless: Bool = try row.value(1)
      let bitDepth: Int? = try row.value(2)
      return Library.AlbumSound(
        format: try row.value(0), isLossless: isLossless, bitDepth: isLossless ? bitDepth : nil,
        sampleRate: try row.value(3), bitRate: try row.value(4), tracks: try row.value(5))
    }
  }

  /// Returns the names of the sources that have the album, in the order of the sources.
  private static func sources(of number: Int64, _ transaction: ReadTransaction) throws -> [String] {
    try transaction.rows(
      """
      SELECT DISTINCT m.source FROM albums s
      CROSS JOIN albums m INDEXED BY albums_by_merge ON m.merge_key = s.merge_key AND m.shelf = s.id
      LEFT JOIN sources o ON o.name = m.source WHERE s.id = ? ORDER BY o.position IS NULL, o.position, m.source LIMIT ?
      """, number, mostSources
    ) { try $0.value(0) }
  }
}
