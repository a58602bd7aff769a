import Model
import Storage

/// What albums show of their tracks, read from what is stored.
extension FilesReconciliation {
  /// The summary of an album; nil where no track is left.
  func summary(of album: Int64) throws -> AlbumSummary? {
    var summary = AlbumSummary()
    _ = try transaction.rows(
      """
      SELECT t.id, t.genres, f.inode, f.size, f.modified, f.tags, f.folder, d.path
      FROM tracks t JOIN files f ON f.track = t.id JOIN folders d ON d.id = f.folder WHERE t.album = ?
      ORDER BY t.disc, ifnull(t.number, 1000000), t.title_sort, t.id
      """, album
    ) { row in
      let stamp = FileStamp(inode: try row.value(2), size: try row.value(3), modified: try row.value(4))
      let track: Int64 = try row.value(0)
      let hasPicture = FileTags(packed: try row.value(5)).hasPicture
      summary.add(
        AlbumSummary.Part(
          genres: TextList.unpacked(try row.value(1)),
          folderCover: cover(of: try row.value(7)), isFolderShared: try isShared(try row.value(6)),
          embedded: hasPicture ? .track(track, mark: stamp.mark) : nil))
    }
    return summary.tracks > 0 ? summary : nil
  }

  private func isShared(_ folder: Int64) throws -> Bool {
    if let known = sharedFolders[folder] { return known }
    let albums = try transaction.row(
      "SELECT count(DISTINCT t.album) FROM files f JOIN tracks t ON t.id = f.track WHERE f.folder = ?", folder
    ) { try $0.value(0) as Int }
    sharedFolders[folder] = (albums ?? 0) > 1
    return (albums ?? 0) > 1
  }
}
