import CMPV
import Glibc
import Model

/// The loaded libmpv. It stays loaded until the process ends: libraries that started threads cannot be unloaded.
struct MPVLibrary: Sendable {
  private let functions: lunara_mpv

  /// Loads it.
  ///
  /// - Throws: `playback.engineMissing`.
  init(_ file: String = "libmpv.so.2") throws(LunaraError) {
    // libmpv refuses to work where numbers are written with a decimal comma (client.h, "Basic environment
    // requirements").
    setlocale(LC_NUMERIC, "C")
    var functions = lunara_mpv()
    let fault = lunara_mpv_load(&functions, file).map { String(cString: $0) }
    guard fault == nil, lunara_mpv_version(&functions) >> 16 == 2 else {
      throw LunaraError(
        "playback.engineMissing", "The player library \(file) cannot be used. Install Debian's libmpv2, then resume.",
        cause: fault ?? "it speaks another version of its interface")
    }
    lunara_mpv_quieten_alsa()
    self.functions = functions
  }

  /// Lends the table of functions.
  func with<T>(_ body: (UnsafePointer<lunara_mpv>) throws -> T) rethrows -> T {
    try withUnsafePointer(to: functions, body)
  }
}
