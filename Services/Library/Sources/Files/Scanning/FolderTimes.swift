import Glibc
import Model
import MusicTags
import Records
import Synchronization
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
  ///   - requests: the way in which folders are read.
  ///   - timeless: the devices whose folders keep their times. Their names are compared instead.
  ///   - isStopped: asked before each folder; true ends the look.
  func changes(
    in roots: [[UInt8]], by requests: FolderRequests, without timeless: Set<Int64> = [], isStopped: () -> Bool
  ) -> ChangedFolders {
    var changes = ChangedFolders()
    var away: Set<Int64> = []
    // Parents come first.
    let sorted = folders.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
    var start = 0
    while start < sorted.count {
      if isStopped() { return ChangedFolders() }
      let width = requests.width(of: sorted[start].key.bytes)
      let next = sorted[start..<min(sorted.count, start + width * Self.looksOfAThread)]
      start += next.count
      let looked = next.filter { !away.contains($1.device) && !requests.isSilent($0.bytes) }
      for ((path, time), sight) in zip(looked, sights(of: Array(looked), by: requests, width, timeless)) {
        if away.contains(time.device) { continue }
        switch sight {
        case .success(.away): away.insert(time.device)
        case .success(.there(let changed)):
          for (folder, withSubfolders) in changed { changes.insert(folder, withSubfolders: withSubfolders) }
        case .failure(.noSuchFileOrDirectory) where !roots.contains(path.bytes):
          changes.insert(path.bytes, withSubfolders: true)
        case .failure: away.insert(time.device)
        }
      }
    }
    return changes
  }

  /// The folders that one of several threads looks at, after which it is asked again whether the look was stopped.
  private static let looksOfAThread = 4

  /// The outcome of a look at a folder.
  private enum Sight: Sendable {
    /// Its disk was unmounted, or another one is there; changes of mounts are reported.
    case away
    /// The folder if it has changed, and the new ones in it with their subfolders.
    case there([(path: [UInt8], withSubfolders: Bool)])
  }

  /// Looks at folders, at several at once where each look takes long.
  private func sights(
    of looked: [(key: PathKey, value: FolderTime)], by requests: FolderRequests, _ width: Int,
    _ timeless: Set<Int64>
  ) -> [Result<Sight, Errno>] {
    let sights = Mutex([Result<Sight, Errno>](repeating: .success(.there([])), count: looked.count))
    BlockingThreads.concurrently(looked.count, width: width) { number in
      let (path, time) = looked[number]
      let sight = Result { () throws(Errno) in
        try requests.visit(path.bytes) { visit throws(Errno) in
          try look(
            at: path.bytes, time, isTimeless: timeless.contains(time.device), answered: visit.answered)
        }
      }
      sights.withLock { $0[number] = sight }
    }
    return sights.withLock(\.self)
  }

  private func look(
    at path: [UInt8], _ time: FolderTime, isTimeless: Bool, answered: @escaping @Sendable () -> Void
  ) throws(Errno) -> Sight {
    let status = try FileStatus(LocalPath(bytes: path), followingLinks: true)
    answered()
    if Int64(bitPattern: status.device) != time.device { return .away }
    let isSame = status.modified == time.modified && time.isSettled
    guard !isSame || isTimeless else { return .there([]) }
    var seen = time
    seen.names = 0
    let new = try newFolders(in: path, noting: &seen, answered: answered)
    return isSame && seen.names == time.names ? .there([]) : .there([(path, false)] + new.map { ($0, true) })
  }

  /// Returns the folders directly in another that no scan saw, and notes the names in it.
  private func newFolders(
    in path: [UInt8], noting seen: inout FolderTime, answered: @escaping @Sendable () -> Void
  ) throws(Errno) -> [[UInt8]] {
    let reader = try FolderReader(LocalPath(bytes: path), answered: answered)
    var new: [[UInt8]] = []
    while let entry = try reader.next() {
      seen.add(name: entry.name)
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
