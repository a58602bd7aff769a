import Model

/// What a scan found in one folder.
struct ScannedFolder: Sendable {
  var path: [UInt8]
  var device: Int64
  var cover: Cover?
  var artistPicture: Cover?
  var files: [ScannedFile] = []

  /// Whether nothing of use is in it.
  var isBare: Bool { files.isEmpty && cover == nil && artistPicture == nil }
}

/// One file that a scan found.
struct ScannedFile: Sendable {
  var name: [UInt8]
  var stamp: FileStamp
  /// Whether the name is a symbolic link.
  var isLink: Bool
  var finding: Finding

  init(_ entry: FolderListing.Entry, _ finding: Finding) {
    name = entry.name
    stamp = entry.stamp
    isLink = entry.isLink
    self.finding = finding
  }

  /// What is new about it.
  enum Finding: Sendable {
    /// Nothing.
    case same(KnownFiles.File)
    /// It lay elsewhere before; its tags are as they were.
    case moved(KnownFiles.File)
    /// It is new or was changed: this is what it says.
    case read(FileMetadata)
    /// It is new or was changed, and cannot be used.
    case failed(LunaraError)
  }
}

/// All that a scan found.
struct ScanResult: Sendable {
  /// Folders with music or a cover, sorted by path; their files are sorted by name.
  var folders: [ScannedFolder] = []
  /// The device of every folder that could be read.
  var devices: [PathKey: Int64] = [:]
  /// Folders that could not be read: nothing is known about what is below.
  var unreadable: [[UInt8]] = []
  /// The music folders that are there and in which some music was found.
  var roots: [[UInt8]] = []
  /// What a person should know, apart from single files.
  var problems: [LunaraError] = []
  /// Whether it came to its end.
  var isComplete = true
}

extension ScanResult {
  /// Puts the files of every folder in order and drops symbolic links to files that were found by another name.
  mutating func withoutSecondNames() {
    var names: Set<FileStamp> = []
    if folders.contains(where: { $0.files.contains(where: \.isLink) }) {
      for folder in folders { for file in folder.files where !file.isLink { names.insert(file.stamp) } }
    }
    for index in folders.indices {
      folders[index].files.sort { $0.name.lexicographicallyPrecedes($1.name) }
      folders[index].files.removeAll { $0.isLink && !names.insert($0.stamp).inserted }
    }
  }
}
