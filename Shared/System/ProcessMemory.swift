import Glibc

/// The resident memory of a process, in bytes.
public struct ProcessMemory: Sendable {
  /// All of it.
  public var resident: Int
  /// The part of it that belongs to files and to memory shared with other processes.
  public var shared: Int
  /// The rest, which belongs to the process alone.
  public var own: Int { resident - shared }

  /// Reads the memory of a process, by its number or "self". Returns nil if it has ended.
  public static func of(_ process: String) -> ProcessMemory? {
    do throws(Errno) {
      let text = String(decoding: try Files.read("/proc/\(process)/statm", limit: 4096), as: UTF8.self)
      let pages = text.split(separator: " ").compactMap { Int($0) }
      guard pages.count > 2 else { return nil }
      return ProcessMemory(resident: pages[1] * Int(getpagesize()), shared: pages[2] * Int(getpagesize()))
    } catch {
      return nil
    }
  }
}
