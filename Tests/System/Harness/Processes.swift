import Glibc

/// The processes of this machine, read from /proc.
enum Processes {
  /// The processes whose environment contains `NAME=value`, without zombies.
  static func having(_ name: String, _ value: String) -> [pid_t] {
    let wanted = Array("\(name)=\(value)".utf8)
    return all().filter { pid in
      bytes(of: "/proc/\(pid)/environ").split(separator: 0).contains { Array($0) == wanted } && !isZombie(pid)
    }
  }

  /// The name of a process's program: the first word of its command line.
  static func program(of pid: pid_t) -> String {
    let path = String(decoding: bytes(of: "/proc/\(pid)/cmdline").prefix { $0 != 0 }, as: UTF8.self)
    return String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }

  static func isAlive(_ pid: pid_t) -> Bool { kill(pid, 0) == 0 && !isZombie(pid) }

  /// The files in a folder that are open in any process but this one, each as `PROGRAM PATH`.
  static func open(in folder: String) -> [String] {
    all().filter { $0 != getpid() }.flatMap { pid in
      names(in: "/proc/\(pid)/fd").compactMap { name in
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/\(pid)/fd/\(name)", &bytes, bytes.count)
        let path = String(decoding: bytes.prefix(max(0, length)), as: UTF8.self)
        return path.hasPrefix(folder + "/") ? "\(program(of: pid)) \(path)" : nil
      }
    }
  }

  private static func isZombie(_ pid: pid_t) -> Bool {
    // The state is the first word after the name, which is in parentheses and may contain anything.
    let stat = String(decoding: bytes(of: "/proc/\(pid)/stat"), as: UTF8.self)
    return stat.split(separator: ")").last?.split(separator: " ").first == "Z"
  }

  private static func all() -> [pid_t] { names(in: "/proc").compactMap { pid_t($0) } }

  /// The names in a folder; none if it cannot be read, as its process has ended.
  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
      found.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return found
  }

  private static func bytes(of path: String) -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var found: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 8192)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 { found += buffer[..<count] }
    return found
  }
}
