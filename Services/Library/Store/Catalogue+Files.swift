import Model
import Storage

/// Where things lie on the disk.
extension Catalogue {
  /// The file of a track: that of the very copy, else of the best one that is a file.
  ///
  /// - Throws: `library.unknownID`.
  static func place(of id: TrackID, _ transaction: ReadTransaction) throws -> LocalPath {
    let files = try copies(of: id, transaction).filter { $0.path != nil }
    guard let path = (files.first { $0.id == id } ?? files.first)?.path else { throw CatalogueID.unknown(id) }
    return path
  }

  /// How long a track plays; zero for one that is unknown.
  static func duration(of id: TrackID, _ transaction: ReadTransaction) throws -> Milliseconds {
    guard case .track(let number) = CatalogueID(id) else { return .zero }
    return try transaction.row("SELECT duration FROM tracks WHERE id = ?", number) { try $0.value(0) } ?? .zero
  }

  /// Where a picture comes from.
  enum ArtPlace: Sendable {
    /// A file of its own.
    case file(LocalPath)
    /// A file with music that holds it.
    case embedded(LocalPath)
  }

  /// The place of a picture, and the reference of the one that is there now: an old reference leads to the picture that
  /// has taken its place.
  ///
  /// - Throws: `library.unknownID`.
  static func place(
    of id: ArtID, _ transaction: ReadTransaction
  ) throws -> (place: ArtPlace, reference: ArtReference) {
    guard id.source == FilesSource.name, let reference = ArtReference(id.native) else { throw CatalogueID.unknown(id) }
    switch reference {
    case .folder(let number, _):
      return try picture("cover", "cover_mark", of: number, id, transaction) { .folder(number, mark: $0) }
    case .artist(let number, _):
      return try picture("artist_picture", "artist_mark", of: number, id, transaction) { .artist(number, mark: $0) }
    case .track(let number, _):
      let stamp = try transaction.row("SELECT inode, size, modified FROM files WHERE track = ?", number) { row in
        FileStamp(inode: try row.value(0), size: try row.value(1), modified: try row.value(2))
      }
      guard let stamp, let path = try file(ofTrack: number, transaction) else { throw CatalogueID.unknown(id) }
      return (.embedded(path), .track(number, mark: stamp.mark))
    }
  }

  /// A picture in a folder, by the columns with its name and its mark.
  private static func picture(
    _ name: String, _ mark: String, of folder: Int64, _ id: ArtID, _ transaction: ReadTransaction,
    _ reference: (String) -> ArtReference
  ) throws -> (place: ArtPlace, reference: ArtReference) {
    let found = try transaction.row("SELECT path, \(name), \(mark) FROM folders WHERE id = ?", folder) { row in
      (path: path(try row.value(0), try row.value(1)), mark: try row.value(2) as String?)
    }
    guard let found, let picture = found.path else { throw CatalogueID.unknown(id) }
    return (.file(picture), reference(found.mark ?? ""))
  }

  private static func file(ofTrack number: Int64, _ transaction: ReadTransaction) throws -> LocalPath? {
    try transaction.row(
      "SELECT d.path, f.name FROM files f JOIN folders d ON d.id = f.folder WHERE f.track = ?", number
    ) { row in path(try row.value(0), try row.value(1)) } ?? nil
  }
}

extension Catalogue {
  /// What the store knows of the files in the music folders.
  static func knownFiles(_ transaction: ReadTransaction) throws -> KnownFiles {
    var folders: [Int64: KnownFiles.Folder] = [:]
    _ = try transaction.rows("SELECT id, path, device, cover, cover_mark, artist_picture, artist_mark FROM folders") {
      row in
      func picture(_ name: [UInt8]?, _ mark: String?) -> Cover? {
        guard let name, let mark else { return nil }
        return Cover(name: name, mark: mark)
      }
      let id: Int64 = try row.value(0)
      folders[id] = KnownFiles.Folder(
        id: id, path: try row.value(1), device: try row.value(2), cover: picture(try row.value(3), try row.value(4)),
        artistPicture: picture(try row.value(5), try row.value(6)))
    }
    _ = try transaction.rows("SELECT folder, name, id, inode, size, modified, track FROM files") { row in
      let folder: Int64 = try row.value(0)
      let stamp = FileStamp(inode: try row.value(3), size: try row.value(4), modified: try row.value(5))
      folders[folder]?.files[PathKey(try row.value(1))] = KnownFiles.File(
        id: try row.value(2), folder: folder, stamp: stamp, track: try row.value(6))
    }
    return KnownFiles(Array(folders.values))
  }
}
