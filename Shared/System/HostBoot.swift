/// The present boot of this host.
public enum HostBoot {
  /// The id that the kernel drew at this boot; nil if it cannot be read.
  public static let id: String? = {
    do throws(Errno) {
      return String(decoding: try Files.read("/proc/sys/kernel/random/boot_id", limit: 64), as: UTF8.self)
    } catch {
      return nil
    }
  }()
}
