import CPlatform
import Glibc

/// What a picture that takes over this process, or that grows without end, may not do.
enum Confinement {
  /// How many bytes may be addressed: what the largest picture that is taken needs, some times over.
  private static let memory: UInt64 = 3 << 30
  /// How large a file may be written.
  private static let file: UInt64 = 64 << 20

  /// Gives up what making thumbnails does not need. Music comes first, so other processes do as well.
  static func enter() {
    lunara_confine(memory, file)
    // A file that grew too large is an error like any other.
    signal(SIGXFSZ, SIG_IGN)
  }
}
