import Glibc
import HTTP
import Messages
import Model
import Records
import ServiceKit
import System

/// Finds files for other hosts: files that, with all links followed, are in a music folder or in the folder of
/// pictures. Blocks for the disk.
struct MediaFiles: Sendable {
  private let music: FolderBoundary
  private let pictures: FolderBoundary

  /// - Parameter artwork: the path of the picture folder.
  init(folders: MusicFolders, artwork: String) {
    music = FolderBoundary(folders)
    pictures = FolderBoundary(folders, and: [Array(artwork.utf8)])
  }

  /// Returns the path of a file of audio with all links followed.
  ///
  /// - Throws: `library.fileMissing`, `library.outsideFolders`.
  func audio(_ path: LocalPath) throws(LunaraError) -> LocalPath { try Self.real(path, within: music) }

  /// Returns the path of a picture with all links followed.
  ///
  /// - Throws: `library.fileMissing`, `library.outsideFolders`.
  func picture(_ path: LocalPath) throws(LunaraError) -> LocalPath { try Self.real(path, within: pictures) }

  private static func real(_ path: LocalPath, within boundary: FolderBoundary) throws(LunaraError) -> LocalPath {
    guard let real = OpenFile(path)?.path else {
      try FileCheck.requireReadable(path)
      throw LunaraError("library.fileMissing", "\(path) is no file. Refresh the library with `lunara sync`.")
    }
    try boundary.requireInside(real, of: path)
    return real
  }
}
