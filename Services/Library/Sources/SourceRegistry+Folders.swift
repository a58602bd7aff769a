import Catalogue
import Glibc
import Messages
import Model
import Records
import Storage
import System

/// Folders of music that people add and remove while Lunara runs.
extension SourceRegistry {
  /// Returns true if a name is that of a folder and not of a source: names of sources have no slash.
  static func isFolder(_ name: String) -> Bool { name.utf8.contains(UInt8(ascii: "/")) }

  /// Adds a folder, which must exist; it may be without music. Throws `library.badAddress`, `library.folderMissing`,
  /// `library.folderUnreadable`, and `library.sourceExists` where it is, or lies in, a music folder already.
  func add(folder text: String) async throws {
    guard let path = MusicFolders.named(text) else { throw SourceError.badAddress(FilesSource.kind, text) }
    let known = files.folders.chosen
    let holder = try await BlockingThreads.perform {
      let real = try Self.find(path)
      // Real paths are compared, too: a folder and a link to it hold the same music.
      return known.first { FilePath.isWithin(path, $0) }
        ?? known.first { other in Self.real(other).map { FilePath.isWithin(real, $0) } ?? false }
    }
    if let holder { throw SourceError.exists(folder: path, in: holder) }
    try await database.write { [now] in try Catalogue.add(folder: path, now: now(), $0) }
    try await readFolders()
  }

  /// Removes a folder that a person added, or all of them for the name of their source. `ending` stops the source's
  /// running refresh. Throws `library.unknownSource`, `library.sourceFromSettings`, `library.noFolders`.
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
    try await database.write { [publisher, now, leaving] in
      try Catalogue.remove(folders: leaving, staying: staying, now: now(), publisher, $0)
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

  /// Returns the real path of a folder, without links. Blocks while the disk is read.
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
