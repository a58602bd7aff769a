import Glibc
import Model
import MusicTags
import Records
import System

/// The times of the last changes of folders in which changes may not be reported, as scans saw them.
///
/// A folder's time changes when a file or folder in it comes, goes or gets another name; not when a file is written
/// anew in its place.
struct FolderTimes: Sendable {
  /// The folders with what scans saw.
  private(set) var folders: [PathKey: FolderTime] = [:]

  var isEmpty: Bool { folders.isEmpty }

  /// Takes what a scan of all folders saw.
  init(_ folders: [PathKey: FolderTime] = [:]) { self.folders = folders }

  /// Takes what a scan of some folders saw.
  mutating func update(_ scan: ScanResult, of changes: ChangedFolders) {
    let whole = changes.paths.filter(\.withSubfolders).map(\.path) + scan.leftOut.gone
    if !whole.isEmpty {
      folders = folders.filter { path, _ in !whole.contains { FilePath.isWithin(path.bytes, $0) } }
    }
    folders.merge(scan.times) { $1 }
  }

  /// Looks at the folders and returns those in which something changed, and new and missing ones with everything below
  /// them. Blocks for the disks, and reads the contents of changed folders alone.
  ///
  /// - Parameters:
  ///   - roots: the music folders. A disk on which one of them is missing counts as away.
  ///   - isStopped: asked before each folder; true ends the look.
  func changes(in roots: [[UInt8]], isStopped: () -> Bool) -> ChangedFolders {
    var changes = ChangedFolders()
    var away: Set<Int64> = []
    // Parents come first.
    for (path, time) in folders.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
      if isStopped() { return ChangedFolders() }
      if away.contains(time.device) { continue }
      do throws(Errno) {
        let status = try FileStatus(LocalPath(bytes: path.bytes), followingLinks: true)
        guard Int64(bitPattern: status.device) == time.device else {
          // The disk was unmounted, or another one is there: changes of mounts are reported.
          away.insert(time.device)
          continue
        }
        guard status.modified != time.modified || !time.isSettled else { continue }
        changes.insert(path.bytes)
        for folder in try newFolders(in: path.bytes) { changes.insert(folder, withSubfolders: true) }
      } catch {
        if error == .noSuchFileOrDirectory, !roots.contains(path.bytes) {
          changes.insert(path.bytes, withSubfolders: true)
        } else {
          away.insert(time.device)
        }
      }
    }
    return changes
  }

  /// Returns the folders directly in another that no scan saw.
  private func newFolders(in path: [UInt8]) throws(Errno) -> [[UInt8]] {
    let reader = try FolderReader(LocalPath(bytes: path))
    var new: [[UInt8]] = []
    while let entry = try reader.next() {
      let folder = FilePath.join(path, entry.name)
      guard entry.kind == .folder || entry.kind == nil, !FileName.isPassedOver(entry.name),
        folders[PathKey(folder)] == nil
      else { continue }
      if entry.kind == nil, try reader.status(of: entry.name, followingLinks: false).kind != .folder { continue }
      new.append(folder)
    }
    return new
  }
}

/// Decides when folders are looked at again. A look takes at most a tenth of the time, and after an hour or so without
/// changes they become rarer. Does no I/O.
struct FolderTimesPace {
  /// The pause between two looks; `LUNARA_SHARES_EVERY` sets it.
  var every = Duration.seconds(300)

  /// The looks in a row that found no change.
  private(set) var quiet = 0
  /// The looks without changes after which the pause doubles, and once more after as many.
  private static let quietLooks = 12
  private static let looksShare = 9

  /// Notes a look, and returns the pause before the next one.
  mutating func pause(after took: Duration, hasChanges: Bool) -> Duration {
    quiet = hasChanges ? 0 : quiet + 1
    return max(every * min(4, 1 << min(2, quiet / Self.quietLooks)), took * Self.looksShare)
  }
}
