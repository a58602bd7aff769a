import CPlatform
import Glibc
import Model
import Synchronization
import System
import TestSupport
import Testing

/// A named pipe to which a room plays, and from which sound is taken at a steady speed, as a device takes it. A room
/// that plays to a file plays as fast as it can decode, so that nobody could change its queue in time.
final class PacedOutput: Sendable {
  let path: String
  private let collected = Mutex<(bytes: [UInt8], isOver: Bool)>(([], false))

  /// Creates the pipe. `speed` is the number of media seconds in a second, at 44.1 kHz.
  init(_ path: String, speed: Double = 12) throws {
    self.path = path
    try #require(mkfifo(path, 0o600) == 0)
    try SystemThread.start("listener") { self.listen(rate: speed * 44_100 * 4) }
  }

  /// The value of `LUNARA_AUDIO`.
  var setting: String { "pcm:\(path)" }

  /// True once the output was opened and closed again.
  var isOver: Bool { collected.withLock { $0.isOver } }

  /// The samples so far, as interleaved 16-bit numbers.
  var samples: [Int16] {
    get throws { try Audio.samples(in: collected.withLock { $0.bytes }) }
  }

  /// The number of sample pairs so far.
  var count: Int { collected.withLock { max(0, $0.bytes.count - 44) / 4 } }

  private func listen(rate: Double) {
    guard let file = fopen(path, "re") else { return }
    setvbuf(file, nil, _IONBF, 0)
    var buffer = [UInt8](repeating: 0, count: 8192)
    let start = ContinuousClock.now
    var total = 0.0
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { break }
      collected.withLock { $0.bytes += buffer.prefix(count) }
      total += Double(count)
      let ahead = total / rate - (ContinuousClock.now - start).secondsAsNumber
      if ahead > 0 { usleep(UInt32(ahead * 1e6)) }
    }
    fclose(file)
    collected.withLock { $0.isOver = true }
  }
}

extension Duration {
  fileprivate var secondsAsNumber: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
