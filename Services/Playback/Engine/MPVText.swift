import Messages
import Model

/// The texts of libmpv's commands and answers.
enum MPVText {
  /// Returns the options of one file in the form `name=%length%value`, in which no character of a value has a special
  /// meaning (manual of mpv 0.35, "Suboptions, escaping").
  static func options(of cue: Cue) -> String {
    // A start at 0 is left out: libmpv would jump there, and libavformat would then lose the data before the sound in
    // Ogg and MP4 streams.
    var options = cue.start > .zero ? ["start=\(cue.start.seconds)"] : []
    // libmpv buffers by itself only what it takes for a network stream.
    if cue.isStream { options.append("cache=yes") }
    if let gain = cue.gain {
      let filter = "lavfi=[volume=volume=\(gain)dB]"
      options.append("af=%\(filter.utf8.count)%\(filter)")
    }
    return options.joined(separator: ",")
  }

  /// Returns true if a locator can be opened safely: an absolute path, or an http address without control characters.
  static func accepts(_ locator: Library.Locator) -> Bool {
    switch locator {
    case .file(let path, _): return path.bytes.first == UInt8(ascii: "/") && !path.bytes.contains(0)
    case .url(let url, let headers, _, _):
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
