import Glibc
import Testing

/// A small file system in memory, mounted on a temporary folder for as long as the test runs. Needs root.
final class Mount: Sendable {
  let folder: Folder

  init(options: String) throws {
    folder = try Folder()
    try #require(Self.run(["/bin/mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.path]) == 0)
  }

  deinit {
    if Self.run(["/bin/umount", folder.path]) != 0 { Issue.record("\(folder.path) stays mounted") }
  }

  /// Mounts it anew with further options.
  func again(_ options: String) throws {
    try #require(Self.run(["/bin/mount", "-o", "remount,\(options)", folder.path]) == 0)
  }

  private static func run(_ words: [String]) -> Int32 {
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var child = pid_t()
    guard posix_spawn(&child, words[0], nil, nil, arguments, nil) == 0 else { return -1 }
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child else { return -1 }
    return status
  }
}
