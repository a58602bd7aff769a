import Model

/// Invents the tree that clients browse: `Artist/Album (1999)/01 Title`. A path is unique, relative, and has no part
/// that is empty or begins with a dot. The same tracks always get the same paths.
struct SongPaths {
  /// The most bytes of a part of a path.
  private static let partLimit = 180

  private var albums: [AlbumID: String] = [:]
  private var folders: Set<String> = []
  private var files: Set<String> = []

  /// Returns the path of a track. Tracks have to come in a fixed order, as names that are taken get a number.
  mutating func path(of track: Track) -> String {
    let folder = folder(of: track)
    var name = Self.part(track.title.isEmpty ? "Untitled" : track.title)
    if let number = track.number {
      let digits = number < 10 ? "0\(number)" : "\(number)"
      name = "\(track.disc > 1 ? "\(track.disc)-" : "")\(digits) \(name)"
    }
    return Self.unused("\(folder)/\(name)", in: &files)
  }

  private mutating func folder(of track: Track) -> String {
    if let folder = albums[track.albumID] { return folder }
    let artist = Self.part(track.albumArtist.isEmpty ? "Unknown Artist" : track.albumArtist)
    let title = Self.part(track.album.isEmpty ? "Unknown Album" : track.album)
    let folder = Self.unused("\(artist)/\(title)\(track.year.map { " (\($0))" } ?? "")", in: &folders)
    albums[track.albumID] = folder
    return folder
  }

  private static func unused(_ path: String, in used: inout Set<String>) -> String {
    var candidate = path
    var count = 1
    while !used.insert(candidate).inserted {
      count += 1
      candidate = "\(path) [\(count)]"
    }
    return candidate
  }

  /// Returns text as a part of a path.
  static func part(_ text: String) -> String {
    var part = ""
    for scalar in text.unicodeScalars {
      let kept: Unicode.Scalar = scalar == "/" ? "-" : scalar.value < 32 || scalar.value == 127 ? " " : scalar
      guard part.utf8.count + UTF8.width(kept) <= partLimit else { break }
      part.unicodeScalars.append(kept)
    }
    while part.last == " " { part.removeLast() }
    while part.first == " " { part.removeFirst() }
    if part.isEmpty { return "_" }
    return part.first == "." ? "_" + part.dropFirst() : part
  }
}
