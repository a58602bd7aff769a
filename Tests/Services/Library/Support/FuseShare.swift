import Glibc
import Model
import System
import TestSupport
import Testing

/// A folder that bindfs shows at a mount, like a share: what is changed behind it is not reported, and it answers
/// nothing while the program is stopped.
final class FuseShare: Sendable {
  static let program = "/usr/bin/bindfs"
  static let isPossible = access(program, X_OK) == 0 && access("/dev/fuse", R_OK | W_OK) == 0
  static let need: Comment = "needs bindfs and /dev/fuse"

  /// The folder behind the mount.
  let tree: MusicTree
  /// The mount.
  let root: [UInt8]
  private let server: ChildProcess

  init() async throws {
    tree = try MusicTree("behind")
    root = Array(tree.beside("share").utf8)
    try tree.make(folder: root)
    let null = [try Descriptor.null(), try Descriptor.null(), try Descriptor.null()]
    server = try ChildProcess(
      Self.program, [Self.program, "-f", LocalPath(bytes: tree.root).description, LocalPath(bytes: root).description],
      environment: Environment(), descriptors: null)
    let device = try FileStatus(LocalPath(bytes: tree.root), followingLinks: true).device
    let mount = LocalPath(bytes: root)
    #expect(try await eventually { try FileStatus(mount, followingLinks: true).device != device })
  }

  deinit {
    goOn()
    umount2(LocalPath(bytes: root).description, Int32(MNT_DETACH))
    server.send(SIGKILL)
    server.wait()
  }

  /// Answers no request any more.
  func hang() { server.send(SIGSTOP) }

  /// Answers requests again, those that wait as well.
  func goOn() { server.send(SIGCONT) }
}
