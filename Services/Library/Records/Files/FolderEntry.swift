import Model
package import System

/// A file that a listing of its folder takes, or a symbolic link to one.
package struct FolderEntry: Sendable {  // memberwise
  package var name: [UInt8]
  package var stamp: FileStamp
  package var isLink: Bool
}

/// The properties by which a file is recognised, also under another name. Stamps are equal whatever `changed` is, as a
/// new name changes that.
package struct FileStamp: Hashable, Sendable {  // memberwise
  /// The number of the file in its file system; 0 where that numbers files anew after each mount.
  package var inode: Int64
  package var size: Int64
  /// The time of its last change, in nanoseconds since 1970.
  package var modified: Int64
  /// A digest of the time when its contents or status last changed, which no program can set; 0 if it is not known.
  package var changed: Int64 = 0

  package static func == (left: FileStamp, right: FileStamp) -> Bool {
    left.inode == right.inode && left.size == right.size && left.modified == right.modified
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(inode)
    hasher.combine(size)
    hasher.combine(modified)
  }

  /// Returns true if a file that has this stamp now has the contents that it had with another: an editor of tags may
  /// keep the size and set the time back.
  package func hasContents(of other: FileStamp) -> Bool {
    self == other && (changed == other.changed || changed == 0 || other.changed == 0)
  }

  /// True if a file with this stamp at another path is the same file. Without a number it may be another one of the
  /// same size and time.
  package var identifiesFile: Bool { inode != 0 }

  /// A short text that differs when the file differs: part of a picture's reference.
  package var mark: String {
    var hash = FNV1a()
    for number in [inode, size, modified] { hash.combine(littleEndian: number) }
    return String(hash.value, radix: 36)
  }
}

extension FileStamp {
  /// Reads the status of a file. An inode above 2^63 becomes a negative number, which is only compared.
  ///
  /// - Parameter isNumbered: false where the file system numbers files anew after each mount.
  package init(_ status: FileStatus, isNumbered: Bool = true) {
    // 32 bits of microseconds, so that the column of a million files stays small.
    let changed = Int64(UInt32(truncatingIfNeeded: status.changed / 1000))
    self.init(
      inode: isNumbered ? Int64(bitPattern: status.inode) : 0, size: status.size, modified: status.modified,
      changed: max(1, changed))
  }
}
