public import Messages
public import Model
import Text

/// Reads lists in JSON: JSPF, also as ListenBrainz and other services wrap it, and plain lists of `tracks`.
enum JSPFReader {
  static func read(_ bytes: [UInt8], name: String) throws(LunaraError) -> ListFile {
    let plain = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard let whole = JSONView(plain) else {
      throw LunaraError("library.badListFile", "\(name) is no playlist that can be read: it is no valid JSON.")
    }
    let outer = whole["payload"] ?? whole
    let inner = outer["jspf"] ?? outer
    let list = inner["playlist"] ?? inner
    let isPlain = list["track"] == nil
    guard let entries = list["track"] ?? list["tracks"] ?? (list.isObject ? nil : list) else {
      throw LunaraError("library.badListFile", "\(name) is no playlist that can be read: it has no list of tracks.")
    }
    var result = ListFile(
      title: (list["title"] ?? list["name"])?.string?.trimmed,
      summary: (list["annotation"] ?? list["description"])?.string?.trimmed)
    for entry in entries.elements {
      try result.append(isPlain ? plainTrack(entry) : track(entry), name: name)
    }
    return result
  }

  fileprivate static func track(_ entry: JSONView) -> DescribedTrack {
    var track = DescribedTrack(title: "", artist: "")
    for (name, value) in entry.members {
      let name = name.lowercased()
      // Each may be a text or a list of them.
      let texts = value.string.map { [$0] } ?? value.elements.compactMap { $0.string ?? $0["name"]?.string }
      if name == "creator" {
        track.artist = texts.joined(separator: ", ").trimmed
      } else {
        for text in texts { XSPFTrack.set(name, text.trimmed, of: &track) }
      }
    }
    return track
  }

  /// Reads a track of a plain list, whose fields have no agreed names.
  private static func plainTrack(_ entry: JSONView) -> DescribedTrack {
    if let words = entry.string {
      let (artist, title) = M3UReader.names(words)
      return DescribedTrack(title: title, artist: artist)
    }
    let artists = entry["artist"] ?? entry["creator"] ?? entry["artists"]
    let names = artists?.string.map { [$0] } ?? artists?.elements.compactMap { $0.string ?? $0["name"]?.string }
    let album = entry["album"]
    let location = entry["location"] ?? entry["path"] ?? entry["url"] ?? entry["file"]
    return DescribedTrack(
      title: (entry["title"] ?? entry["name"])?.string?.trimmed ?? "",
      artist: names?.joined(separator: ", ").trimmed ?? "", album: album?.string?.trimmed ?? album?["title"]?.string,
      duration: duration(entry), isrc: entry["isrc"]?.string.flatMap(RecordingCodes.isrc),
      recordingID: (entry["recordingID"] ?? entry["recording_mbid"] ?? entry["mbid"])?.string
        .flatMap(RecordingCodes.recordingID), location: location?.string)
  }

  /// Returns a length in milliseconds: the unit is in the name, or else small numbers are seconds.
  private static func duration(_ entry: JSONView) -> Milliseconds? {
    let milliseconds = (entry["durationMs"] ?? entry["duration_ms"])?.number
    let seconds = (entry["durationSeconds"] ?? entry["duration_seconds"])?.number.map { $0 * 1000 }
    let unclear = entry["duration"]?.number.map { $0 < 10_000 ? $0 * 1000 : $0 }
    guard let value = milliseconds ?? seconds ?? unclear, value > 0, value < 1e9 else { return nil }
    return Milliseconds(Int64(value))
  }
}

extension DescribedTrack {
  /// Creates a description of an element of `track` of a JSPF playlist, such as those of ListenBrainz.
  public init(jspf entry: JSONView) { self = JSPFReader.track(entry) }
}
