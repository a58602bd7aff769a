import Glibc

/// Functions for files and folders by their paths. Every function blocks until the disk has answered.
public enum Files {
  /// Returns the contents of a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - limit: the largest accepted size in bytes.
  ///   - followsLinks: false to refuse a symbolic link with `Errno.tooManySymbolicLinkLevels`.
  ///   - mustBeRegular: true to refuse a folder with `Errno.isDirectory`, and a pipe or a device with
  ///     `Errno.invalidArgument` without waiting for it.
  /// - Throws: `Errno.fileTooLarge` if the file is larger than `limit`; the errors of open(2) and read(2).
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

  /// Returns the contents of a file; nil if there is no such file.
  public static func readIfPresent(_ path: String, limit: Int = 1 << 20) throws(Errno) -> [UInt8]? {
    do { return try read(path, limit: limit) } catch {
      if error.isMissingFile { return nil }
      throw error
    }
  }

  /// Returns the text of a small file, for example of one in /proc; nil if it cannot be read for any reason.
  public static func text(of path: String, limit: Int = 65_536) -> String? {
    do { return String(decoding: try read(path, limit: limit), as: UTF8.self) } catch { return nil }
  }

  /// Returns true if anything of that name exists, even a symbolic link that leads nowhere.
  public static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Returns the status of the file at a path; nil if it cannot be read.
  public static func status(_ path: String, followingLinks: Bool) -> FileStatus? {
    do { return try FileStatus(path, followingLinks: followingLinks) } catch { return nil }
  }

  /// Returns true if this process may access the file in these ways; `access` holds the bits of access(2), such as
  /// `R_OK | X_OK`.
  public static func allows(_ access: Int32, _ path: String) -> Bool { Glibc.access(path, access) == 0 }

  /// Returns the path with all symbolic links resolved.
  public static func resolved(_ path: String) throws(Errno) -> String {
    guard let real = realpath(path, nil) else { throw .current }
    defer { free(real) }
    return String(cString: real)
  }
}
