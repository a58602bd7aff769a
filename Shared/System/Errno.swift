import Glibc
public import Model

/// An error number of the kernel or of the C library, as errno(3) lists them. Reads well in a `catch`:
///
/// ```swift
/// do {
///   return try Files.read(path)
/// } catch Errno.noSuchFileOrDirectory {
///   return []
/// }
/// ```
public struct Errno: Error, RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public init(_ number: Int32) { rawValue = number }

  /// The number that the last failed C call of this thread left. To be read before any other call is made.
  public static var current: Errno { Errno(errno) }

  /// The text of the C library, for example `No such file or directory`.
  public var text: String { String(cString: strerror(rawValue)) }

  /// True where there is no such file, or a part of the path above it is missing or no folder.
  public var isMissingFile: Bool { self == .noSuchFileOrDirectory || self == .notDirectory }

  /// True where the disk is full or this user's share of it is used up.
  public var isDiskFull: Bool { self == .noSpace || self == .diskQuotaExceeded }

  /// Lets a constant stand in a `catch` that may receive any error.
  public static func ~= (pattern: Errno, error: any Error) -> Bool { (error as? Errno) == pattern }
}

/// The numbers that this project tells apart; named as Apple's System library names them.
extension Errno {
  /// `EPERM`.
  public static let notPermitted = Errno(EPERM)
  /// `ENOENT`.
  public static let noSuchFileOrDirectory = Errno(ENOENT)
  /// `EINTR`.
  public static let interrupted = Errno(EINTR)
  /// `EIO`.
  public static let ioError = Errno(EIO)
  /// `EAGAIN`.
  public static let wouldBlock = Errno(EAGAIN)
  /// `EACCES`.
  public static let permissionDenied = Errno(EACCES)
  /// `EEXIST`.
  public static let fileExists = Errno(EEXIST)
  /// `ENOTDIR`.
  public static let notDirectory = Errno(ENOTDIR)
  /// `EISDIR`.
  public static let isDirectory = Errno(EISDIR)
  /// `EINVAL`.
  public static let invalidArgument = Errno(EINVAL)
  /// `EFBIG`.
  public static let fileTooLarge = Errno(EFBIG)
  /// `ENOSPC`.
  public static let noSpace = Errno(ENOSPC)
  /// `ELOOP`.
  public static let tooManySymbolicLinkLevels = Errno(ELOOP)
  /// `ENAMETOOLONG`.
  public static let nameTooLong = Errno(ENAMETOOLONG)
  /// `EOPNOTSUPP`.
  public static let notSupported = Errno(EOPNOTSUPP)
  /// `EADDRINUSE`.
  public static let addressInUse = Errno(EADDRINUSE)
  /// `ETIMEDOUT`.
  public static let timedOut = Errno(ETIMEDOUT)
  /// `EDQUOT`.
  public static let diskQuotaExceeded = Errno(EDQUOT)
}

extension Errno: CustomStringConvertible {
  /// The text of the C library.
  public var description: String { text }
}

extension LunaraError {
  public init(_ code: String, _ message: String, cause: Errno) { self.init(code, message, cause: cause.text) }
}
