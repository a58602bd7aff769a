import Catalogue
import HTTP
import Messages
import Model
import MusicTags
import Records
import Sources
import Storage

/// Opens the files that other hosts may read: files of the catalogue that, with all links followed, are in a music
/// folder or in the folder of pictures.
struct MediaFiles: Sendable {
  let database: Database
  let art: ArtStore
  private let music: FolderBoundary
  private let pictures: FolderBoundary

  init(database: Database, art: ArtStore, folders: MusicFolders) {
    (self.database, self.art) = (database, art)
    music = FolderBoundary(folders)
    pictures = FolderBoundary(folders, and: [Array(art.folder.path.utf8)])
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
      let file = try await BlockingThreads.perform { [music] in try Self.open(path, within: music) }
      return .file(file, type: MediaType.of(FilePath.name(path.bytes)), duration: duration)
    case .art(let id, let size, let takesWebP):
      let path = try await art.locate(id, size: size, takesWebP: takesWebP)
      return try await BlockingThreads.perform { [pictures] in
        let file = try Self.open(path, within: pictures)
        guard let type = MediaType.ofPicture(file.head(16)) else {
          throw Artwork.badPicture("browsers show no files of its form")
        }
        return .file(file, type: type, duration: nil)
      }
    }
  }

  /// Opens a file that lies within the boundary. Blocks for the disk.
  private static func open(_ path: LocalPath, within boundary: FolderBoundary) throws(LunaraError) -> OpenFile {
    guard let file = OpenFile(path), let real = file.path else {
      try FileCheck.requireReadable(path)
      throw LunaraError("library.fileMissing", "\(path) is no file. Refresh the library with `lunara sync`.")
    }
    try boundary.requireInside(real, of: path)
    return file
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

  /// Returns the type of a picture by its first bytes; nil for forms that browsers do not show, or that hold scripts.
  static func ofPicture(_ head: [UInt8]) -> String? { ImageType(firstBytes: head)?.rawValue }
}
