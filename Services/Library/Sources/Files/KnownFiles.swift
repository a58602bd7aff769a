/// What the store knows of a source's files when a scan begins.
struct KnownFiles: Sendable {
  /// One file.
  struct File: Hashable, Sendable {
    /// Its number in the store.
    var id: Int64
    /// Its folder's number.
    var folder: Int64
    var stamp: FileStamp
    /// Its track; nil for a file that cannot be played.
    var track: Int64?
  }

  /// One folder with music in it.
  struct Folder: Sendable {
    var id: Int64
    var path: [UInt8]
    /// The device it was on.
    var device: Int64
    var cover: Cover?
    /// The picture of the artist of what lies below.
    var artistPicture: Cover?
    var files: [PathKey: File] = [:]
  }

  /// A file and where it lay.
  struct Movable: Sendable {
    var file: File
    var folder: [UInt8]
    var name: [UInt8]
  }

  /// Folders by path.
  private(set) var folders: [PathKey: Folder] = [:]
  private var movable: [FileStamp: Movable] = [:]

  /// How many files there are.
  private(set) var count = 0

  /// Nothing is known.
  init() {}

  /// Takes the folders with their files.
  init(_ folders: [Folder]) {
    self.folders = Dictionary(folders.map { (PathKey($0.path), $0) }) { $1 }
    for folder in folders {
      count += folder.files.count
      for (name, file) in folder.files {
        movable[file.stamp] = Movable(file: file, folder: folder.path, name: name.bytes)
      }
    }
  }

  /// The folder at a path; nil for one that is not known.
  func folder(_ path: [UInt8]) -> Folder? { count == 0 ? nil : folders[PathKey(path)] }

  /// The file that this stamp was last seen at: it may have moved.
  func moved(_ stamp: FileStamp) -> Movable? { movable[stamp] }
}
