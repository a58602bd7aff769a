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
    /// The type of the file system, such as `nfs4`.
    var type: String
  }

  private(set) var mounts: [Mount] = []

  /// Reads the present table; nil if the system has none.
  @Sendable static func ofSystem() -> MountTable? {
    // Each reading opens the table again, from its beginning.
    do { return MountTable(try Files.read("/proc/self/mountinfo", limit: 16 << 20)) } catch { return nil }
  }

  /// Reads the table in the kernel's format: proc_pid_mountinfo(5). Lines of another form are left out.
  init(_ text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "))
      // Optional fields end with a hyphen.
      guard fields.count > 6, let number = Int(String(decoding: fields[0], as: UTF8.self)),
        let hyphen = fields[6...].firstIndex(of: ArraySlice("-".utf8)), hyphen + 1 < fields.count
      else { continue }
      mounts.append(
        Mount(
          number: number, device: String(decoding: fields[2], as: UTF8.self), folder: Self.unescaped(fields[4]),
          type: String(decoding: fields[hyphen + 1], as: UTF8.self)))
    }
  }

  /// The kinds of the file systems, by the numbers that stat(2) has for their devices.
  var kinds: [Int64: FileSystemKind] {
    var kinds: [Int64: FileSystemKind] = [:]
    for mount in mounts {
      let parts = mount.device.split(separator: ":").compactMap { UInt64($0) }
      guard parts.count == 2 else { continue }
      let (major, minor) = (parts[0], parts[1])
      // As makedev(3) packs them.
      let high = (major & ~0xfff) << 32 | (minor & ~0xff) << 12
      let low = (major & 0xfff) << 8 | minor & 0xff
      kinds[Int64(bitPattern: high | low)] = FileSystemKind(type: mount.type)
    }
    return kinds
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
