import Model
import System

extension MountTable {
  /// A table in which the file system of a folder has a type, such as `fuse.sshfs`.
  init(showing folder: [UInt8], as type: String) throws {
    let device = try FileStatus(LocalPath(bytes: folder), followingLinks: true).device
    let (major, minor) = ((device >> 8) & 0xfff | (device >> 32) & ~0xfff, device & 0xff | (device >> 12) & ~0xff)
    self.init(Array("22 1 \(major):\(minor) / / rw shared:1 - \(type) nas:/music rw\n".utf8))
  }
}
