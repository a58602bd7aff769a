import Glibc
import HTTP
import Model
import Storage

/// Files that may be handed out: those of the catalogue that lie, all links followed, in a music folder or in the folder
/// of pictures.
struct MediaPlaces: Sendable {
  let database: Database
  let art: ArtStore
  /// The music folders, as `MusicFolders` gives them.
  let folders: [[UInt8]]

  /// What is handed out.
  struct Found: Sendable {
    var file: OpenFile
    var type: String
    /// How long it plays; nil for a picture.
    var duration: Milliseconds?
  }

  /// Opens what a link leads to. Blocks for the disk.
  ///
  /// - Throws: `library.unknownID`, `library.fileMissing`, `library.outsideFolders` and what `ArtStore.locate` throws.
  func open(_ thing: MediaLink.Thing) async throws -> Found {
    switch thing {
    case .audio(let id):
      let folders = folders
      return try await database.read { transaction in
        let path = try Catalogue.place(of: id, transaction)
        let file = try Self.open(path, within: folders)
        let type = AudioType.of(FilePath.name(path.bytes))
        return Found(file: file, type: type, duration: try Catalogue.duration(of: id, transaction))
      }
    case .art(let id, let size, let takesWebP):
      let path = try await art.locate(id, size: size, takesWebP: takesWebP)
      let file = try Self.open(path, within: folders + [Array(art.folder.path.utf8)])
      guard let type = AudioType.ofPicture(file.head(16)) else { throw WorkerPlan.broken }
      return Found(file: file, type: type)
    }
  }

  private static func open(_ path: LocalPath, within folders: [[UInt8]]) throws(LunaraError) -> OpenFile {
    guard let file = OpenFile(path), let real = file.path else {
      try FileCheck.requireReadable(path)
      throw LunaraError("library.fileMissing", "\(path) is no file. Refresh the library with `lunara sync`.")
    }
    guard folders.contains(where: { FilePath.isWithin(real.bytes, Self.real($0)) }) else {
      throw LunaraError(
        "library.outsideFolders",
        "\(path) leads out of the music folders, so it is not handed to other machines. Add the folder it lies in to LUNARA_MUSIC."
      )
    }
    return file
  }

  /// A folder with all links followed; as it is where it is not there.
  private static func real(_ folder: [UInt8]) -> [UInt8] {
    guard let resolved = realpath(folder.cString, nil) else { return folder }
    defer { free(resolved) }
    return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }
}
