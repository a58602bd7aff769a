import Storage

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
