import Glibc
import Messages
import Model

/// Lets the chord be heard where a room's music would be, by a player of its own: the room's own player, with what it
/// holds and has opened in advance, is not touched, and nothing of it is a listen.
struct TestSound: Sendable {
  let output: AudioOutput
  /// Where the file lies while it is played.
  let path: String
  /// What is played, as a WAV file.
  var file: @Sendable () -> [UInt8] = { Chord.wav(Chord.samples) }
  /// How long it may take until all of it was heard.
  var patience = Duration.seconds(12)

  /// Whether the sound can go where a player that holds its music has its output open: a file can be written by one only.
  var canShareOutput: Bool {
    if case .file = output.kind { false } else { true }
  }

  /// Plays it, and returns when it has been heard; at once where the task is cancelled.
  ///
  /// - Parameters:
  ///   - device: the output that was chosen; nil for the first that works.
  ///   - volume: in percent.
  /// - Throws: `playback.noOutput`, `playback.engineMissing`, `playback.engineFailed`, `playback.noTestSound`.
  func play(on device: String?, volume: Int) async throws {
    try write(file())
    defer { unlink(path) }
    let engine = MPVEngine(output: output, volume: volume, linger: .zero)
    engine.send(.output(device))
    engine.send(.play(Cue(id: CueID(number: 1), locator: .file(LocalPath(path)), start: .zero), paused: false))
    let limit = Task {
      try await Task.sleep(for: patience)
      await engine.close()
    }
    var failure: LunaraError?
    var hasEnded = false
    for await report in engine.reports {
      switch report.event {
      case .ended, .exhausted: hasEnded = true
      case .failed(_, let error), .outputFailed(let error), .outputLost(let error): failure = error
      default: continue
      }
      break
    }
    limit.cancel()
    await engine.close()
    if let failure { throw failure }
    guard hasEnded || Task.isCancelled else {
      throw LunaraError(
        "playback.noTestSound", "The output takes the test sound but does not play it. `lunara output` chooses another."
      )
    }
  }

  private func write(_ bytes: [UInt8]) throws(LunaraError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    defer { if descriptor >= 0 { close(descriptor) } }
    var written = 0
    while descriptor >= 0, written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
      }
      guard count > 0 else { break }
      written += count
    }
    guard written == bytes.count else {
      throw LunaraError(
        "playback.noTestSound", "The test sound cannot be written. Check that the disk has room and can be written to.",
        cause: String(cString: strerror(errno)))
    }
  }
}
