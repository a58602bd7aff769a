import Model
import Storage

/// Where things lie on the disk.
extension Catalogue {
  /// The file of a track.
  ///
  /// - Throws: `library.unknownID`.
  static func place(of id: TrackID, _ transaction: ReadTransaction) throws -> LocalPath {
    guard let path = try file(ofTrack: try shownTrack(id, transaction), transaction) else {
      throw CatalogueID.unknown(id)
    }
    return path
  }

  /// Where a picture comes from.
  enum ArtPlace: Sendable {
    /// A file of its own.
    case file(LocalPath)
    /// A file with music that holds it; `reference` is that of the picture that is there now.
    case embedded(LocalPath, ArtReference)
  }

  /// The place of a picture. An old reference leads to the picture that has taken its place.
  ///
  /// - Throws: `library.unknownID`.
  static func place(of id: ArtID, _ transaction: ReadTransaction) throws -> ArtPlace {
    guard id.source == FilesSource.name, let reference = ArtReference(id.native) else { throw CatalogueID.unknown(id) }
    switch reference {
    case .folder(let number, _), .artist(let number, _):
      let column = if case .artist = reference { "artist_picture" } else { "cover" }
      let picture = try transaction.row("SELECT path, \(column) FROM folders WHERE id = ?", number) { row in
        path(try row.value(0), try row.value(1))
      }
      guard let picture = picture ?? nil else { throw CatalogueID.unknown(id) }
      return .file(picture)
    case .track(let number, _):
      let stamp = try transaction.row("SELECT inode, size, modified FROM files WHERE track = ?", number) { row in
        FileStamp(inode: try row.value(0), size: try row.value(1), modified: try row.value(2))
      }
      guard let stamp, let path = try file(ofTrack: number, transaction) else { throw CatalogueID.unknown(id) }
      return .embedded(path, .track(number, mark: stamp.mark))
    }
  }

  private static func file(ofTrack number: Int64, _ transaction: ReadTransaction) throws -> LocalPath? {
    try transaction.row(
      "SELECT d.path, f.name FROM files f JOIN folders d ON d.id = f.folder WHERE f.track = ?", number
    ) { row in path(try row.value(0), try row.value(1)) } ?? nil
  }
}
