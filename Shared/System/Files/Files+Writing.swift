import Glibc

extension Files {
  /// The options of `replace`.
  public struct WriteOptions: Sendable {
    /// The mode of the file, independent of the process's umask.
    public var mode: UInt32
    /// The user and group of the file; nil for those of this process.
    public var owner: (user: UInt32, group: UInt32)?
    /// True to throw `Errno.fileExists` instead of replacing a file.
    public var isExclusive: Bool
    /// True to return only after the file and its name survive a power cut.
    public var isDurable: Bool
    /// The path of the temporary file, in the same file system; nil for one with a random name beside the file. With a
    /// fixed path at most one temporary file is left behind by kills.
    public var temporary: String?

    /// Creates options; by default those of a private file that survives a power cut.
    public init(
      mode: UInt32 = 0o600, owner: (user: UInt32, group: UInt32)? = nil, isExclusive: Bool = false,
      isDurable: Bool = true, temporary: String? = nil
    ) {
      self.mode = mode
      self.owner = owner
      self.isExclusive = isExclusive
      self.isDurable = isDurable
      self.temporary = temporary
    }
  }

  /// Writes a file atomically: the bytes are written to a temporary file, which is then renamed. After an error the
  /// former file is unchanged, unless only the final sync of the folder failed.
  ///
  /// - Throws: `Errno.fileExists` if `isExclusive` is set and the file exists; the errors of the kernel.
  public static func replace(
    _ path: String, with bytes: [UInt8], _ options: WriteOptions = WriteOptions()
  ) throws(Errno) {
    try replace(path, options) { (file) throws(Errno) in try file.write(bytes) }
  }

  /// Writes a text file atomically.
  public static func replace(
    _ path: String, with text: String, _ options: WriteOptions = WriteOptions()
  ) throws(Errno) {
    try replace(path, with: Array(text.utf8), options)
  }

  /// Writes a file atomically, with the contents that `write` writes.
  public static func replace(
    _ path: String, _ options: WriteOptions = WriteOptions(), write: (Descriptor) throws(Errno) -> Void
  ) throws(Errno) {
    let temporary = options.temporary ?? temporaryName(beside: path)
    if options.temporary != nil { unlink(temporary) }
    let file = try Descriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    do throws(Errno) {
      // The owner is set before the mode: changing the owner clears mode bits, and the wrong group must not get access.
      if let owner = options.owner, fchown(file.number, owner.user, owner.group) != 0 { throw Errno.current }
      try write(file)
      guard options.mode == 0o600 || fchmod(file.number, options.mode) == 0 else { throw Errno.current }
      if options.isDurable { try file.sync() }
      file.close()
      if options.isExclusive { try publish(temporary, as: path) } else { try move(temporary, to: path) }
    } catch {
      unlink(temporary)
      throw error
    }
    if options.isDurable { try syncFolder(of: path) }
  }

  /// Returns a path beside another one with a random suffix that cannot be predicted.
  public static func temporaryName(beside path: String) -> String {
    "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  /// Renames a file to a name that does not exist yet.
  ///
  /// - Throws: `Errno.fileExists`, and both files are unchanged.
  public static func publish(_ path: String, as other: String) throws(Errno) {
    // `link` fails if the name exists, whereas `rename` would replace the file.
    if link(path, other) == 0 {
      unlink(path)
      return
    }
    let error = Errno.current
    if error == .fileExists { throw error }
    // Some file systems, such as those of memory sticks, have no links: there an empty file reserves the name.
    try Descriptor(opening: other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW).close()
    do { try move(path, to: other) } catch {
      unlink(other)
      throw error
    }
  }

  /// Renames a file or folder within one file system. An existing file of the new name is replaced.
  public static func move(_ path: String, to other: String) throws(Errno) {
    guard rename(path, other) == 0 else { throw .current }
  }

  /// Returns once the contents of a file or folder survive a power cut.
  public static func sync(_ path: String) throws(Errno) {
    try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).sync()
  }

  /// Returns once the names in a file's folder survive a power cut.
  public static func syncFolder(of path: String) throws(Errno) {
    try Descriptor(opening: folder(of: path), O_RDONLY | O_DIRECTORY).sync()
  }
}
