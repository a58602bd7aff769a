import Glibc
import Model
import Records
import System
import Text

/// The folders that the kernel watches, with their watch descriptors.
///
/// A household may have a hundred thousand folders, so their paths are kept in one table without a dictionary; what
/// changed since the table was made stands beside it.
struct WatchedFolders {
  /// The largest number of folders that are ever watched.
  static let largest = 200_000

  /// The largest number of watched folders here. The kernel needs about a kilobyte for each, and allows a number that
  /// suits the memory of the machine; a quarter of it is left to other programs.
  static var most: Int {
    do {
      let text = try Files.read("/proc/sys/fs/inotify/max_user_watches", limit: 64)
      guard let allowed = Int(String(decoding: text, as: UTF8.self).trimmed) else { return largest }
      return min(largest, allowed - allowed / 4)
    } catch { return largest }
  }

  /// The number of changes from which on a new table is made.
  private static let mostChanges = 500

  private var table = PathTable()
  /// The watches that are not in the table, or that have another path there.
  private var added: [Int32: [UInt8]] = [:]
  /// The watches in the table that have ended, or that are in `added`.
  private var ended: Set<Int32> = []

  struct Outcome: Equatable {
    /// The folders that are watched and were not before: earlier changes in them were not reported.
    var new: [[UInt8]] = []
    /// The number of folders that are not watched, because there are too many or the kernel has no watches left.
    var left = 0
  }

  private var count: Int { table.count - ended.count + added.count }

  func path(_ number: Int32) -> [UInt8]? { added[number] ?? (ended.contains(number) ? nil : table.path(number)) }

  /// Forgets a watch that the kernel has ended.
  mutating func forget(_ number: Int32) {
    added[number] = nil
    if table.has(number) { ended.insert(number) }
  }

  /// Watches these folders, and ends the watches of all others that are within some. For a folder that is watched
  /// already, the kernel returns the same descriptor; for another folder at the same path, it returns a new one.
  ///
  /// - Parameter visited: the folders, with everything below them, whose watches end unless they are named; nil for
  ///   all.
  /// - Parameter requests: the way in which folders are asked.
  mutating func watch(
    _ folders: [[UInt8]], visited: [[UInt8]]? = nil, with descriptor: Int32, by requests: FolderRequests? = nil,
    most: Int = Self.most
  ) -> Outcome {
    var outcome = Outcome()
    var named = Set(folders.map(PathKey.init))
    /// The watches of named folders, which end if the kernel returns other ones for them.
    var before: [(number: Int32, path: PathKey)] = []
    forEach { number, path in
      let path = PathKey(path)
      if named.contains(path) {
        before.append((number, path))
      } else if visited?.contains(where: { FilePath.isWithin(path.bytes, $0) }) ?? true {
        before.append((number, path))
      }
    }
    for (number, path) in before where !named.contains(path) { end(number, with: descriptor) }
    before.removeAll { !named.contains($0.path) }
    let wanted = folders.prefix(max(0, most - (count - before.count)))
    outcome.left = folders.count - wanted.count
    var live: Set<Int32> = []
    var new: [(number: Int32, path: [UInt8])] = []
    for (index, folder) in wanted.enumerated() {
      func add(_: SilentFolders.Visit? = nil) -> (number: Int32, error: Int32) {
        let number = inotify_add_watch(descriptor, folder.cString, FolderEvent.asked)
        return (number, errno)
      }
      let (number, error) = requests?.visit(folder) { add($0) } ?? add()
      if number < 0 {
        // A folder that cannot be watched for another reason, such as a removed one, is not counted in `left`.
        guard error == ENOSPC || error == ENOMEM else { continue }
        outcome.left += wanted.count - index
        break
      }
      // The kernel has one watch for a folder with two paths, which keeps the first of them.
      guard live.insert(number).inserted, path(number) != folder else { continue }
      new.append((number, folder))
    }
    if outcome.left > 0 { named = Set(wanted.prefix(folders.count - outcome.left).map(PathKey.init)) }
    for (number, path) in before where !live.contains(number) && named.contains(path) { end(number, with: descriptor) }
    outcome.new = new.map(\.path)
    record(new)
    return outcome
  }

  private mutating func end(_ number: Int32, with descriptor: Int32) {
    inotify_rm_watch(descriptor, number)
    forget(number)
  }

  private mutating func record(_ new: [(number: Int32, path: [UInt8])]) {
    if new.count + added.count + ended.count > Self.mostChanges {
      let replaced = Set(new.map(\.number))
      var all = new
      forEach { number, path in if !replaced.contains(number) { all.append((number, path)) } }
      table = PathTable(all)
      added = [:]
      ended = []
    } else {
      for (number, path) in new {
        forget(number)
        // A copy: the path of the scan lies among what the scan leaves behind, and would keep its pages from being
        // freed.
        added[number] = path.withUnsafeBufferPointer { Array($0) }
      }
    }
  }

  private func forEach(_ body: (Int32, [UInt8]) -> Void) {
    for number in table.numbers where !ended.contains(number) {
      if let path = table.path(number) { body(number, path) }
    }
    for (number, path) in added { body(number, path) }
  }
}
