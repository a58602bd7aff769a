import CPlatform
import CSeccomp
import Confinement
import Glibc
import System

/// Confines itself with a profile, tries what its arguments name, and prints a line for each: the name, and the error
/// of the kernel or `done`. Names that are none of its own are those of system calls. The first argument is the
/// profile: `tags`, `formats`, `pictures` or `player`, the last also as `player:FOLDER` with a folder in the place of
/// `/etc`.
@main struct Main {
  static func main() throws {
    let profile: ConfinementProfile? = ["tags": .tags, "formats": .formats, "pictures": .pictures][
      CommandLine.arguments[1]]
    profile?.isolate()
    var link = [CChar](repeating: 0, count: 64)
    let length = readlink("/proc/self/ns/net", &link, link.count)
    let network = String(decoding: link.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let profile {
      try profile.refuseSystemCalls()
    } else {
      let settings = CommandLine.arguments[1].split(separator: ":").dropFirst().first.map(String.init) ?? "/etc"
      guard try ReachableFiles.player(Environment(), settings: settings).confine() else {
        fatalError("This kernel has no Landlock.")
      }
      try RefusedSystemCalls.player.refuse()
    }
    for name in CommandLine.arguments.dropFirst(2) {
      let said = name == "network" ? network : attempt(name)
      Descriptor.write(Array("\(name) \(said)\n".utf8), to: STDOUT_FILENO)
    }
    _exit(0)
  }

  private static func attempt(_ name: String) -> String {
    errno = 0
    switch name {
    case _ where name.hasPrefix("open "): _ = open(String(name.dropFirst(5)), O_RDONLY)
    case "open": _ = open("/etc/passwd", O_RDONLY)
    case "create": _ = open("/tmp/lunara-confined", O_WRONLY | O_CREAT, 0o600)
    case "socket": _ = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    case "execute":
      var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
      execv("/bin/true", &words)
    case "spawn":
      var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
      var pid: pid_t = 0
      errno = posix_spawn(&pid, "/bin/true", nil, nil, &words, nil)
    case "signal": kill(getpid(), 0)
    case "signal parent": kill(getppid(), 0)
    case "signal group": kill(0, 0)
    case "own signals": _ = fcntl(STDERR_FILENO, F_SETOWN, getppid())
    case "limit parent": errno = lunara_seccomp_attempt("prlimit64", Int(getppid()))
    case "reopen": _ = open("/proc/self/fd/2", O_RDONLY)
    case "rewrite": _ = open("/proc/self/fd/2", O_WRONLY | O_TRUNC)
    case "folder": mkdir("/tmp/lunara-confined", 0o700)
    case "enter": chmod("/proc/self/fd/2", 0o700)
    case "read mode": chmod("/proc/self/fd/2", 0o660)
    case "meet":
      let meeting = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let path = Array("/tmp/lunara-confined-\(getpid())".utf8)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      withUnsafePointer(to: &address) {
        _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(meeting, $0, size) }
      }
      if errno == 0 { unlink(String(decoding: path, as: UTF8.self)) }
    case "listen":
      let port = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafePointer(to: &address) {
        _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(port, $0, size) }
      }
    case "thread":
      do { try SystemThread.startJoinable("thread") {}.join() } catch { errno = error.rawValue }
    case "memory":
      // More than the profiles of tags and formats allow, and less than that of pictures.
      let memory = malloc(512 << 20)
      if memory != nil { errno = 0 }
      free(memory)
    case "write":
      // The ninth portion exceeds 64 MiB.
      let portion = [UInt8](repeating: 0, count: 8 << 20)
      for _ in 0..<9 where write(STDERR_FILENO, portion, portion.count) < 0 { break }
    case "compute":
      lunara_limit_processor_time(1)
      while true {}
    case "inspectable":
      lunara_refuse_inspection()
      return lunara_is_inspectable() == 0 ? "refused" : "allowed"
    default:
      // Any other name is that of a system call, which gets no arguments.
      errno = lunara_seccomp_attempt(name, 0)
    }
    return errno == 0 ? "done" : Errno.current.text
  }
}
