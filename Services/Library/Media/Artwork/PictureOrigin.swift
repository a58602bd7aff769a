import Catalogue
import Messages
import Model
import MusicTags
import Records
import Sources
import Storage
import System

/// A picture of the music folders, and the file that holds it.
struct PictureOrigin: Sendable {
  var reference: ArtReference
  /// The picture, or the music file with it.
  var path: LocalPath

  /// The id by which its thumbnails are stored.
  var id: String { ArtID(source: MusicFolders.source, native: reference.native).description }
}

/// The pictures that stand in for a cover that cannot be shown.
extension Catalogue {
  /// The most pictures in music files that are tried.
  private static let mostEmbedded = 8

  /// The folder and the files that may hold other covers of the album whose cover cannot be shown.
  struct CoverSubstitutes: Sendable {
    /// The folder with the cover.
    var folder: (id: Int64, path: [UInt8])?
    /// The pictures in the files of the album, in its order.
    var embedded: [PictureOrigin] = []

    /// Returns the pictures in the order in which they are tried, without the one that cannot be shown. Blocks for the
    /// disk.
    func origins(instead broken: ArtReference) -> [PictureOrigin] {
      var origins: [PictureOrigin] = []
      if let folder {
        do {
          origins = try Cover.all(in: folder.path).map { cover in
            PictureOrigin(
              reference: .folder(folder.id, mark: cover.mark),
              path: LocalPath(bytes: FilePath.join(folder.path, cover.name)))
          }
        } catch {
          // The folder cannot be read now; its files may have pictures.
        }
      }
      return (origins + embedded).filter { $0.reference != broken }
    }
  }

  /// Returns what may hold other covers. Those in files are given where the cover is that of one album only.
  static func substitutes(for broken: ArtReference, _ transaction: ReadTransaction) throws -> CoverSubstitutes {
    var found = CoverSubstitutes()
    let folder =
      broken.place == .track
      ? "SELECT d.id, d.path FROM files f JOIN folders d ON d.id = f.folder WHERE f.track = ?"
      : "SELECT id, path FROM folders WHERE id = ?"
    found.folder = try transaction.row(folder, broken.number) { (try $0.value(0), try $0.value(1)) }
    let albums: [Int64] = try transaction.values(
      "SELECT id FROM albums WHERE source = ? AND own_art = ? LIMIT 2", MusicFolders.source, broken.native)
    guard let album = albums.first, albums.count == 1 else { return found }
    found.embedded = try transaction.rows(
      """
      SELECT t.id, f.inode, f.size, f.modified, d.path, f.name, f.tags FROM tracks t JOIN files f ON f.track = t.id
      JOIN folders d ON d.id = f.folder WHERE t.album = ? ORDER BY t.disc, ifnull(t.number, 1000000), t.id LIMIT 500
      """, album
    ) { row -> PictureOrigin? in
      guard FileTags(packed: try row.value(6)).audio.hasPicture, let path = path(try row.value(4), try row.value(5))
      else { return nil }
      let stamp = FileStamp(inode: try row.value(1), size: try row.value(2), modified: try row.value(3))
      return PictureOrigin(reference: .track(try row.value(0), mark: stamp.mark), path: path)
    }.compactMap(\.self)
    found.embedded = Array(found.embedded.prefix(mostEmbedded))
    return found
  }
}
