import Glibc

extension Files {
  /// The options of `replace`.
  public struct WriteOptions: Sendable {
    /// The mode the file gets, whatever the process's umask.
    public var mode: UInt32
    /// The user and group the file gets; nil for this process's.
    public var owner: (user: UInt32, group: UInt32)?
    /// True to leave a file that is there alone and throw `Errno.fileExists`.
    public var isExclusive: Bool
    /// True to return only when file and name survive a power cut.
    public var isDurable: Bool
    /// The path of the file that is written before it gets its name, on the same file system; nil for one beside the
    /// file with a drawn ending. A fixed one leaves at most one remainder behind after a kill.
    public var temporary: String?

    /// Makes options; those of a private file that survives a power cut, where nothing else is said.
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

  /// Puts a file with these bytes at a path, wholly or not at all: the bytes go to a temporary file beside it, which
  /// then takes the name. Where this throws, the file of that name is as it was.
  ///
  /// - Throws: `Errno.fileExists` where that was asked for; what the kernel gives.
  public static func replace(
    _ path: String, with bytes: [UInt8], _ options: WriteOptions = WriteOptions()
  ) throws(Errno) {
    try replace(path, options) { (file) throws(Errno) in try file.write(bytes) }
  }

  /// Puts a file with this text at a path, wholly or not at all.
  public static func replace(
    _ path: String, with text: String, _ options: WriteOptions = WriteOptions()
  ) throws(Errno) {
    try replace(path, with: Array(text.utf8), options)
  }

  /// Puts a file at a path, wholly or not at all, whose contents `write` writes.
  public static func replace(
    _ path: String, _ options: WriteOptions = WriteOptions(), write: (Descriptor) throws(Errno) -> Void
  ) throws(Errno) {
    let temporary = options.temporary ?? temporaryName(beside: path)
    if options.temporary != nil { unlink(temporary) }
    let file = try Descriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    do throws(Errno) {
      // The owner before the mode: another owner takes bits away, and no other group may read it in between.
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

  /// Returns a path beside another one, with a random ending that nobody can predict.
  public static func temporaryName(beside path: String) -> String {
    "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  /// Gives a file a name that nothing has yet.
  ///
  /// - Throws: `Errno.fileExists`, and both files are as they were.
  public static func publish(_ path: String, as other: String) throws(Errno) {
    // A link fails where there is a file of that name; a rename would replace it.
    if link(path, other) == 0 {
      unlink(path)
      return
    }
    let error = Errno.current
    if error == .fileExists { throw error }
    // Some file systems, such as those of memory sticks, have no links: there the name is taken first.
    try Descriptor(opening: other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW).close()
    do { try move(path, to: other) } catch {
      unlink(other)
      throw error
    }
  }

  /// Gives a file or folder another name on the same file system. A file of that name is replaced.
  public static func move(_ path: String, to other: String) throws(Errno) {
    guard rename(path, other) == 0 else { throw .current }
  }

  /// Returns once the contents of a file or folder survive a power cut.
  public static func sync(_ path: String) throws(Errno) {
    try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).sync()
  }

  /// Returns once the names in the folder that a file lies in survive a power cut.
  public static func syncFolder(of path: String) throws(Errno) {
    try Descriptor(opening: folder(of: path), O_RDONLY | O_DIRECTORY).sync()
  }
}
