import Glibc
import Model

/// Which folders the kernel watches, by the numbers it gave. Not safe to share; belongs to `FolderWatch`.
struct WatchedFolders {
  /// As many folders are watched at most: the kernel keeps about a kilobyte for each.
  static let most = 20_000

  private var numbers: [PathKey: Int32] = [:]
  private var paths: [Int32: PathKey] = [:]

  /// How a round of watching came out.
  struct Outcome: Equatable {
    /// Whether a folder is watched that was not before: what changed in it until now was not told.
    var isNew = false
    /// How many folders are not watched for want of watches.
    var left = 0
  }

  /// The folder behind a number.
  func path(_ number: Int32) -> [UInt8]? { paths[number]?.bytes }

  /// Forgets a watch that the kernel has ended.
  mutating func forget(_ number: Int32) {
    guard let path = paths.removeValue(forKey: number), numbers[path] == number else { return }
    numbers[path] = nil
  }

  /// Watches these folders and no others. Asked again for a folder that is watched the kernel gives the same number; for
  /// another folder at the same path it gives another.
  mutating func watch(_ folders: [[UInt8]], with descriptor: Int32, most: Int = Self.most) -> Outcome {
    var outcome = Outcome()
    let wanted = folders.prefix(most)
    outcome.left = folders.count - wanted.count
    let kept = Set(wanted.map(PathKey.init))
    for (path, number) in numbers where !kept.contains(path) {
      inotify_rm_watch(descriptor, number)
      forget(number)
    }
    for (index, folder) in wanted.enumerated() {
      let key = PathKey(folder)
      let number = inotify_add_watch(descriptor, folder.cString, FolderEvent.asked)
      if number < 0 {
        // A folder that is gone is none that is left out.
        guard errno == ENOSPC || errno == ENOMEM else { continue }
        outcome.left += wanted.count - index
        break
      }
      guard numbers[key] != number else { continue }
      outcome.isNew = true
      // One folder under two paths has one watch.
      if let other = paths[number] { numbers[other] = nil }
      if let before = numbers[key] { paths[before] = nil }
      numbers[key] = number
      paths[number] = key
    }
    return outcome
  }
}
