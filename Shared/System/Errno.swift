import Glibc
public import Model

/// An error number of the kernel or of the C library (errno(3)), for use in a `catch`:
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

  /// The error of the last C call of this thread that failed. It has to be read before any other call.
  public static var current: Errno { Errno(errno) }

  /// The text of the C library, for example `No such file or directory`.
  public var text: String { String(cString: strerror(rawValue)) }

  /// True if there is no such file, or if a part of the path above it is missing or not a folder.
  public var isMissingFile: Bool { self == .noSuchFileOrDirectory || self == .notDirectory }

  /// True if it says nothing about the file, but that its disk, its share or this machine failed: the next request may
  /// succeed. False for what stays so until a person changes the file or its rights.
  public var isTransient: Bool {
    switch self {
    case .noSuchFileOrDirectory, .notDirectory, .isDirectory, .tooManySymbolicLinkLevels, .nameTooLong,
      .permissionDenied, .notPermitted, .invalidArgument, .fileTooLarge, .notSupported:
      false
    default: true
    }
  }

  /// True if the disk is full or the user's quota is used up.
  public var isDiskFull: Bool { self == .noSpace || self == .diskQuotaExceeded }

  /// Allows a constant as a pattern in a `catch` of any error.
  public static func ~= (pattern: Errno, error: any Error) -> Bool { (error as? Errno) == pattern }
}

/// The error numbers that this project distinguishes, named as in Apple's System library.
extension Errno {
  /// `EPERM`.
  public static let notPermitted = Errno(EPERM)
  /// `ENOENT`.
  public static let noSuchFileOrDirectory = Errno(ENOENT)
  /// `EINTR`.
  public static let interrupted = Errno(EINTR)
  /// `EIO`.
  public static let ioError = Errno(EIO)
  /// `ENOMEM`.
  public static let noMemory = Errno(ENOMEM)
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
  /// `EPIPE`.
  public static let brokenPipe = Errno(EPIPE)
  /// `ECONNRESET`.
  public static let connectionReset = Errno(ECONNRESET)
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
