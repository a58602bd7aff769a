import Glibc
import Model
import System

/// The directory in which the nodes of one machine meet: their locks and ipc sockets. A process that may use it can
/// control everything.
public struct RuntimeDirectory: Hashable, Sendable {
  /// Its absolute path.
  public let path: String

  /// Takes a directory, making it with mode 0700 where it is missing.
  ///
  /// - Throws: `bus.unsafeDirectory` for a symbolic link, another's directory or one that others may enter;
  ///   `bus.cannotUseDirectory` where it cannot be made; `bus.pathTooLong` where ipc addresses in it would exceed the
  ///   kernel's 107 bytes.
  public init(_ path: String) throws {
    var trimmed = path
    while trimmed.utf8.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = trimmed
    // The longest name: two words of 32, the separator, the extension.
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
    let isGroups = status.mode & 0o070 == 0o070 && Self.isMember(of: status.group)
    // Root controls the services of the system as well, which run as a user of their own.
    let isSystems = geteuid() == 0 && 1..<1000 ~= status.owner
    guard status.owner == geteuid() || isGroups || isSystems else {
      throw refuse("it belongs to user \(status.owner)")
    }
    guard status.mode & 0o007 == 0, status.mode & 0o020 == 0 || isGroups || isSystems else {
      throw refuse("others may enter it (mode \(String(status.mode & 0o777, radix: 8)))")
    }
    guard Files.allows(R_OK | W_OK | X_OK, path) else { throw refuse("it cannot be written") }
  }

  private static func isMember(of group: gid_t) -> Bool {
    if group == getegid() { return true }
    var groups = [gid_t](repeating: 0, count: 256)
    let count = getgroups(Int32(groups.count), &groups)
    return count > 0 && groups.prefix(Int(count)).contains(group)
  }

  /// The path of a node's lock, which holds its pid.
  public func lock(of node: NodeID) -> String { "\(path)/\(node).lock" }
  func inbox(of node: NodeID) -> String { "ipc://\(path)/\(node).inbox" }
  func requestAddress(of node: NodeID) -> String { "ipc://\(path)/\(node).desk" }

  /// Lets the group use a node's sockets where the directory is shared with it. Nobody else gets as far as to them.
  func shareSockets(of node: NodeID) {
    for file in sockets(of: node) { chmod(file, 0o660) }
  }

  /// True if a node's request socket is there, be it stale.
  func hasRequestSocket(of node: NodeID) -> Bool { Files.exists("\(path)/\(node).desk") }

  /// The node whose request socket has this file name; nil for another file.
  static func node(ofRequestSocket name: String) -> NodeID? {
    name.hasSuffix(".desk") ? NodeID(String(name.dropLast(5))) : nil
  }

  /// Makes room for the sockets of a node whose lock is held here. What cannot be removed would end the process in the
  /// library beneath (nanomsg 1.1.5, `bipc.c`), so it is an error before that.
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

  /// Removes the files that killed transient nodes left behind; other nodes use theirs again.
  func sweep() {
    for node in names() where node.isTransient && !NodeLock.isHeld(lock(of: node)) {
      do {
        let lock = try NodeLock(of: node, in: self)
        removeSockets(of: node)
        lock.release(forgetting: true)
      } catch {
        // Somebody took the name just now: it is theirs.
      }
    }
  }

  /// The nodes that are alive here: those whose lock is held.
  public func liveNodes() -> [NodeID] { names().filter { NodeLock.isHeld(lock(of: $0)) }.sorted() }

  private func names() -> [NodeID] {
    do throws(Errno) {
      return try Files.names(in: path).compactMap { $0.hasSuffix(".lock") ? NodeID(String($0.dropLast(5))) : nil }
    } catch {
      // Nobody can be alive in a directory that is gone.
      return []
    }
  }
}

/// Tells which names appear in a directory and which are removed (inotify).
final class DirectoryWatcher {
  let descriptor: Int32

  init(of path: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    let events = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
    guard descriptor >= 0, inotify_add_watch(descriptor, path, events) >= 0 else {
      // The descriptor is closed with this object, which an error ends as well.
      throw LunaraError(
        "bus.cannotWatch",
        "The runtime directory \(path) cannot be watched; nodes find each other within 3 s instead of at once.",
        cause: Errno.current)
    }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// The names that appeared or were removed since the last call.
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
