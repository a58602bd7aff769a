import Glibc

/// The present boot of this host.
public enum HostBoot {
  /// The id that the kernel drew at this boot; nil if it cannot be read. A unit that hides the kernel's settings
  /// (`ProcSubset=pid`) passes it in the environment as `BOOT_ID`.
  public static let id: String? = {
    if let passed = getenv("BOOT_ID").map({ String(cString: $0) }), !passed.isEmpty { return passed }
    do throws(Errno) {
      return String(decoding: try Files.read("/proc/sys/kernel/random/boot_id", limit: 64), as: UTF8.self)
    } catch {
      return nil
    }
  }()
}
