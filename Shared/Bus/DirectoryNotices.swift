import Glibc
import Model

/// Tells which names appear in a directory and which are removed (inotify).
final class DirectoryNotices {
  /// One change.
  struct Notice {
    var name: String
    /// Whether the name appeared; else it was removed.
    var isArrival: Bool
  }

  let descriptor: Int32

  init(of path: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    let events = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
    guard descriptor >= 0, inotify_add_watch(descriptor, path, events) >= 0 else {
      // The descriptor is closed with this object, which an error ends as well.
      throw LunaraError(
        "bus.cannotWatch",
        "The runtime directory \(path) cannot be watched; nodes find each other within 3 s instead of at once.",
        cause: String(cString: strerror(errno)))
    }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// What changed since the last call, in order.
  func take() -> [Notice] {
    var notices: [Notice] = []
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        let head = MemoryLayout<inotify_event>.size
        while offset + head <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let name = buffer[(offset + head)..<min(offset + head + Int(event.len), count)].prefix { $0 != 0 }
          notices.append(
            Notice(name: String(decoding: name, as: UTF8.self), isArrival: event.mask & UInt32(IN_DELETE) == 0))
          offset += head + Int(event.len)
        }
      }
    }
    return notices
  }
}
