import Glibc
import HTTP
import Model
import Storage
import Synchronization

/// Files that may be handed out: those of the catalogue that lie, all links followed, in a music folder or in the folder
/// of pictures.
final class MediaFiles: Sendable {
  let database: Database
  let art: ArtStore
  let folders: MusicFolders

  /// The same with all links followed, as far as they were found.
  private let roots = Mutex<[[UInt8]: [UInt8]]>([:])

  init(database: Database, art: ArtStore, folders: MusicFolders) {
    (self.database, self.art, self.folders) = (database, art, folders)
  }

  /// What is handed out.
  enum Found: Sendable {
    /// A file and its media type, and how long it plays; nil for a picture.
    case file(OpenFile, type: String, duration: Milliseconds?)
    /// A track of a server.
    case server(Catalogue.TrackCopy, duration: Milliseconds)
  }

  /// Finds what a link leads to, and opens it where it is a file.
  ///
  /// - Throws: `library.unknownID`, `library.fileMissing`, `library.outsideFolders` and what `ArtStore.locate` throws.
  func open(_ thing: MediaLink.Item) async throws -> Found {
    switch thing {
    case .audio(let id):
      let (copy, duration) = try await database.read { transaction in
        (try Catalogue.copyToServe(id, transaction), try Catalogue.duration(of: id, transaction))
      }
      guard let path = copy.path else { return .server(copy, duration: duration) }
      // A disk that hangs holds up nobody's look into the catalogue.
      let file = try await BlockingThreads.perform { try self.open(path, within: self.folders.all) }
      return .file(file, type: MediaType.of(FilePath.name(path.bytes)), duration: duration)
    case .art(let id, let size, let takesWebP):
      let path = try await art.locate(id, size: size, takesWebP: takesWebP)
      return try await BlockingThreads.perform {
        let file = try self.open(path, within: self.folders.all + [Array(self.art.folder.path.utf8)])
        guard let type = MediaType.ofPicture(file.head(16)) else { throw WorkerPlan.broken }
        return .file(file, type: type, duration: nil)
      }
    }
  }

  /// Blocks for the disk.
  private func open(_ path: LocalPath, within folders: [[UInt8]]) throws(LunaraError) -> OpenFile {
    guard let file = OpenFile(path), let real = file.path else {
      try FileCheck.requireReadable(path)
      throw LunaraError("library.fileMissing", "\(path) is no file. Refresh the library with `lunara sync`.")
    }
    guard folders.contains(where: { isWithin(real.bytes, $0) }) else {
      throw LunaraError(
        "library.outsideFolders",
        "\(path) leads out of the music folders, so it is not handed to other machines. Add the folder it lies in with `lunara sources add`."
      )
    }
    return file
  }

  /// Whether a file lies in a folder, whose links are followed once, and again only where it seems not to.
  private func isWithin(_ file: [UInt8], _ folder: [UInt8]) -> Bool {
    if let root = roots.withLock({ $0[folder] }), FilePath.isWithin(file, root) { return true }
    guard let resolved = realpath(folder.cString, nil) else { return FilePath.isWithin(file, folder) }
    defer { free(resolved) }
    let root = Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    roots.withLock { $0[folder] = root }
    return FilePath.isWithin(file, root)
  }
}
