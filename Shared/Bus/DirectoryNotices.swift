import Glibc
import Model

/// Tells which names appear in a directory (inotify).
final class DirectoryNotices {
  let descriptor: Int32

  init(of path: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0, inotify_add_watch(descriptor, path, UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)) >= 0 else {
      let cause = String(cString: strerror(errno))
      if descriptor >= 0 { Glibc.close(descriptor) }
      throw LunaraError(
        "bus.cannotWatch",
        "The runtime directory \(path) cannot be watched; nodes find each other within 3 s instead of at once.",
        cause: cause)
    }
  }

  deinit { Glibc.close(descriptor) }

  /// The names that appeared since the last call.
  func take() -> [String] {
    var names: [String] = []
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var offset = 0
        let head = MemoryLayout<inotify_event>.size
        while offset + head <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let name = buffer[(offset + head)..<min(offset + head + Int(event.len), count)].prefix { $0 != 0 }
          names.append(String(decoding: name, as: UTF8.self))
          offset += head + Int(event.len)
        }
      }
    }
    return names
  }
}

/// The pid of this process.
func currentPID() -> Int32 { getpid() }

/// The pid of this process as text.
func getpidText() -> String { "\(getpid())" }
