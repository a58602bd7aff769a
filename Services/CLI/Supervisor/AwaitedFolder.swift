import Glibc
import System

/// A service that is started once a folder is there: so households that do not use it run no process of it.
struct AwaitedFolder {
  let service: ServiceProgram
  /// The path of the folder.
  let path: String
  /// Becomes readable when something was made beside the folder; nil if the kernel watches no more folders.
  let changes: Descriptor?

  init(_ service: ServiceProgram, _ path: String) {
    self.service = service
    self.path = path
    let number = inotify_init1(Int32(truncatingIfNeeded: IN_CLOEXEC) | Int32(truncatingIfNeeded: IN_NONBLOCK))
    let events = UInt32(truncatingIfNeeded: IN_CREATE) | UInt32(truncatingIfNeeded: IN_MOVED_TO)
    guard number >= 0 else {
      changes = nil
      return
    }
    changes = Descriptor(owning: number)
    _ = inotify_add_watch(number, Files.folder(of: path), events)
  }

  var isThere: Bool { Files.exists(path) }
}
