import CMPV
import Model

/// The moments in which libmpv's core waits for us, so that its answers wait for nothing.
extension MPVPlayer {
  /// A file was opened and nothing of it is decoded yet.
  ///
  /// libavformat 59 leaves out the silence that an encoder put before the sound of an MP4 file, and not the one behind it,
  /// which makes a gap of up to 23 ms. So playing is told to end where the sound does.
  func opened(_ hook: UInt64) -> PlayerSignal? {
    isOpened = true
    defer { goOn(hook) }
    guard let format = text("file-format"), format.split(separator: ",").contains("mp4"),
      let duration = number("duration"), let rate = number("track-list/0/demux-samplerate"),
      let end = SoundEnd.of(duration: duration, rate: rate, gapless: text("metadata/by-key/iTunSMPB"))
    else { return nil }
    library.with { _ = lunara_mpv_put($0, handle, "file-local-options/end", "\(end)") }
    return nil
  }

  /// A file is about to be closed: the only moment to learn where its decoded sound ended. Where its stream broke, what
  /// is next in the list must not begin, for the room goes on with this one.
  func unloading(_ hook: UInt64) -> PlayerSignal {
    let end = number("time-pos")
    let sounded = hasRestarted ? end ?? .infinity : 0
    if isBroken, isOpened, let duration = number("duration"), sounded + Self.cutTolerance < duration {
      run(["playlist-clear"])
    }
    goOn(hook)
    return .unloading(end: end)
  }

  /// By how many seconds a stream may be shorter than its header says without being cut.
  private static let cutTolerance = 0.5

  private func goOn(_ hook: UInt64) { library.with { _ = lunara_mpv_continue($0, handle, hook) } }

  private func number(_ name: String) -> Double? {
    var value = 0.0
    let code = library.with { lunara_mpv_get_number($0, handle, name, &value) }
    return code < 0 ? nil : value
  }

  private func text(_ name: String) -> String? {
    library.with { mpv in
      guard let text = lunara_mpv_get_text(mpv, handle, name) else { return nil }
      defer { lunara_mpv_free(mpv, text) }
      return String(cString: text)
    }
  }
}

/// Where the sound of an MP4 file ends.
enum SoundEnd {
  /// The end in seconds, half a sample behind the last one; nil where nothing is known that can be trusted.
  ///
  /// - Parameters:
  ///   - duration: what the file's header says, in seconds; often whole milliseconds.
  ///   - rate: samples a second.
  ///   - gapless: what iTunes and most encoders beside FFmpeg note: four hexadecimal numbers, the last of which is that of
  ///     the samples between the silence before and behind them.
  static func of(duration: Double, rate: Double, gapless: String?) -> Double? {
    guard duration.isFinite, duration > 0, rate.isFinite, rate >= 1000 else { return nil }
    let words = (gapless ?? "").split(separator: " ")
    if words.count >= 4, let samples = UInt64(words[3], radix: 16) {
      let exact = Double(samples) / rate
      // A number that has to do with the file, and not with one that this was cut out of.
      if abs(exact - duration) < 0.25 { return exact + 0.5 / rate }
    }
    return duration + 0.5 / rate
  }
}
