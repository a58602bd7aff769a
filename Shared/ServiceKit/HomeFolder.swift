import Glibc
import Model
import System

/// The folder of a household's data on this host. It belongs to the user whose services use it. Nobody else may write
/// to it, because they could replace data and sign-ins.
public struct HomeFolder: Sendable {
  /// The path.
  public let path: String

  /// The name of the file that marks an unfinished restore. It contains the path to which the former data was moved.
  public static let restoring = "restoring"

  /// Uses a folder, which is created with mode 0700 if it is missing.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - isForRestore: true if a backup should be restored into it.
  /// - Throws: `settings.homeUnusable` if it cannot be created or written, `settings.homeUnsafe` if it belongs to
  ///   another user, or others may write to it; `settings.restoreUnfinished` if a restore into it was not finished.
  public init(_ path: String, isForRestore: Bool = false) throws {
    self.path = path
    do throws(Errno) { try Files.makeFolder(path) } catch { throw Self.unusable(path, error) }
    try check(isForRestore: isForRestore)
    guard Files.allows(W_OK | X_OK, path) else { throw Self.unusable(path, .current) }
    // For root `access` succeeds on a read-only file system as well, and a full disk is noticed only by writing.
    try probe()
    // If a part of the data is missing, a service would start with an empty database.
    guard !isForRestore, Files.exists("\(path)/\(Self.restoring)") else { return }
    throw LunaraError(
      "settings.restoreUnfinished",
      "A backup was put into \(path) only in part. Run `lunara restore FILE` once more; nothing was lost.",
      cause: try read("\(path)/\(Self.restoring)").map { "what was there before lies in \($0)" })
  }

  private func check(isForRestore: Bool) throws {
    guard let status = Files.status(path, followingLinks: true), status.kind == .folder else { return }
    func refuse(_ why: String, _ remedy: String) -> LunaraError {
      LunaraError(
        "settings.homeUnsafe",
        "The home folder \(path) is not safe to use: \(why). \(remedy), or set LUNARA_HOME to another folder.")
    }
    // Root restores backups for others, and looks after the services of the system, which run as a user of their own.
    let isServed = geteuid() == 0 && (isForRestore || 1..<1000 ~= status.owner)
    guard status.owner == geteuid() || isServed else {
      throw refuse("it belongs to user \(status.owner)", "Run Lunara as that user, or give the folder to yours (chown)")
    }
    guard status.mode & 0o002 == 0, status.mode & 0o020 == 0 || status.isOfOwnGroup || isServed else {
      let mode = String(status.mode & 0o777, radix: 8)
      throw refuse("others may write to it (mode \(mode))", "Close it with `chmod go-w \(path)`")
    }
  }

  private func probe() throws {
    let name = "\(path)/.probe-\(getpid())"
    defer { unlink(name) }
    do throws(Errno) {
      let file = try Descriptor(opening: name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
      try file.write([UInt8](repeating: 0, count: 4096))
    } catch {
      throw Self.unusable(path, error)
    }
  }

  /// Returns the random id of this host, which is created at the first call.
  public func hostID() throws -> String {
    let name = "\(path)/host-id"
    if let known = try Self.knownHostID(in: path) { return known }
    let drawn = UniqueID<HomeFolder>.random().rawValue
    // If several services start at once, one of them creates the file and all read it.
    do throws(Errno) { try Files.replace(name, with: drawn, .init(isExclusive: true)) } catch {
      guard error == .fileExists else { throw Self.unusable(path, error) }
    }
    if let known = try Self.knownHostID(in: path) { return known }
    // The file is empty, so it has never given this host an id; another program left it.
    do throws(Errno) { try Files.replace(name, with: drawn) } catch { throw Self.unusable(path, error) }
    return try Self.knownHostID(in: path) ?? drawn
  }

  /// Returns the random id of the host whose data is in a folder; nil if no service has run with it.
  ///
  /// - Throws: `settings.homeUnusable`.
  public static func knownHostID(in path: String) throws -> String? {
    do throws(Errno) {
      let bytes = try Files.readIfPresent("\(path)/host-id", limit: 4096) ?? []
      return bytes.isEmpty ? nil : String(decoding: bytes.prefix(64), as: UTF8.self)
    } catch {
      throw unusable(path, error)
    }
  }

  /// The name of the file with the ids of the hosts whose backups were restored into this folder, one a line.
  public static let formerHosts = "former-hosts"

  /// Returns the ids of the hosts whose backups were restored into this folder.
  public func formerHostIDs() throws -> [String] {
    do throws(Errno) {
      let bytes = try Files.readIfPresent("\(path)/\(Self.formerHosts)", limit: 4096) ?? []
      return bytes.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw Self.unusable(path, error)
    }
  }

  private func read(_ name: String) throws -> String? {
    do throws(Errno) {
      let bytes = try Files.readIfPresent(name, limit: 4096) ?? []
      return bytes.isEmpty ? nil : String(decoding: bytes.prefix(64), as: UTF8.self)
    } catch {
      throw Self.unusable(path, error)
    }
  }

  private static func unusable(_ path: String, _ error: Errno) -> LunaraError {
    let remedy =
      error == .noSpace
      ? "The disk is full: make room." : "Check its owner and mode, or set LUNARA_HOME to another folder."
    return LunaraError(
      "settings.homeUnusable", "The home folder \(path) cannot be written. \(remedy)",
      cause: error)
  }
}
