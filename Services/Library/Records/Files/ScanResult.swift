package import Model
package import MusicTags

/// The files that are stored when a scan begins.
package struct KnownFiles: Sendable {
  package struct File: Hashable, Sendable {  // memberwise
    package var id: Int64
    package var folder: Int64
    package var stamp: FileStamp
    /// Its track; nil for a file that cannot be played, or is cut.
    package var track: Int64? = nil
    /// The number of tracks into which a CUE sheet cuts it.
    package var segments = 0
    /// True if it is read again although its stamp is the same: its rights, which the stamp does not show, may have
    /// changed since it could not be read, or the reader that read it gave less than the present one.
    package var needsReading = false

    package var trackCount: Int { track == nil ? segments : 1 }
  }

  package struct Folder: Sendable {  // memberwise
    package var id: Int64
    package var path: [UInt8]
    package var device: Int64
    package var cover: Cover? = nil
    package var artistPicture: Cover? = nil
    /// The digest of its listing; 0 if it has to be visited.
    package var digest: Int64 = 0
    /// The digest of its CUE sheets; 0 without any.
    package var sheets: Int64 = 0
    package var files: [PathKey: File] = [:]
    /// False for a folder that the scan does not visit: its files stay as they are.
    package var isVisited = true
  }

  package struct Movable: Sendable {
    package var file: File
    package var folder: [UInt8]
    package var name: [UInt8]
  }

  package private(set) var folders: [PathKey: Folder] = [:]
  private var movable: [FileStamp: Movable] = [:]

  /// The number of files in these folders.
  package private(set) var count = 0
  /// The number of tracks in folders that are not among these.
  package private(set) var others = 0

  /// - Parameter total: the number of all tracks of files; nil if these folders are all.
  package init(_ folders: [Folder] = [], total: Int? = nil) {
    self.folders = Dictionary(folders.map { (PathKey($0.path), $0) }) { $1 }
    for folder in folders {
      count += folder.files.count
      // A file that cannot be used is read again at its new path, as it may be usable there.
      for (name, file) in folder.files where file.track != nil {
        movable[file.stamp] = Movable(file: file, folder: folder.path, name: name.bytes)
      }
    }
    others = total.map { max(0, $0 - folders.reduce(0) { $0 + $1.files.values.reduce(0) { $0 + $1.trackCount } }) } ?? 0
  }

  package func folder(_ path: [UInt8]) -> Folder? { folders.isEmpty ? nil : folders[PathKey(path)] }

  /// Returns the stored file with this stamp that is a track, which may have moved.
  package func moved(_ stamp: FileStamp) -> Movable? { stamp.identifiesFile ? movable[stamp] : nil }
}

/// The findings of a scan in one folder.
package struct ScannedFolder: Sendable {  // memberwise
  package var path: [UInt8]
  package var device: Int64
  package var cover: Cover? = nil
  package var artistPicture: Cover? = nil
  /// The digest of its listing; 0 if some of its files could not be read.
  package var digest: Int64 = 0
  /// The digest of its CUE sheets; 0 without any.
  package var sheets: Int64 = 0
  /// The LRC files beside music of the same name, without their ending; nil if the folder was not listed.
  package var lyrics: [[UInt8]]? = nil
  /// The list files; nil if the folder was not listed.
  package var lists: [ScannedList]? = nil
  package var files: [ScannedFile] = []

  package var isBare: Bool { files.isEmpty && lists?.isEmpty ?? true && cover == nil && artistPicture == nil }

  /// Leaves one problem of a CUE sheet that has several, as each of its files may show one: that it is not used counts
  /// more than its encoding. The files must be sorted by name.
  package mutating func keepOneProblemOfEachSheet() {
    guard files.contains(where: { CueSheet.isName($0.name) }) else { return }
    var kept: [ScannedFile] = []
    for file in files {
      if let last = kept.last, last.name == file.name, CueSheet.isName(file.name) {
        if file.problemCode == ScanProblem.cueCode, last.problemCode != ScanProblem.cueCode {
          kept[kept.count - 1] = file
        }
      } else {
        kept.append(file)
      }
    }
    files = kept
  }
}

package struct ScannedFile: Sendable {
  package var name: [UInt8]
  package var stamp: FileStamp
  var isLink: Bool
  package var finding: Finding
  /// The tracks into which a CUE sheet cuts it; nil for a file that is one track.
  package var cut: FileCut?
  /// The problem of the CUE sheet in its tags.
  package var sheetProblem: LunaraError?

  package init(_ entry: FolderEntry, _ finding: Finding) {
    name = entry.name
    stamp = entry.stamp
    isLink = entry.isLink
    self.finding = finding
  }

  /// True if it could not be read, so that the next scan tries again. What is wrong with a CUE sheet stays so until the
  /// sheet changes.
  package var isToBeReadAgain: Bool {
    problemCode.map { $0 != ScanProblem.cueCode && $0 != ScanProblem.encodingCode } ?? false
  }

  /// The code of the problem for which it cannot be used, or that its CUE sheet has; nil without one.
  var problemCode: String? { if case .failed(let problem) = finding { problem.code } else { nil } }

  package enum Finding: Sendable {
    /// The file is unchanged.
    case same(KnownFiles.File)
    /// The file was at another path before; its tags are unchanged.
    case moved(KnownFiles.File)
    /// The file is new or changed, and has this metadata.
    case read(FileMetadata)
    /// The file is new or changed, and cannot be used.
    case failed(LunaraError)
  }
}

package struct ScanResult: Sendable {
  /// Folders with music or a cover, sorted by path; their files are sorted by name.
  package var folders: [ScannedFolder] = []
  /// The device of every folder that could be read.
  package var devices: [PathKey: Int64] = [:]
  /// The times of the folders in which the kernel may not report changes.
  package var times: [PathKey: FolderTime] = [:]
  /// Folders that could not be read, or only in part, and single files: what was not found there may still exist.
  package var unreadable: [[UInt8]] = []
  /// The music folders in which some music was found, also if its disk did not answer then.
  package var roots: [[UInt8]] = []
  /// The problems that concern more than single files.
  package var problems: [LunaraError] = []
  /// The files and folders that were found and are not taken.
  package var leftOut = LeftOutFolders()
  /// The links to music that was found by another path, too.
  package var links = MusicLinks()
  package var isComplete = true
  /// True if only the folders were visited in which changes were reported.
  package var isPartial = false
  /// True if such a scan found what only a scan of all folders can judge.
  package var isUncertain = false

  package init() {}
}

/// The paths that a scan could not read: folders with all in them, and single files.
package struct UnseenPaths: Sendable {
  private let paths: Set<PathKey>

  package init(_ paths: [[UInt8]]) { self.paths = Set(paths.lazy.map(PathKey.init)) }

  /// Returns true if a file or folder is one of these, or lies in one.
  package func cover(_ path: [UInt8]) -> Bool {
    guard !paths.isEmpty else { return false }
    var next: [UInt8]? = path
    while let path = next {
      if paths.contains(PathKey(path)) { return true }
      next = FilePath.parent(path)
    }
    return false
  }
}

extension ScanResult {
  /// The files that were found as symbolic links.
  package var linked: Set<FileStamp> { Set(folders.flatMap { $0.files.filter(\.isLink).map(\.stamp) }) }

  /// Removes symbolic links to files that were found by another name, or have one in a folder that was not visited, and
  /// notes where they lead.
  package mutating func removeSecondNames(known: [FileStamp: FilePlace]) {
    var places = known
    let linked = linked
    for folder in folders {
      for file in folder.files where !file.isLink && linked.contains(file.stamp) && places[file.stamp] == nil {
        places[file.stamp] = FilePlace(folder: folder.path, name: file.name)
      }
    }
    for index in folders.indices {
      let path = folders[index].path
      var kept: [ScannedFile] = []
      for file in folders[index].files {
        if file.isLink, let place = places[file.stamp] {
          links.add(file: file.name, in: path, at: place)
        } else {
          if file.isLink { places[file.stamp] = FilePlace(folder: path, name: file.name) }
          kept.append(file)
        }
      }
      folders[index].files = kept
    }
  }
}
