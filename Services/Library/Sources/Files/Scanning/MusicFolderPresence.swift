import Glibc
import Model
import Records
import System

/// Notices that a music folder comes or goes as a whole: its disk is mounted or unmounted, or a missing folder is
/// there again. Watches of single folders show neither.
struct MusicFolderPresence {
  /// The file at the path of a folder that could not be scanned.
  struct Place: Equatable {
    var device: UInt64
    var inode: UInt64
  }

  /// A music folder as the disk shows it. Reading it may block, and so is done apart from all else.
  struct Sight {
    var path: [UInt8]
    /// The path with all symbolic links resolved; nil where that is not possible.
    var resolved: [UInt8]?
    var place: Place?

    init(of path: [UInt8]) {
      self.path = path
      resolved = MusicFolderPresence.resolved(path)
      place = MusicFolderPresence.place(of: path)
    }
  }

  /// The time between two looks for folders that are missing.
  static let interval = Duration.seconds(2)

  /// The music folders as they were at the last scan, with all symbolic links resolved where that is possible.
  private var folders: [[UInt8]] = []
  private var mounts: Set<MountTable.Mount> = []
  /// The music folders that the last scan could not list; nil for one that was not there.
  private var missing: [PathKey: Place?] = [:]

  /// True if the folders have to be looked for again and again.
  var isSearching: Bool { !missing.isEmpty }

  /// Notes the state of the music folders at a scan.
  ///
  /// - Parameters:
  ///   - roots: the music folders that answer.
  ///   - silent: the folders that do not.
  ///   - scan: what the scan found.
  ///   - table: the table of mounts.
  mutating func update(_ roots: [Sight], silent: [[UInt8]], _ scan: ScanResult, mounts table: MountTable?) {
    folders = roots.map(\.path) + roots.compactMap(\.resolved) + silent
    mounts = table?.around(folders) ?? []
    missing = [:]
    for root in roots where scan.devices[PathKey(root.path)] == nil {
      // A folder that was not there when the scan began counts as missing even if it is there by now.
      missing.updateValue(scan.unreadable.contains(root.path) ? root.place : nil, forKey: PathKey(root.path))
    }
  }

  /// The music folders that have to be looked for.
  var searched: [PathKey] { Array(missing.keys) }

  /// Returns true if a disk was mounted or unmounted on the way to a music folder, or within one.
  mutating func hasOtherMounts(_ table: MountTable) -> Bool {
    let now = table.around(folders)
    defer { mounts = now }
    return now != mounts
  }

  /// Takes what is at the paths of searched music folders. Returns true if that is something else than before.
  mutating func hasFound(_ places: [(PathKey, Place?)]) -> Bool {
    var isFound = false
    for (folder, now) in places {
      guard let before = missing[folder], now != before else { continue }
      missing.updateValue(now, forKey: folder)
      isFound = true
    }
    return isFound
  }

  /// Returns the file at a path. A disk that the system mounts on access is not mounted by stat(2).
  static func place(of folder: [UInt8]) -> Place? {
    var status = stat()
    guard stat(folder.cString, &status) == 0 else { return nil }
    return Place(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  private static func resolved(_ folder: [UInt8]) -> [UInt8]? {
    guard let real = realpath(folder.cString, nil) else { return nil }
    defer { free(real) }
    return Array(UnsafeBufferPointer(start: real, count: strlen(real))).map { UInt8(bitPattern: $0) }
  }
}

extension MountTable {
  /// Returns the mounts that folders lie on, and those within them.
  func around(_ folders: [[UInt8]]) -> Set<Mount> {
    Set(
      mounts.filter { mount in
        folders.contains { FilePath.isWithin(mount.folder, $0) || FilePath.isWithin($0, mount.folder) }
      })
  }
}
