import Model
import Text

/// All songs of the library in a tree of two levels of folders: artists, and their albums.
final class MusicIndex: Sendable {
  /// A folder.
  struct Folder: Sendable {
    /// The paths of the folders in it, sorted.
    var folders: [String] = []
    /// The indexes of the songs in it and below it, which stand together.
    var songs: Range<Int>
  }

  /// The songs, sorted by path.
  let songs: [Song]
  private let byPath: [String: Int]
  private let byID: [TrackID: Int]
  private let folders: [String: Folder]

  init(_ tracks: [Track]) {
    var paths = SongPaths()
    // The order of the ids is the same at each reading, so that paths with numbers stay with their songs.
    let found = tracks.sorted { $0.id < $1.id }.map { track in Song(track, path: paths.path(of: track)) }
    songs = found.map { (song: $0, key: Self.sortKey($0.path)) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.song)
    var byPath: [String: Int] = [:]
    var byID: [TrackID: Int] = [:]
    var folders = ["": Folder(songs: 0..<songs.count)]
    for (index, song) in songs.enumerated() {
      byPath[song.path] = index
      byID[song.id] = index
      let album = Self.parent(song.path)
      let artist = Self.parent(album)
      for (folder, parent) in [(artist, ""), (album, artist)] {
        if folders[folder] == nil { folders[parent]?.folders.append(folder) }
        let start = folders[folder]?.songs.lowerBound ?? index
        folders[folder, default: Folder(songs: 0..<0)].songs = start..<(index + 1)
      }
    }
    self.byPath = byPath
    self.byID = byID
    self.folders = folders
  }

  /// The parts of a path, each folded and as it is, so that the songs of a folder stand together. Paths are divided at
  /// bytes: a mark that begins a title makes one character with the slash before it.
  private static func sortKey(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).flatMap { part in
      let text = String(Substring(part))
      return [text.folded, text]
    }
  }

  private static func parent(_ path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  /// Returns the song of a path, or of the id of a track such as `files:t12`.
  func song(at path: String) -> Song? {
    if let index = byPath[Self.plain(path)] { return songs[index] }
    return TrackID(path).flatMap { self[$0] }
  }

  /// The song of a track; nil if the library has none.
  subscript(_ id: TrackID) -> Song? { byID[id].map { songs[$0] } }

  /// Returns a folder; `""` and `/` are the root. Returns nil if there is none.
  func folder(at path: String) -> Folder? { folders[Self.plain(path)] }

  /// Returns all songs in a folder and below it, or the song at a path.
  ///
  /// - Throws: `No such directory`.
  func songs(at path: String) throws(CommandError) -> ArraySlice<Song> {
    if let folder = folder(at: path) { return songs[folder.songs] }
    if let song = song(at: path) { return [song] }
    throw CommandError.noSuchDirectory
  }

  /// Returns the path without slashes at its ends.
  static func plain(_ path: String) -> String {
    var path = Substring(path)
    while path.hasPrefix("/") { path = path.dropFirst() }
    while path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }
}
