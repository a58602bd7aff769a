import Messages
import Model

/// The texts of libmpv's commands and answers.
enum MPVText {
  /// Returns the options of one file in the form `name=%length%value`, in which no character of a value has a special
  /// meaning (manual of mpv 0.35, "Suboptions, escaping").
  ///
  /// - Parameter isBuffered: true to read ahead as far as the buffer goes.
  static func options(of cue: Cue, isBuffered: Bool) -> String {
    // A start at 0 is left out: libmpv would jump there, and libavformat would then lose the data before the sound in
    // Ogg and MP4 streams.
    var options: [String] = []
    if cue.start > .zero || cue.locator.segment.map({ $0.start > 0 }) ?? false {
      options.append("start=\(seconds(of: cue.start, in: cue))")
    }
    if let end = end(of: cue) { options.append("end=\(end)") }
    // libmpv buffers by itself only what it takes for a network stream.
    if isBuffered { options.append("cache=yes") }
    if let gain = cue.gain {
      let filter = "lavfi=[volume=volume=\(gain)dB]"
      options.append("af=%\(filter.utf8.count)%\(filter)")
    }
    return options.joined(separator: ",")
  }

  /// Returns a position in a cue as seconds in its file.
  static func seconds(of position: Milliseconds, in cue: Cue) -> String {
    guard let segment = cue.locator.segment else { return "\(position.seconds)" }
    let beyond = max(0, min(position.rawValue, 1 << 40))
    guard beyond > 0 else { return segment.start > 0 ? SampleTime.text(segment.start, segment.sampleRate) : "0" }
    return SampleTime.text(segment.start, segment.sampleRate, beyond: beyond)
  }

  /// Returns the end of a cue as seconds in its file; nil if the cue ends with the file.
  static func end(of cue: Cue) -> String? {
    cue.locator.segment.flatMap { segment in segment.end.map { SampleTime.text($0, segment.sampleRate) } }
  }

  /// Returns true if a locator can be opened safely: an absolute path, or an http address without control characters.
  static func accepts(_ locator: Library.Locator) -> Bool {
    guard locator.segment?.isPlayable ?? true else { return false }
    switch locator {
    case .file(let path, _): return path.bytes.first == UInt8(ascii: "/") && !path.bytes.contains(0)
    case .url(let url, let headers, _, _, _):
      let isClean = { (text: String) in !text.utf8.contains { $0 < 32 || $0 == 127 } }
      return (url.hasPrefix("http://") || url.hasPrefix("https://")) && isClean(url)
        && headers.allSatisfy { isClean($0.key) && isClean($0.value) && !$0.key.contains(":") }
    }
  }

  static func everyDevice(_ json: String) -> [Playback.OutputDevice] {
    (JSONView(Array(json.utf8))?.elements ?? []).compactMap { row in
      guard let name = row["name"]?.string else { return nil }
      return Playback.OutputDevice(name: name, title: row["description"]?.string ?? name)
    }
  }

  /// Returns the devices of libmpv's list that people can choose, without ALSA's conversions and sound servers.
  static func devices(_ json: String) -> [Playback.OutputDevice] {
    let all = everyDevice(json)
    // With PipeWire, the driver for PulseAudio lists the same devices again.
    let hasPipeWire = all.contains { $0.name.hasPrefix("pipewire/") }
    return all.filter { device in
      guard let slash = device.name.firstIndex(of: "/") else { return false }
      switch device.name[..<slash] {
      case "pipewire": return true
      case "pulse": return !hasPipeWire
      case "alsa":
        let kind = device.name[device.name.index(after: slash)...].prefix { $0 != ":" }
        return ["hw", "plughw", "sysdefault", "hdmi", "iec958"].contains(kind) && device.name.contains(":")
      default: return false
      }
    }
  }

  /// Returns a message of libmpv on one line, with its addresses replaced, as they may contain secrets.
  static func complaint(_ text: String) -> String {
    text.split { $0 == " " || $0 == "\n" }
      .map { word in isAddress(word.utf8) ? "…" : String(word) }
      .joined(separator: " ")
  }

  private static func isAddress(_ word: Substring.UTF8View) -> Bool {
    word.indices.contains { word[$0...].starts(with: "://".utf8) }
  }
}

/// Times of samples for libmpv.
enum SampleTime {
  /// Returns the time of a sample in seconds, and so many milliseconds later.
  ///
  /// The time is half a sample later than that of the sample. libmpv rounds down to samples, so a start at this time
  /// begins with the sample, and an end at this time leaves out the sample and all that follow.
  static func text(_ sample: Int64, _ rate: Int, beyond milliseconds: Int64 = 0) -> String {
    let (doubled, period) = (2 * sample + 1, 2 * Int64(rate))
    var (seconds, nanoseconds) = (doubled / period, doubled % period * 1_000_000_000 / period)
    seconds += milliseconds / 1000
    nanoseconds += milliseconds % 1000 * 1_000_000
    seconds += nanoseconds / 1_000_000_000
    let digits = "\(nanoseconds % 1_000_000_000)"
    return "\(seconds).\(String(repeating: "0", count: 9 - digits.count))\(digits)"
  }
}
