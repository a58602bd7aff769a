import Glibc
import Model
import Synchronization
import System
import Testing

@testable import Sources

/// Real audio files, made by ffmpeg.
enum FFmpeg {
  /// Encodes two seconds of a sine into the format of the file's extension.
  static func sine(_ path: String, _ options: [String] = []) async throws {
    try await run(["-f", "lavfi", "-i", "sine=frequency=440:duration=2"] + options + [path])
  }

  /// Makes a small picture.
  static func picture(_ path: String) async throws {
    try await run(["-f", "lavfi", "-i", "testsrc=size=32x32", "-frames:v", "1", path])
  }

  static func run(_ words: [String]) async throws {
    let status = Status()
    await BlockingThreads.run(1) {
      var arguments = (["ffmpeg", "-v", "error", "-nostdin", "-y"] + words).map { strdup($0) } + [nil]
      defer { for argument in arguments { free(argument) } }
      var pid = pid_t()
      guard posix_spawnp(&pid, "ffmpeg", nil, nil, &arguments, environ) == 0 else { return }
      var ending: Int32 = 0
      while waitpid(pid, &ending, 0) < 0 && errno == EINTR {}
      status.set(ending)
    }
    try #require(status.value != nil, "ffmpeg is needed for these tests: apt install ffmpeg")
    try #require(status.value == 0, "ffmpeg failed at \(words)")
  }
}

/// A child's exit status, set by the thread that waits for it.
private final class Status: Sendable {
  private let ending = Mutex<Int32?>(nil)

  var value: Int32? { ending.withLock { $0 } }

  func set(_ value: Int32) { ending.withLock { $0 = value } }
}
