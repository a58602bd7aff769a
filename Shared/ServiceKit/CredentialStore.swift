public import Bus
import Glibc
import Messages
import Model
import System

/// The secrets of this household: one file for each service in the folder `credentials` of the home folder, readable by
/// this user only.
///
/// Secrets must be used in requests only: never in a log, an error, an event or a queue. The errors of this type
/// contain no text of the files.
public struct CredentialStore: Sendable {
  /// The path of the folder.
  public let path: String

  /// Uses the store of a home folder. The folder is created when the first secret is written.
  public init(home: String) { path = "\(home)/credentials" }

  /// Returns the secrets of a service; nil if there are none.
  ///
  /// - Throws: `settings.credentialsUnsafe` if others may read the file, `settings.credentialsDamaged` if it cannot be
  ///   decoded, `settings.credentialsUnwritable` if it cannot be read.
  public func read<Value: Decodable>(_ type: Value.Type, _ service: String) throws -> Value? {
    let name = try file(service)
    let isSafe: Bool
    let bytes: [UInt8]
    do throws(Errno) {
      let file = try Descriptor(opening: name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      let status = try file.status()
      isSafe = Self.isPrivate(status) && status.kind == .regular
      bytes = isSafe ? try file.readToEnd(limit: Self.limit) : []
    } catch {
      if error.isMissingFile { return nil }
      throw error == .tooManySymbolicLinkLevels ? Self.unsafe(name) : Self.unusable(name, error)
    }
    guard isSafe else { throw Self.unsafe(name) }
    try requirePrivateFolder()
    // The decoder's error is dropped, as it could quote the secret.
    do { return try MessageCoding.decode(type, from: bytes) } catch {
      throw LunaraError(
        "settings.credentialsDamaged", "The secrets in \(name) cannot be understood. Remove the file and sign in again."
      )
    }
  }

  /// Stores the secrets of a service, atomically and durably.
  ///
  /// - Throws: `settings.credentialsUnsafe` if others may enter the folder, `settings.credentialsUnwritable`.
  public func write(_ value: some Encodable, _ service: String) throws {
    let name = try file(service)
    if mkdir(path, 0o700) != 0, Errno.current != .fileExists { throw Self.unusable(path, .current) }
    try requirePrivateFolder()
    let bytes = try MessageCoding.encode(value)
    let temporary = "\(path)/.\(service).\(UniqueID<CredentialStore>.random())"
    do throws(Errno) { try Files.replace(name, with: bytes, .init(temporary: temporary)) } catch {
      throw Self.unusable(name, error)
    }
  }

  /// Removes the secrets of a service.
  ///
  /// - Throws: `settings.credentialsUnwritable`.
  public func remove(_ service: String) throws {
    let name = try file(service)
    do throws(Errno) {
      guard Files.exists(name) else { return }
      try Files.removeFile(name)
      try Files.syncFolder(of: name)
    } catch {
      throw Self.unusable(name, error)
    }
  }

  private static let limit = 1 << 20

  /// Returns the path of a service's file. The name of a service consists of `a-z`, `0-9` and dashes.
  private func file(_ service: String) throws -> String {
    guard !service.isEmpty, service.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 })
    else { throw Self.unusable("\(path)/?", .invalidArgument) }
    return "\(path)/\(service).json"
  }

  private func requirePrivateFolder() throws {
    let status: FileStatus
    do throws(Errno) { status = try FileStatus(path, followingLinks: false) } catch {
      throw Self.unusable(path, error)
    }
    guard Self.isPrivate(status), status.kind == .folder else { throw Self.unsafe(path) }
  }

  private static func isPrivate(_ status: FileStatus) -> Bool { status.mode & 0o077 == 0 && status.owner == geteuid() }

  private static func unsafe(_ name: String) -> LunaraError {
    LunaraError(
      "settings.credentialsUnsafe",
      "Others may read \(name), or it belongs to somebody else. Run `chmod -R go=` on its folder; then sign in again, as the secrets may be known."
    )
  }

  private static func unusable(_ name: String, _ error: Errno) -> LunaraError {
    LunaraError(
      "settings.credentialsUnwritable",
      "Secrets cannot be kept in \(name). Check the owner and mode of the home folder, and that its disk has room.",
      cause: error)
  }
}

/// The password of the page, which `lunara web password` sets. Only its hash is stored, among the household's
/// credentials.
public struct PagePassword: Codable, Hashable, Sendable {
  /// The smallest number of characters.
  public static let shortest = 8
  /// The largest number of bytes.
  public static let longest = 1024
  private static let service = "web"

  /// The hash of the password.
  public var hash: PasswordHash

  public init(hash: PasswordHash) { self.hash = hash }

  /// Reads the password of a home folder; nil if none is set.
  ///
  /// - Throws: `settings.credentialsUnsafe`, `settings.credentialsDamaged`, `settings.credentialsUnwritable`.
  public static func read(home: String) throws -> PagePassword? {
    try CredentialStore(home: home).read(PagePassword.self, service)
  }

  /// Stores the password in a home folder, readable by this user only. All sessions of the page end by that.
  ///
  /// - Throws: `settings.credentialsUnsafe`, `settings.credentialsUnwritable`.
  public func write(home: String) throws { try CredentialStore(home: home).write(self, Self.service) }
}
