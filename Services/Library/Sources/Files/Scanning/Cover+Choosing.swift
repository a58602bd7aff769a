import Model
import MusicTags
package import Records
package import System
import Text

/// Choosing pictures among the files of a folder.
extension Cover {
  /// The names of pictures of an album, the best first. After them come those that Windows Media Player writes.
  private static let ofAlbum = ["cover", "folder", "front", "album", "albumart"]
  private static let endings = ["jpg", "jpeg", "png", "webp", "gif"]
  /// The names of subfolders with pictures of an album.
  private static let pictureFolders = ["scans", "artwork", "covers"]

  static func isPicture(_ name: [UInt8]) -> Bool { FileName.ending(name).map(endings.contains) ?? false }

  /// Returns true if a folder of this name holds pictures of the album in the folder above.
  static func isPictureFolder(_ name: [UInt8]) -> Bool {
    pictureFolders.contains(String(decoding: name, as: UTF8.self).caseFolded)
  }

  /// Returns the rank of a file among covers, 0 being the best; nil for any other file.
  static func rank(_ name: [UInt8]) -> Int? {
    rank(name) { stem in
      if let place = ofAlbum.firstIndex(of: stem) { return place }
      guard stem.hasPrefix("albumart") else { return nil }
      return ofAlbum.count + (stem.contains("large") ? 0 : stem.contains("small") ? 2 : 1)
    }
  }

  /// Returns the rank of a file among pictures of an artist, 0 being the best; nil for any other file.
  static func rankOfArtist(_ name: [UInt8]) -> Int? { rank(name) { $0 == "artist" ? 0 : nil } }

  private static func rank(_ name: [UInt8], _ place: (_ stem: String) -> Int?) -> Int? {
    guard let ending = FileName.ending(name).flatMap({ endings.firstIndex(of: $0) }),
      let place = place(FileName.stem(name).caseFolded)
    else { return nil }
    return place * endings.count + ending
  }

  /// Returns the first picture by rank and name, if it is a regular file.
  static func best(
    _ pictures: [(rank: Int, name: [UInt8])], of reader: FolderReader, _ stamp: (FileStatus) -> FileStamp
  ) -> Cover? {
    pictures.min(by: isBefore).flatMap { cover($0.name, of: reader, stamp) }
  }

  private static func isBefore(_ left: (rank: Int, name: [UInt8]), _ right: (rank: Int, name: [UInt8])) -> Bool {
    left.rank != right.rank ? left.rank < right.rank : left.name.lexicographicallyPrecedes(right.name)
  }

  private static func cover(
    _ name: [UInt8], of reader: FolderReader, _ stamp: (FileStatus) -> FileStamp
  ) -> Cover? {
    do {
      let status = try reader.status(of: name, followingLinks: true)
      return status.kind == .regular ? Cover(name: name, mark: stamp(status).mark) : nil
    } catch {
      // It was removed meanwhile.
      return nil
    }
  }

  /// Returns the front cover in the subfolders for pictures of a folder; nil if there is none. A subfolder with an
  /// ignore file is left out.
  static func front(
    of folder: [UInt8], in subfolders: [[UInt8]], rules: IgnoreRules? = nil, _ stamp: (FileStatus) -> FileStamp
  ) -> Cover? {
    let names = subfolders.filter(isPictureFolder).sorted { $0.lexicographicallyPrecedes($1) }
    for name in names {
      let path = FilePath.join(folder, name)
      do {
        let reader = try FolderReader(LocalPath(bytes: path))
        var fronts: [(rank: Int, name: [UInt8])] = []
        var isIgnored = false
        while let entry = try reader.next() {
          if IgnoreFile(name: entry.name) != nil { isIgnored = true }
          let rank = rank(entry.name) { $0 == "front" ? 0 : $0.hasPrefix("front") ? 1 : nil }
          guard let rank, rules?.ignores(entry.name, in: path, isFolder: false) != true else { continue }
          fronts.append((rank, entry.name))
        }
        guard !isIgnored, let best = best(fronts, of: reader, stamp) else { continue }
        return Cover(name: FilePath.join(name, best.name), mark: best.mark)
      } catch {
        // It cannot be read, or was removed meanwhile.
        continue
      }
    }
    return nil
  }

  /// Returns all covers in a folder by their names, the best first, and the front cover in its subfolders.
  package static func all(in folder: [UInt8]) throws(Errno) -> [Cover] {
    let reader = try FolderReader(LocalPath(bytes: folder))
    var ranked: [(rank: Int, name: [UInt8])] = []
    var others: [[UInt8]] = []
    while let entry = try reader.next() {
      if let rank = rank(entry.name) { ranked.append((rank, entry.name)) }
      if isPictureFolder(entry.name) { others.append(entry.name) }
    }
    let covers = ranked.sorted(by: isBefore).compactMap { cover($0.name, of: reader) { FileStamp($0) } }
    return covers + (front(of: folder, in: others) { FileStamp($0) }.map { [$0] } ?? [])
  }
}
