import Glibc

/// The file systems that are mounted, as /proc/self/mountinfo lists them.
public struct MountTable: Hashable, Sendable {
  /// A mounted file system.
  public struct Mount: Hashable, Sendable {
    /// The number of this mount, which another one gets after it.
    public var number: Int
    /// The device, as `8:1`.
    public var device: String
    /// The folder at which it is mounted.
    public var folder: [UInt8]
    /// The type of the file system, such as `nfs4`.
    public var type: String
    /// True if a file has the same inode number after the next mount.
    public var hasLastingInodes: Bool
  }

  /// The mounts in their order: of several at one folder, the last one is seen.
  public private(set) var mounts: [Mount] = []

  /// Reads the present table; nil if the system has none.
  @Sendable public static func ofSystem() -> MountTable? {
    // Each reading opens the table again, from its beginning.
    do { return MountTable(try Files.read("/proc/self/mountinfo", limit: 16 << 20)) } catch { return nil }
  }

  /// Reads the table in the kernel's format: proc_pid_mountinfo(5). Lines of another form are left out.
  public init(_ text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "))
      // Optional fields end with a hyphen.
      guard fields.count > 6, let number = Int(String(decoding: fields[0], as: UTF8.self)),
        let hyphen = fields[6...].firstIndex(of: ArraySlice("-".utf8)), hyphen + 1 < fields.count
      else { continue }
      let type = String(decoding: fields[hyphen + 1], as: UTF8.self)
      // The type is followed by the source and the options of the file system.
      let options = hyphen + 3 < fields.count ? String(decoding: fields[hyphen + 3], as: UTF8.self) : ""
      mounts.append(
        Mount(
          number: number, device: String(decoding: fields[2], as: UTF8.self), folder: Self.unescaped(fields[4]),
          type: type, hasLastingInodes: FileSystemKind.hasLastingInodes(type: type, options: options)))
    }
  }

  /// The kinds of the file systems, by the numbers that stat(2) has for their devices.
  public var kinds: [Int64: FileSystemKind] { devices.mapValues { FileSystemKind(type: $0.type) } }

  /// The devices, as stat(2) numbers them, whose folders keep their time when something in them changes.
  public var devicesWithoutFolderTimes: Set<Int64> {
    Set(devices.filter { !FileSystemKind.hasFolderTimes(type: $0.value.type) }.keys)
  }

  /// The mounts by the numbers of their devices, as stat(2) has these.
  public var devices: [Int64: Mount] {
    var devices: [Int64: Mount] = [:]
    for mount in mounts {
      let parts = mount.device.split(separator: ":").compactMap { UInt64($0) }
      guard parts.count == 2 else { continue }
      let (major, minor) = (parts[0], parts[1])
      // As makedev(3) packs them.
      let high = (major & ~0xfff) << 32 | (minor & ~0xff) << 12
      let low = (major & 0xfff) << 8 | minor & 0xff
      devices[Int64(bitPattern: high | low)] = mount
    }
    return devices
  }

  /// Returns the kind of the file system on which an absolute path lies, without asking that file system; local where
  /// the table does not say. Links in the path are not followed.
  public func kind(of path: [UInt8]) -> FileSystemKind {
    let mount = mounts.lazy.filter { Self.isWithin(path, $0.folder) }.reversed()
      .max { $0.folder.count < $1.folder.count }
    return mount.map { FileSystemKind(type: $0.type) } ?? .local
  }

  /// Returns the kind of the file system that a path leads to, as `kind(of:)` does; a symbolic link at its end is
  /// followed. Asks only the file system on which the link lies, and that one only if it is local.
  public func kindFollowingLink(at path: [UInt8]) -> FileSystemKind {
    let kind = kind(of: path)
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    guard kind == .local else { return kind }
    let count = readlink(path.map { CChar(bitPattern: $0) } + [0], &bytes, bytes.count)
    guard count > 0 else { return kind }
    let slash = UInt8(ascii: "/")
    let folder = bytes[0] == slash ? [] : path[..<(path.lastIndex(of: slash) ?? 0)]
    var names: [ArraySlice<UInt8>] = []
    for name in (folder + [slash] + bytes[..<count]).split(separator: slash) where name != [UInt8(ascii: ".")] {
      if name == [UInt8(ascii: "."), UInt8(ascii: ".")] { _ = names.popLast() } else { names.append(name) }
    }
    return self.kind(of: names.reduce(into: []) { $0 += [slash] + $1 })
  }

  private static func isWithin(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    return path.starts(with: folder)
      && (path.count == folder.count || folder.last == slash || path[folder.count] == slash)
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
