import Glibc
import Model

/// The folder of a household's data on this host. Only its owner may read it.
public struct HomeFolder: Sendable {
  /// Its path.
  public let path: String

  /// The name of the file that is in it while a backup is put into it. The file says where the former data goes.
  public static let restoring = "restoring"

  /// Takes a folder, making it with mode 0700 where it is missing.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - isForRestore: true if it is taken to put a backup into it.
  /// - Throws: `settings.homeUnusable` for one that cannot be made or written, `settings.restoreUnfinished` for one into
  ///   which a backup was put only in part.
  public init(_ path: String, isForRestore: Bool = false) throws {
    self.path = path
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o700) != 0 else { continue }
      // Looking whether it is there all the same would overwrite the reason.
      let failure = errno
      guard failure != EEXIST, access(made, F_OK) != 0 else { continue }
      throw Self.unusable(path, failure)
    }
    guard access(path, W_OK | X_OK) == 0 else { throw Self.unusable(path, errno) }
    // The superuser passes `access` on a read-only file system as well, and a full disk shows only when written to.
    try probe()
    // With half of the data in place a service would begin anew where it finds none.
    guard !isForRestore, access("\(path)/\(Self.restoring)", F_OK) == 0 else { return }
    throw LunaraError(
      "settings.restoreUnfinished",
      "A backup was put into \(path) only in part. Run `lunara restore FILE` once more; nothing was lost.",
      cause: try read("\(path)/\(Self.restoring)").map { "what was there before lies in \($0)" })
  }

  private func probe() throws {
    let name = "\(path)/.probe-\(getpid())"
    let descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.unusable(path, errno) }
    let block = [UInt8](repeating: 0, count: 4096)
    let count = write(descriptor, block, block.count)
    let failure = errno
    close(descriptor)
    unlink(name)
    guard count == block.count else { throw Self.unusable(path, failure) }
  }

  /// The random name of this host, made at its first use.
  public func hostID() throws -> String {
    let name = "\(path)/host-id"
    if let known = try read(name) { return known }
    let drawn = UniqueID<HomeFolder>.random().rawValue
    let temporary = "\(name).\(drawn)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.unusable(path, errno) }
    defer { unlink(temporary) }
    // Synced before it has its name, so that no power cut leaves the name without its contents.
    let isWritten = write(descriptor, drawn, drawn.utf8.count) == drawn.utf8.count && fsync(descriptor) == 0
    let failure = errno
    close(descriptor)
    guard isWritten else { throw Self.unusable(path, failure) }
    // Of several services that start at once, one link succeeds, and all read what it wrote.
    guard link(temporary, name) == 0 || errno == EEXIST else { throw Self.unusable(path, errno) }
    if let settled = try read(name) { return settled }
    // An empty file is what some other program left; nobody has ever known this host by it.
    guard rename(temporary, name) == 0 else { throw Self.unusable(path, errno) }
    return try read(name) ?? drawn
  }

  private func read(_ name: String) throws -> String? {
    let descriptor = open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.unusable(path, errno)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  private static func unusable(_ path: String, _ error: Int32) -> LunaraError {
    let remedy =
      error == ENOSPC
      ? "The disk is full: make room." : "Check its owner and mode, or set LUNARA_HOME to another folder."
    return LunaraError(
      "settings.homeUnusable", "The home folder \(path) cannot be written. \(remedy)",
      cause: String(cString: strerror(error)))
  }
}
