import Glibc

/// By what a file is known to be the same as before.
struct FileStamp: Hashable, Sendable {
  var inode: Int64
  var size: Int64
  /// When it was last written, in nanoseconds since 1970.
  var modified: Int64

  init(inode: Int64, size: Int64, modified: Int64) {
    self.inode = inode
    self.size = size
    self.modified = modified
  }

  /// Takes what the kernel says. The bits of a number above 2^63 are kept, its sign is not: it is only compared.
  init(_ status: stat) {
    inode = Int64(bitPattern: UInt64(status.st_ino))
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  /// A short text that differs when the file differs: part of a picture's reference.
  var mark: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for number in [inode, size, modified] {
      for shift in stride(from: 0, to: 64, by: 8) {
        hash = (hash ^ UInt64(truncatingIfNeeded: number >> shift) & 255) &* 0x100_0000_01b3
      }
    }
    return String(hash, radix: 36)
  }
}
