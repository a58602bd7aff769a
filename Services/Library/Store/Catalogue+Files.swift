import Model
import Storage

/// The files on disk of tracks and pictures.
extension Catalogue {
  /// Returns the path of a file in a folder; nil where one of both is missing.
  static func path(_ folder: [UInt8]?, _ name: [UInt8]?) -> LocalPath? {
    guard let folder, let name else { return nil }
    return LocalPath(bytes: FilePath.join(folder, name))
  }

  /// Returns the duration of a track; zero for one that is unknown.
  static func duration(of id: TrackID, _ transaction: ReadTransaction) throws -> Milliseconds {
    guard case .track(let number) = CatalogueID(id) else { return .zero }
    return try transaction.row("SELECT duration FROM tracks WHERE id = ?", number) { try $0.value(0) } ?? .zero
  }

  /// The file that holds a picture.
  enum ArtFile: Sendable {
    /// A picture file.
    case file(LocalPath)
    /// A music file with the picture in it.
    case embedded(LocalPath)
  }

  /// Returns the file of a picture, and the reference of the picture that is there now: an old reference leads to the
  /// picture that replaced it.
  ///
  /// - Throws: `library.unknownID`.
  static func file(
    of id: ArtID, _ transaction: ReadTransaction
  ) throws -> (file: ArtFile, reference: ArtReference) {
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

  /// Returns a picture in a folder, by the columns with its name and its mark.
  private static func picture(
    _ name: String, _ mark: String, of folder: Int64, _ id: ArtID, _ transaction: ReadTransaction,
    _ reference: (String) -> ArtReference
  ) throws -> (file: ArtFile, reference: ArtReference) {
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
  /// Returns the files in the music folders as the store knows them.
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
