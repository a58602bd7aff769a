import Records
import System

/// The file systems that are mounted, as /proc/self/mountinfo lists them.
struct MountTable: Equatable {
  struct Mount: Hashable {
    /// The number of this mount, which another one gets after it.
    var number: Int
    /// The device, as `8:1`.
    var device: String
    /// The folder at which it is mounted.
    var folder: [UInt8]
  }

  private(set) var mounts: [Mount] = []

  /// Reads the table in the kernel's format: proc_pid_mountinfo(5). Lines of another form are left out.
  init(_ text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count == 6, let number = Int(String(decoding: fields[0], as: UTF8.self)) else { continue }
      mounts.append(
        Mount(
          number: number, device: String(decoding: fields[2], as: UTF8.self), folder: Self.unescaped(fields[4])))
    }
  }

  /// Returns the mounts that folders lie on, and those within them.
  func around(_ folders: [[UInt8]]) -> Set<Mount> {
    Set(
      mounts.filter { mount in
        folders.contains { FilePath.isWithin(mount.folder, $0) || FilePath.isWithin($0, mount.folder) }
      })
  }

  /// Blanks, tabs, line breaks and backslashes are written as a backslash with three octal digits.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var (bytes, place): ([UInt8], Int) = ([], field.startIndex)
    while place < field.endIndex {
      let digits = field[place...].dropFirst().prefix(3).map { Int($0) - 48 }
      if field[place] == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0...7).contains($0) }) {
        bytes.append(UInt8(truncatingIfNeeded: digits[0] * 64 + digits[1] * 8 + digits[2]))
        place += 4
      } else {
        bytes.append(field[place])
        place += 1
      }
    }
    return bytes
  }
}
