public import Bus
import Glibc
import Model
import System

/// The metrics that the kernel has of this process (proc(5)).
public enum ProcessMetrics {
  /// Registers memory, processor time, descriptors, threads and running time with a process's metrics.
  public static func register(in metrics: MetricRegistry) {
    let started = ContinuousClock.now
    metrics.gauge("process_resident_bytes", "Memory of the process that is in RAM, in bytes, what it shares included.")
    {
      kilobytes("Rss", in: text(of: "/proc/self/smaps_rollup"))
    }
    metrics.gauge("process_private_bytes", "Memory that the process shares with no other, in bytes.") {
      let text = text(of: "/proc/self/smaps_rollup")
      guard let clean = kilobytes("Private_Clean", in: text), let dirty = kilobytes("Private_Dirty", in: text) else {
        return nil
      }
      return clean + dirty
    }
    metrics.counter("process_cpu_seconds", "Processor time that the process has used, in seconds.") {
      // POSIX defines the unit of `clock` as a microsecond.
      let used = clock()
      return used < 0 ? nil : Double(used) / 1e6
    }
    metrics.gauge("process_open_descriptors", "Files, sockets and the like that the process has open.") {
      openDescriptors()
    }
    metrics.gauge("process_threads", "Threads of the process.") {
      field("Threads", in: text(of: "/proc/self/status")).flatMap(Double.init)
    }
    metrics.gauge("process_uptime_seconds", "Time since the process was ready to be asked, in seconds.") {
      (ContinuousClock.now - started) / .seconds(1)
    }
  }

  /// Returns a field of `NAME: VALUE` lines; nil if it is missing.
  static func field(_ name: String, in text: String) -> String? {
    for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
      return line.dropFirst(name.utf8.count + 1).split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
    return nil
  }

  /// Returns the value in bytes of a field in kB.
  static func kilobytes(_ name: String, in text: String) -> Double? {
    field(name, in: text).flatMap(Double.init).map { $0 * 1024 }
  }

  private static func text(of path: String) -> String { Files.text(of: path) ?? "" }

  private static func openDescriptors() -> Double? {
    // One of the descriptors is that of the listing itself.
    do { return Double(max(0, try Files.names(in: "/proc/self/fd").count - 1)) } catch { return nil }
  }
}
