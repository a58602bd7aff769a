import Glibc
import HTTP
import Model
import Storage
import Synchronization

/// Opens the files that other hosts may read: files of the catalogue that, with all links followed, are in a music
/// folder or in the folder of pictures.
final class MediaFiles: Sendable {
  let database: Database
  let art: ArtStore
  let folders: MusicFolders

  /// The real paths, with all links followed, of the folders that were resolved so far.
  private let roots = Mutex<[[UInt8]: [UInt8]]>([:])

  init(database: Database, art: ArtStore, folders: MusicFolders) {
    (self.database, self.art, self.folders) = (database, art, folders)
  }

  /// The content behind a link.
  enum Found: Sendable {
    /// A file and its media type, and how long it plays; nil for a picture.
    case file(OpenFile, type: String, duration: Milliseconds?)
    case server(Catalogue.TrackCopy, duration: Milliseconds)
  }

  /// Returns the content behind a link; a file is opened.
  ///
  /// - Throws: `library.unknownID`, `library.fileMissing`, `library.outsideFolders` and what `ArtStore.locate` throws.
  func open(_ item: MediaLink.Item) async throws -> Found {
    switch item {
    case .audio(let id):
      let (copy, duration) = try await database.read { transaction in
        (try Catalogue.copyToServe(id, transaction), try Catalogue.duration(of: id, transaction))
      }
      guard let path = copy.path else { return .server(copy, duration: duration) }
      // On a thread of its own: a disk that hangs must not hold up reads of the catalogue.
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

  /// Opens a file that lies in one of these folders. Blocks for the disk.
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

  /// Returns true if a file is in a folder. The folder's real path is cached, and resolved again where the file is not
  /// in the cached one.
  private func isWithin(_ file: [UInt8], _ folder: [UInt8]) -> Bool {
    if let root = roots.withLock({ $0[folder] }), FilePath.isWithin(file, root) { return true }
    guard let resolved = realpath(folder.cString, nil) else { return FilePath.isWithin(file, folder) }
    defer { free(resolved) }
    let root = Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    roots.withLock { $0[folder] = root }
    return FilePath.isWithin(file, root)
  }
}

enum MediaType {
  private static let types = [
    "flac": "audio/flac", "mp3": "audio/mpeg", "mp2": "audio/mpeg", "ogg": "audio/ogg", "oga": "audio/ogg",
    "spx": "audio/ogg", "opus": "audio/ogg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aac": "audio/aac",
    "wav": "audio/wav", "aif": "audio/aiff", "aiff": "audio/aiff", "aifc": "audio/aiff", "wv": "audio/x-wavpack",
    "ape": "audio/x-ape", "mka": "audio/x-matroska", "wma": "audio/x-ms-wma", "asf": "audio/x-ms-wma",
  ]

  static func of(_ name: [UInt8]) -> String {
    FileName.ending(name).flatMap { types[$0] } ?? "application/octet-stream"
  }

  /// Returns the type of a picture by its first bytes; nil for forms that browsers
  /// do not show or that may hold scripts.
  static func ofPicture(_ head: [UInt8]) -> String? {
    func has(_ text: String, at start: Int = 0) -> Bool { head.dropFirst(start).starts(with: text.utf8) }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if has("GIF8") { return "image/gif" }
    if has("RIFF"), has("WEBP", at: 8) { return "image/webp" }
    return has("ftypavif", at: 4) ? "image/avif" : nil
  }
}
