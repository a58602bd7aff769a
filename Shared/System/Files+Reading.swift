import Glibc

/// Works with files and folders by their paths. Every function blocks until the disk has answered.
public enum Files {
  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the most bytes that are read.
  ///   - followsLinks: false to refuse a symbolic link with `Errno.tooManySymbolicLinkLevels`.
  ///   - mustBeRegular: true to refuse a pipe or a device with `Errno.invalidArgument`, and never to wait for one.
  /// - Throws: `Errno.fileTooLarge` where it has more than `limit` bytes; what open(2) and read(2) give.
  public static func read(
    _ path: some SystemPath, limit: Int = 1 << 20, followsLinks: Bool = true, mustBeRegular: Bool = false
  ) throws(Errno) -> [UInt8] {
    let flags = O_RDONLY | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW) | (mustBeRegular ? O_NONBLOCK : 0)
    let file = try Descriptor(opening: path, flags)
    if mustBeRegular {
      let status = try file.status()
      guard status.kind == .regular else { throw status.kind == .folder ? .isDirectory : .invalidArgument }
    }
    return try file.readToEnd(limit: limit)
  }

  /// The bytes of a file; nil where there is none.
  public static func readIfPresent(_ path: String, limit: Int = 1 << 20) throws(Errno) -> [UInt8]? {
    do { return try read(path, limit: limit) } catch {
      if error.isMissingFile { return nil }
      throw error
    }
  }

  /// The text of a small file, for example of one in /proc; nil where it cannot be read for any reason.
  public static func text(of path: String, limit: Int = 65_536) -> String? {
    do { return String(decoding: try read(path, limit: limit), as: UTF8.self) } catch { return nil }
  }

  /// True where there is anything of that name, a symbolic link that leads nowhere included.
  public static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// The status of the file at a path; nil where there is none or it cannot be looked at.
  public static func status(_ path: String, followingLinks: Bool) -> FileStatus? {
    do { return try FileStatus(path, followingLinks: followingLinks) } catch { return nil }
  }

  /// True where the file can be run, read or written by this process; `access` holds the bits of access(2), such as
  /// `R_OK | X_OK`.
  public static func allows(_ access: Int32, _ path: String) -> Bool { Glibc.access(path, access) == 0 }

  /// The path with all symbolic links followed.
  public static func resolved(_ path: String) throws(Errno) -> String {
    guard let real = realpath(path, nil) else { throw .current }
    defer { free(real) }
    return String(cString: real)
  }
}
