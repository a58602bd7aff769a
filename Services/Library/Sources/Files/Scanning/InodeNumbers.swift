import Synchronization
import System

/// Tells on which devices a file has the same inode number after the next mount. The table of mounts is read again for
/// a device that it did not have: opening a folder may have mounted it.
final class InodeNumbers: Sendable {
  private let readTable: @Sendable () -> MountTable?
  private let lasting = Mutex<[Int64: Bool]>([:])

  /// - Parameter readTable: returns the table of mounts; nil if the system has none.
  init(_ readTable: @escaping @Sendable () -> MountTable?) { self.readTable = readTable }

  /// Returns true if numbers last on a device, as stat(2) numbers it; also for one that no table has, such as a
  /// subvolume.
  func last(on device: UInt64) -> Bool {
    let device = Int64(bitPattern: device)
    return lasting.withLock { lasting in
      if let known = lasting[device] { return known }
      let found = (readTable()?.devices ?? [:]).mapValues(\.hasLastingInodes)
      lasting.merge(found) { $1 }
      let isLasting = found[device] ?? true
      lasting[device] = isLasting
      return isLasting
    }
  }
}
