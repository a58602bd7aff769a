import Messages
import Model
import Storage

/// The files on disk of tracks and pictures.
extension Catalogue {
  /// Returns the path of a file in a folder; nil where the folder or the name is missing.
  static func path(_ folder: [UInt8]?, _ name: [UInt8]?) -> LocalPath? {
    guard let folder, let name else { return nil }
    return LocalPath(bytes: FilePath.join(folder, name))
  }

  /// Returns the duration of a track; zero for one that is unknown.
  static func duration(of id: TrackID, _ transaction: ReadTransaction) throws -> Milliseconds {
    try transaction.value("SELECT duration FROM tracks WHERE id = ?", CatalogueID.number(of: id, .track)) ?? .zero
  }

  /// Returns the file that holds a picture, and the current reference of the picture: an old reference leads to the
  /// picture that replaced it. For a picture of a track the file is the music file. Throws `library.unknownID`.
  static func file(
    of id: ArtID, _ transaction: ReadTransaction
  ) throws -> (path: LocalPath, reference: ArtReference) {
    guard id.source == FilesSource.name, var reference = ArtReference(id.native) else { throw CatalogueID.unknown(id) }
    let columns =
      switch reference.place {
      case .track:
        "d.path, f.name, f.inode, f.size, f.modified FROM files f JOIN folders d ON d.id = f.folder WHERE f.track = ?"
      case .folder: "path, cover, cover_mark FROM folders WHERE id = ?"
      case .artist: "path, artist_picture, artist_mark FROM folders WHERE id = ?"
      }
    let found = try transaction.row("SELECT \(columns)", reference.number) { row in
      if reference.place == .track {
        reference.mark = FileStamp(inode: try row.value(2), size: try row.value(3), modified: try row.value(4)).mark
      } else {
        reference.mark = try row.value(2) ?? ""
      }
      return path(try row.value(0), try row.value(1))
    }
    guard let path = found ?? nil else { throw CatalogueID.unknown(id) }
    return (path, reference)
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
    _ = try transaction.rows(
      """
      SELECT folder, name, id, inode, size, modified, track,
        reader <> ? OR ifnull(json_extract(problem, '$.code') = ?, 0) FROM files
      """, Int(TagReading.version), ScanProblem.unreadableCode
    ) { row in
      let folder: Int64 = try row.value(0)
      let stamp = FileStamp(inode: try row.value(3), size: try row.value(4), modified: try row.value(5))
      folders[folder]?.files[PathKey(try row.value(1))] = KnownFiles.File(
        id: try row.value(2), folder: folder, stamp: stamp, track: try row.value(6), needsReading: try row.value(7))
    }
    return KnownFiles(Array(folders.values))
  }

  /// Returns the rules by which the tags of files are split: the default ones, with the names that tags have given by
  /// themselves.
  static func tagRules(_ transaction: ReadTransaction) throws -> TagRules {
    let rules = TagRules.default
    let whole: [String] = try transaction.values("SELECT name FROM artist_names WHERE is_whole = 1")
    return rules.keeping(whole.filter(rules.artists.contains))
  }
}
