import Glibc
import TestSupport
import Testing

/// A small disk that can be filled and locked, without leaving anything mounted: it exists only in the mount namespace
/// of a process that holds it, and goes with it. Where the test is not run by root, a user namespace gives the right.
final class SmallDisk: Sendable {
  /// Where it is mounted, for those within.
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

  /// The words that run a program within.
  var entry: [String] {
    get throws {
      let rights = geteuid() == 0 ? [] : ["--user", "--preserve-credentials"]
      return [try Programs.tool("nsenter"), "--target", "\(holder.pid)", "--mount"] + rights + ["--"]
    }
  }

  /// Mounts it anew with other options: `ro`, `rw`.
  func remount(_ options: String) async throws {
    // With the source named, mount takes over no older options, among which is an owner unknown to a user namespace.
    let words = try entry + ["mount", "-o", "remount,\(options)", "lunara", path]
    try await Programs.run(["nsenter"] + words.dropFirst())
  }

  /// Writes until nothing more fits.
  func fill() throws {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0, "\(filler): \(String(cString: strerror(errno)))")
    defer { close(descriptor) }
    let block = [UInt8](repeating: 0xAA, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    try #require(errno == ENOSPC)
  }

  /// Makes room again.
  func empty() { unlink(filler) }

  /// The file that takes the room, seen from outside.
  private var filler: String { "/proc/\(holder.pid)/root\(path)/filler" }

  /// Ends it; whoever is still within keeps it for so long.
  func end() async { await holder.kill() }
}
