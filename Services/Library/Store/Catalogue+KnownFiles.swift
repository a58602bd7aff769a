import Storage

extension Catalogue {
  /// What the store knows of the files in the music folders.
  static func knownFiles(_ transaction: ReadTransaction) throws -> KnownFiles {
    var folders: [Int64: KnownFiles.Folder] = [:]
    _ = try transaction.rows("SELECT id, path, device, cover, cover_mark FROM folders") { row in
      let (id, name, mark): (Int64, [UInt8]?, String?) = (try row.value(0), try row.value(3), try row.value(4))
      var cover: Cover?
      if let name, let mark { cover = Cover(name: name, mark: mark) }
      folders[id] = KnownFiles.Folder(id: id, path: try row.value(1), device: try row.value(2), cover: cover)
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
