import Glibc
import Messages
import Model
import Storage
import System

/// Folders of music that people add and leave while Lunara runs.
extension SourceRegistry {
  /// Returns true if a person means a folder, where they might mean a source: names of sources have no slash.
  static func isFolder(_ name: String) -> Bool { name.utf8.contains(UInt8(ascii: "/")) }

  /// Looks through a folder from now on. It must be there; whether music is in it is for the refresh to find out.
  /// Throws `library.badAddress`, `library.folderMissing`, `library.folderUnreadable`, `library.sourceExists` where it
  /// is looked through already, also as part of another one.
  func add(folder text: String) async throws {
    guard let path = MusicFolders.named(text) else { throw SourceError.badAddress(FilesSource.kind, text) }
    let known = files.folders.chosen
    let holder = try await BlockingThreads.perform {
      let real = try Self.find(path)
      // A link to a folder, and a folder by another way, are the same music.
      return known.first { FilePath.isWithin(path, $0) }
        ?? known.first { other in Self.real(other).map { FilePath.isWithin(real, $0) } ?? false }
    }
    if let holder { throw SourceError.exists(folder: path, in: holder) }
    try await database.write { [now] in try Catalogue.add(folder: path, now: now(), $0) }
    try await readFolders()
  }

  /// Forgets a folder that a person added, or all of them for the name of their source; `ending` ends what runs. Throws
  /// `library.unknownSource`, `library.sourceFromSettings`, `library.noFolders`.
  func remove(folders name: String, ending: @Sendable (String) async -> Void) async throws {
    let folders = files.folders
    var leaving = folders.added
    if Self.isFolder(name) {
      guard let path = MusicFolders.named(name) else { throw SourceError.unknown(folder: name) }
      leaving = leaving.filter { $0 == path }
      if leaving.isEmpty {
        throw folders.fromSettings.contains(path)
          ? SourceError.fromSettings(name) : SourceError.unknown(folder: name)
      }
    } else if !folders.fromSettings.isEmpty {
      throw SourceError.fromSettings(name)
    } else if leaving.isEmpty {
      throw ScanProblem.noFolders
    }
    await ending(FilesSource.name)
    let staying = folders.fromSettings + folders.added.filter { !leaving.contains($0) }
    try await database.write { [journal, now, leaving] in
      try Catalogue.remove(folders: leaving, staying: staying, now: now(), journal: journal, $0)
    }
    try await readFolders()
  }

  func readFolders() async throws { files.folders.added = try await database.read(Catalogue.addedFolders) }

  static func sections(
    of folders: MusicFolders, _ transaction: ReadTransaction
  ) throws -> [Library.SourceDetail.Section] {
    try folders.chosen.map { path in
      let text = LocalPath(bytes: path).description
      return .init(
        key: text, title: text, isOn: true, tracks: try Catalogue.tracks(below: path, transaction),
        isFromSettings: folders.fromSettings.contains(path))
    }
  }

  /// The folder without any link in its path. Blocks for the disk.
  private static func find(_ path: [UInt8]) throws(LunaraError) -> [UInt8] {
    do throws(Errno) {
      try Descriptor(opening: LocalPath(bytes: path), O_RDONLY | O_DIRECTORY | O_NONBLOCK).close()
    } catch {
      throw SourceError.noFolder(path, error)
    }
    return real(path) ?? path
  }

  private static func real(_ path: [UInt8]) -> [UInt8]? {
    guard let resolved = realpath(path.cString, nil) else { return nil }
    defer { free(resolved) }
    return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }
}
