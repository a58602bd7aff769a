import Glibc
import Model
import System

/// The directory in which the nodes of one machine meet: it holds their locks and ipc sockets. A process with access to
/// it can control everything.
public struct RuntimeDirectory: Hashable, Sendable {
  /// The absolute path.
  public let path: String

  /// Uses a directory, which is created with mode 0700 if it is missing.
  ///
  /// - Throws: `bus.unsafeDirectory` if it is a symbolic link, belongs to another user, or others may enter it;
  ///   `bus.cannotUseDirectory` if it cannot be created; `bus.pathTooLong` if ipc addresses in it would exceed the
  ///   kernel's 107 bytes.
  public init(_ path: String) throws {
    var trimmed = path
    while trimmed.utf8.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = trimmed
    // The longest file name: a node's name of 65 bytes, and an extension of 6.
    guard trimmed.utf8.count + 1 + 65 + 6 <= 107 else {
      throw LunaraError(
        "bus.pathTooLong",
        "The runtime directory \(trimmed) is too long for ipc sockets. Set LUNARA_RUN to a path of at most 35 characters."
      )
    }
    do throws(Errno) { try Files.makeFolder(trimmed) } catch {
      throw LunaraError(
        "bus.cannotUseDirectory",
        "Cannot make the runtime directory \(trimmed). Set LUNARA_RUN to a directory of your own.", cause: error)
    }
    try check()
  }

  private func check() throws {
    let status: FileStatus
    do throws(Errno) { status = try FileStatus(path, followingLinks: false) } catch {
      throw LunaraError("bus.cannotUseDirectory", "Cannot look at the runtime directory \(path).", cause: error)
    }
    func refuse(_ why: String) -> LunaraError {
      LunaraError(
        "bus.unsafeDirectory",
        "The runtime directory \(path) is not safe to use: \(why). Set LUNARA_RUN to a directory of your own with mode 0700."
      )
    }
    guard status.kind == .folder else { throw refuse("it is no directory, or a symbolic link") }
    let isGroups = status.mode & 0o070 == 0o070 && status.isOfOwnGroup
    // Root may also control the system's services, which run as a system user.
    let isSystems = geteuid() == 0 && 1..<1000 ~= status.owner
    guard status.owner == geteuid() || isGroups || isSystems else {
      throw refuse("it belongs to user \(status.owner)")
    }
    guard status.mode & 0o007 == 0, status.mode & 0o020 == 0 || isGroups || isSystems else {
      throw refuse("others may enter it (mode \(String(status.mode & 0o777, radix: 8)))")
    }
    guard Files.allows(R_OK | W_OK | X_OK, path) else { throw refuse("it cannot be written") }
  }

  /// Returns the path of a node's lock, which holds its pid.
  public func lock(of node: NodeID) -> String { "\(path)/\(node).lock" }
  func inbox(of node: NodeID) -> String { "ipc://\(path)/\(node).inbox" }
  func requestAddress(of node: NodeID) -> String { "ipc://\(path)/\(node).desk" }

  /// Gives the directory's group access to a node's sockets. Others cannot enter the directory.
  func shareSockets(of node: NodeID) {
    for file in sockets(of: node) { chmod(file, 0o660) }
  }

  /// Returns true if a node's request socket exists, even a stale one.
  func hasRequestSocket(of node: NodeID) -> Bool { Files.exists("\(path)/\(node).desk") }

  /// Returns the node whose request socket has this file name; nil for another file.
  static func node(ofRequestSocket name: String) -> NodeID? {
    name.hasSuffix(".desk") ? NodeID(String(name.dropLast(5))) : nil
  }

  /// Removes stale sockets of a node whose lock this process holds. If one could not be removed, nanomsg 1.1.5 would
  /// abort the process (`bipc.c`), so that is an error here.
  ///
  /// - Throws: `bus.cannotUseDirectory`.
  func clearSockets(of node: NodeID) throws {
    removeSockets(of: node)
    for file in sockets(of: node) where Files.exists(file) {
      throw LunaraError("bus.cannotUseDirectory", "\(file) is in the way and cannot be removed. Remove it by hand.")
    }
  }

  func removeSockets(of node: NodeID) { for file in sockets(of: node) { unlink(file) } }

  private func sockets(of node: NodeID) -> [String] { ["\(path)/\(node).inbox", "\(path)/\(node).desk"] }

  /// Removes the files that killed transient nodes left behind; other nodes reuse theirs.
  func sweep() {
    for node in names() where node.isTransient && !NodeLock.isHeld(lock(of: node)) {
      do {
        let lock = try NodeLock(of: node, in: self)
        removeSockets(of: node)
        lock.release(forgetting: true)
      } catch {
        // Another process has just taken the name and uses the files.
      }
    }
  }

  /// Returns the nodes that are alive on this machine: those whose lock is held.
  public func liveNodes() -> [NodeID] { names().filter { NodeLock.isHeld(lock(of: $0)) }.sorted() }

  private func names() -> [NodeID] {
    do throws(Errno) {
      return try Files.names(in: path).compactMap { $0.hasSuffix(".lock") ? NodeID(String($0.dropLast(5))) : nil }
    } catch {
      // No node can be alive in a directory that does not exist.
      return []
    }
  }
}

/// Watches which names appear in a directory and which are removed (inotify).
final class DirectoryWatcher {
  let descriptor: Int32

  init(of path: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    let events = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
    guard descriptor >= 0, inotify_add_watch(descriptor, path, events) >= 0 else {
      // The error releases this object, which closes the descriptor.
      throw LunaraError(
        "bus.cannotWatch",
        "The runtime directory \(path) cannot be watched; nodes find each other within 3 s instead of at once.",
        cause: Errno.current)
    }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// Returns the names that appeared or were removed since the last call.
  func readChanges() -> [(name: String, isArrival: Bool)] {
    var changes: [(name: String, isArrival: Bool)] = []
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        let head = MemoryLayout<inotify_event>.size
        while offset + head <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let name = buffer[(offset + head)..<min(offset + head + Int(event.len), count)].prefix { $0 != 0 }
          changes.append((String(decoding: name, as: UTF8.self), event.mask & UInt32(IN_DELETE) == 0))
          offset += head + Int(event.len)
        }
      }
    }
    return changes
  }
}
