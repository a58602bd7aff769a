import Glibc
import TestSupport
import Testing

/// A small disk that a test can fill and make read-only. It is mounted only in the mount namespace of a process that
/// this value holds, so that nothing stays mounted. Without root a user namespace gives the right to mount.
final class SmallDisk: Sendable {
  /// The path of the mount, for processes within the namespace.
  let path: String
  private let folder = TemporaryDirectory()
  private let holder: ChildProcess

  static func mount(megabytes: Int = 8) async throws -> SmallDisk {
    let disk = try SmallDisk(megabytes: megabytes)
    let isMounted = await eventually(within: patience) {
      disk.holder.output == "mounted\n" || disk.holder.ending != nil
    }
    try #require(
      isMounted && disk.holder.ending == nil,
      "this environment allows no mounts, so full and locked disks cannot be tested: \(disk.holder.errors)")
    return disk
  }

  private init(megabytes: Int) throws {
    path = folder.path + "/disk"
    try Folder.make(path)
    let script = "mount -t tmpfs -o size=\(megabytes)m,mode=700 lunara \(path) && echo mounted && exec sleep infinity"
    let rights = geteuid() == 0 ? [] : ["--user", "--map-root-user"]
    holder = try ChildProcess(
      [try Programs.tool("unshare")] + rights + ["--mount", "sh", "-c", script], environment: Programs.environment())
  }

  /// The command prefix that runs a program within the namespace.
  var entry: [String] {
    get throws {
      let rights = geteuid() == 0 ? [] : ["--user", "--preserve-credentials"]
      return [try Programs.tool("nsenter"), "--target", "\(holder.pid)", "--mount"] + rights + ["--"]
    }
  }

  /// Mounts it again with other options: `ro`, `rw`.
  func remount(_ options: String) async throws {
    // The source is named, so that mount does not take over older options: one of them names an owner that a user
    // namespace does not have.
    let words = try entry + ["mount", "-o", "remount,\(options)", "lunara", path]
    try await Programs.run(["nsenter"] + words.dropFirst())
  }

  /// Fills the disk.
  func fill() throws {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0, "\(filler): \(String(cString: strerror(errno)))")
    defer { close(descriptor) }
    let block = [UInt8](repeating: 0xAA, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    try #require(errno == ENOSPC)
  }

  /// Frees the space again.
  func empty() { unlink(filler) }

  /// The file that takes the space, as seen from outside the namespace.
  private var filler: String { "/proc/\(holder.pid)/root\(path)/filler" }

  /// Ends the namespace's process; the mount lasts until the last process within has ended.
  func end() async { await holder.kill() }
}
