import Model
import Storage

/// The copies of a track: where it can be had from.
extension Catalogue {
  /// One copy.
  struct TrackCopy: Hashable, Sendable {
    /// The copy's own id.
    var id: TrackID
    /// The file's ending in lower case; nil where unknown.
    var format: String?
    var isLossless: Bool
    /// The server's own id of it; nil for a file of a folder.
    var native: String?
    /// The server's word for its audio.
    var part: String?
    /// Its file; nil for a track of a server.
    var path: LocalPath?
  }

  /// All copies of what is shown for an id, best first: lossless before lossy, folders before servers, servers in the
  /// person's order.
  ///
  /// - Throws: `library.unknownID`.
  static func copies(of id: TrackID, _ transaction: ReadTransaction) throws -> [TrackCopy] {
    // A track that is not shown under an album yet is its own copy.
    try transaction.rows(
      """
      SELECT t.source, t.id, t.format, t.is_lossless, t.native, t.part, d.path, f.name
      FROM tracks t LEFT JOIN sources s ON s.name = t.source LEFT JOIN files f ON f.track = t.id
      LEFT JOIN folders d ON d.id = f.folder WHERE t.id = ?1 OR (t.shown = ?1 AND t.shown <> t.id)
      ORDER BY t.is_lossless DESC, t.source <> ?2, s.position, t.source, t.id
      """, try shownTrack(id, transaction), FilesSource.name
    ) { row in
      TrackCopy(
        id: CatalogueID.track(source: try row.value(0), try row.value(1)), format: try row.value(2),
        isLossless: try row.value(3), native: try row.value(4), part: try row.value(5),
        path: path(try row.value(6), try row.value(7)))
    }
  }

  /// What another host is served for an id: the very copy, also one of a server, else the best one that is a file.
  ///
  /// - Throws: `library.unknownID`.
  static func copyToServe(_ id: TrackID, _ transaction: ReadTransaction) throws -> TrackCopy {
    let copies = try copies(of: id, transaction)
    let own = copies.first { $0.id == id && ($0.path != nil || $0.native != nil) }
    guard let copy = own ?? copies.first(where: { $0.path != nil }) else { throw CatalogueID.unknown(id) }
    return copy
  }
}
