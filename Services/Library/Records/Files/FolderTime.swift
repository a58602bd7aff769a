package import Model

/// The time of a folder's last change, as a scan saw it.
package struct FolderTime: Hashable, Sendable {
  /// The time within which further changes may leave it as it is: some file systems count in steps of two seconds.
  private static let step: Int64 = 2_000_000_000

  package var device: Int64
  /// In nanoseconds since 1970, by the clock of the file system.
  package var modified: Int64
  /// False if the folder had changed just before the scan, so that later changes may have the same time.
  package var isSettled: Bool
  /// A digest of the names in it, for file systems whose folders keep their times.
  package var names: UInt64 = 0

  /// - Parameter now: the time before the folder was listed.
  package init(device: Int64, modified: Int64, at now: Timestamp) {
    self.device = device
    self.modified = modified
    isSettled = modified < now.microseconds * 1000 - Self.step
  }

  /// Adds a name in the folder to the digest, which does not depend on their order.
  package mutating func add(name: [UInt8]) { names &+= FNV1a.hash(name) }
}
