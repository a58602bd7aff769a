import Client
import Glibc
import Messages
import Model
import System

/// Words that name a folder or a file with music instead of an id or a title.
enum MusicPath {
  /// Returns true for a path: one that is written as such, or a name with a slash or a file name that is there.
  static func isPath(_ word: String) -> Bool {
    if ["/", "./", "../", "file:///"].contains(where: word.hasPrefix) || word == "." || word == ".." { return true }
    var status = stat()
    guard TitleChoice.id(word) == nil, stat(word, &status) == 0 else { return false }
    return word.contains("/") || status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the absolute paths that a word may mean: as it is written, and without symbolic links.
  fileprivate static func candidates(_ word: String) -> [LocalPath] {
    let written = LocalPath(url: word)?.description ?? word
    let path = ProgramLocation.absolute(written)
    var paths = [path]
    if let real = realpath(path, nil) {
      let text = String(cString: real)
      free(real)
      if text != path { paths.append(text) }
    }
    return paths.map { LocalPath($0) }
  }
}

extension Client {
  /// Returns the ids of what a path names on the library's host: a folder with all below it, or the tracks of a file.
  ///
  /// - Throws: `cli.unknownPath` if the library has no music there.
  func playables(atPath word: String) async throws -> [PlayableID] {
    for path in MusicPath.candidates(word) {
      if try await knows(path) { return [path.folderID] }
      let tracks = try await tracks(ofFile: path)
      if !tracks.isEmpty { return tracks.map(\.playable) }
    }
    let roots = try await ask(Library.ListFolder()).folders.map(\.path.description)
    let path = MusicPath.candidates(word)[0].description
    if roots.contains(where: { path == $0 || path.hasPrefix($0 == "/" ? $0 : $0 + "/") }) {
      throw LunaraError(
        "cli.unknownPath",
        "The library has no music at \(path). `lunara sync` reads new files, and `lunara problems` lists unreadable ones."
      )
    }
    let known = roots.isEmpty ? "There are none yet" : "They are " + roots.joined(separator: ", ")
    throw LunaraError(
      "cli.unknownPath",
      "\(path) is outside the music folders. \(known). Move the music there, or add its folder: "
        + "`lunara sources add FOLDER`.")
  }

  private func knows(_ folder: LocalPath) async throws -> Bool {
    do {
      _ = try await ask(Library.ListFolder(path: folder, limit: 1))
      return true
    } catch let error as LunaraError where error.code == "library.unknownFolder" {
      return false
    }
  }

  /// Returns the tracks that are shown for a file, several if a CUE sheet divides it; none for one that is not known.
  private func tracks(ofFile path: LocalPath) async throws -> [TrackID] {
    let parent = LocalPath(Files.folder(of: path.description))
    let name = Files.name(of: path.description)
    guard try await knows(parent) else { return [] }
    var tracks: [TrackID] = []
    for file in try await folder(parent, upTo: .max).tracks where file.name == name && !tracks.contains(file.track.id) {
      tracks.append(file.track.id)
    }
    return tracks
  }
}

extension LocalPath {
  /// The id by which a folder is played.
  fileprivate var folderID: PlayableID {
    let url = self.url.dropFirst("file://".count)
    return PlayableID(source: "library", native: "folder:\(url)")
  }
}
