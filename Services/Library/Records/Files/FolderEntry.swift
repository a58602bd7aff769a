import Model
package import System

/// A file that a listing of its folder takes, or a symbolic link to one.
package struct FolderEntry: Sendable {  // memberwise
  package var name: [UInt8]
  package var stamp: FileStamp
  package var isLink: Bool
}

/// The properties by which a file is recognised as unchanged.
package struct FileStamp: Hashable, Sendable {  // memberwise
  package var inode: Int64
  package var size: Int64
  /// The time of its last change, in nanoseconds since 1970.
  package var modified: Int64

  /// A short text that differs when the file differs: part of a picture's reference.
  package var mark: String {
    var hash = FNV1a()
    for number in [inode, size, modified] { hash.combine(littleEndian: number) }
    return String(hash.value, radix: 36)
  }
}

extension FileStamp {
  /// Reads the status of a file. An inode above 2^63 becomes a negative number, which is only compared.
  package init(_ status: FileStatus) {
    self.init(inode: Int64(bitPattern: status.inode), size: status.size, modified: status.modified)
  }
}
