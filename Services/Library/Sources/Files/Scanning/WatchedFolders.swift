import Glibc
import Model

/// The folders that the kernel watches, with their watch descriptors.
struct WatchedFolders {
  /// The largest number of watched folders: the kernel needs about a kilobyte for each.
  static let most = 20_000

  private var numbers: [PathKey: Int32] = [:]
  private var paths: [Int32: PathKey] = [:]

  struct Outcome: Equatable {
    /// The folders that are watched and were not before: earlier changes in them were not reported.
    var new: [[UInt8]] = []
    /// The number of folders that are not watched, because there are too many or the kernel has no watches left.
    var left = 0
  }

  func path(_ number: Int32) -> [UInt8]? { paths[number]?.bytes }

  /// Forgets a watch that the kernel has ended.
  mutating func forget(_ number: Int32) {
    guard let path = paths.removeValue(forKey: number), numbers[path] == number else { return }
    numbers[path] = nil
  }

  /// Watches these folders, and ends the watches of all others that are within some. For a folder that is watched
  /// already, the kernel returns the same descriptor; for another folder at the same path, it returns a new one.
  ///
  /// - Parameter visited: the folders, with everything below them, whose watches end unless they are named; nil for
  ///   all.
  mutating func watch(
    _ folders: [[UInt8]], visited: [[UInt8]]? = nil, with descriptor: Int32, most: Int = Self.most
  ) -> Outcome {
    var outcome = Outcome()
    let named = Set(folders.map(PathKey.init))
    let ended = numbers.filter { path, _ in
      !named.contains(path) && visited?.contains { FilePath.isWithin(path.bytes, $0) } ?? true
    }
    let staying = numbers.keys.count { !named.contains($0) && ended[$0] == nil }
    let wanted = folders.prefix(max(0, most - staying))
    outcome.left = folders.count - wanted.count
    for number in ended.values {
      inotify_rm_watch(descriptor, number)
      forget(number)
    }
    for (index, folder) in wanted.enumerated() {
      let key = PathKey(folder)
      let number = inotify_add_watch(descriptor, folder.cString, FolderEvent.asked)
      if number < 0 {
        // A folder that cannot be watched for another reason, such as a removed one, is not counted in `left`.
        guard errno == ENOSPC || errno == ENOMEM else { continue }
        outcome.left += wanted.count - index
        break
      }
      guard numbers[key] != number else { continue }
      outcome.new.append(folder)
      // The kernel has one watch for a folder with two paths.
      if let other = paths[number] { numbers[other] = nil }
      if let before = numbers[key] { paths[before] = nil }
      // A copy: the path of the scan lies among what the scan leaves behind, and would keep its pages from being freed.
      let kept = PathKey(folder.withUnsafeBufferPointer { Array($0) })
      numbers[kept] = number
      paths[number] = kept
    }
    return outcome
  }
}

/// An event in a watched folder, as the kernel reports it (inotify(7)).
struct FolderEvent: Equatable {
  /// The watch descriptor; -1 where events were lost.
  var watch: Int32
  var mask: UInt32
  /// The name of the entry in the folder that changed; empty for the folder itself.
  var name: [UInt8]

  /// The events to report. They do not include reads and single writes: a written file counts when it is closed.
  static let asked =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
    | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

  enum Meaning: Equatable {
    case nothing
    /// A file in the folder, or the folder itself, has changed.
    case change
    /// The subfolder of that name came, went or got other rights, or the rules for everything in the folder changed.
    case changeBelow
    /// Events were lost, or a disk is away.
    case loss
    /// A file was created and may still be written; only a link is complete at once.
    case creation
    /// The folder is not watched any more.
    case end
  }

  var meaning: Meaning {
    if has(IN_Q_OVERFLOW) || has(IN_UNMOUNT) { return .loss }
    if has(IN_IGNORED) { return .end }
    if name.isEmpty { return has(IN_DELETE_SELF) || has(IN_MOVE_SELF) ? .changeBelow : .nothing }
    if IgnoreFile(name: name) != nil { return .changeBelow }
    if FileName.isPassedOver(name) { return .nothing }
    if has(IN_ISDIR) { return .changeBelow }
    guard
      AudioFormat.reader(fileName: name) != nil || CueSheet.isName(name)
        || Cover.isPicture(name)
    else {
      // A new name without an ending may be a link to a folder.
      return has(IN_CREATE) && FileName.ending(name) == nil ? .creation : .nothing
    }
    return has(IN_CREATE) ? .creation : .change
  }

  /// Returns the folder that changed with everything below it, in the case `changeBelow`.
  func changedBelow(_ folder: [UInt8]) -> [UInt8] {
    has(IN_ISDIR) && !name.isEmpty ? FilePath.join(folder, name) : folder
  }

  private func has(_ bit: some BinaryInteger) -> Bool { mask & UInt32(truncatingIfNeeded: bit) != 0 }

  /// Reads events in the kernel's layout: 16 bytes, of which the last four are the length of the padded name that
  /// follows.
  static func events(_ bytes: UnsafeRawBufferPointer) -> [FolderEvent] {
    var (events, place): ([FolderEvent], Int) = ([], 0)
    while place + headLength <= bytes.count {
      let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
      guard length <= bytes.count - place - headLength else { break }
      let start = place + headLength
      events.append(
        FolderEvent(
          watch: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self),
          mask: bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self),
          name: bytes[start..<(start + length)].prefix { $0 != 0 }.map { $0 }))
      place = start + length
    }
    return events
  }

  private static let headLength = 16
}
