import Messages
import Model
import Text

/// Writes playlists as files that other programs open. The locations of the tracks are absolute paths, `file:` URLs or
/// addresses.
public struct ListFileWriter: Sendable {
  /// The format.
  public var format: ListFileFormat
  /// The folder to which paths are written relatively, without a slash at its end; nil for absolute paths.
  public var folder: String?

  public init(_ format: ListFileFormat, relativeTo folder: String? = nil) {
    self.format = format
    self.folder = folder
  }

  /// Returns the contents of a file, in UTF-8. PLS has no entries without a file, so they are left out there.
  public func text(of list: ListFile) throws -> String {
    switch format {
    case .m3u: m3u(list)
    case .pls: pls(list)
    case .xspf: xspf(list)
    case .jspf: try jspf(list)
    }
  }

  private func m3u(_ list: ListFile) -> String {
    var lines = ["#EXTM3U"]
    if let title = list.title { lines.append("#PLAYLIST:\(Self.line(title))") }
    for track in list.tracks {
      let seconds = track.duration.map { max(1, ($0.rawValue + 500) / 1000) } ?? -1
      lines.append("#EXTINF:\(seconds),\(Self.names(track))")
      if let album = track.album { lines.append("#EXTALB:\(Self.line(album))") }
      lines.append(track.location.map(path) ?? M3UReader.missing)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func pls(_ list: ListFile) -> String {
    var lines = ["[playlist]"]
    let tracks = list.tracks.filter { $0.location != nil }
    for (index, track) in tracks.enumerated() {
      lines.append("File\(index + 1)=\(track.location.map(path) ?? "")")
      lines.append("Title\(index + 1)=\(Self.names(track))")
      lines.append("Length\(index + 1)=\(track.duration.map { max(1, ($0.rawValue + 500) / 1000) } ?? -1)")
    }
    lines += ["NumberOfEntries=\(tracks.count)", "Version=2"]
    return lines.joined(separator: "\n") + "\n"
  }

  private func xspf(_ list: ListFile) -> String {
    func element(_ name: String, _ text: String?, indent: String) -> String {
      text.map { "\(indent)<\(name)>\(Self.escaped($0))</\(name)>\n" } ?? ""
    }
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <playlist version="1" xmlns="http://xspf.org/ns/0/">

      """
    text += element("title", list.title, indent: "  ") + element("annotation", list.summary, indent: "  ")
    text += "  <trackList>\n"
    for track in list.tracks {
      text += "    <track>\n"
      text += element("location", track.location.map(uri), indent: "      ")
      for identifier in Self.identifiers(of: track) { text += element("identifier", identifier, indent: "      ") }
      text += element("title", track.title.isEmpty ? nil : track.title, indent: "      ")
      text += element("creator", track.artist.isEmpty ? nil : track.artist, indent: "      ")
      text += element("album", track.album, indent: "      ")
      text += element("duration", track.duration.map { "\($0.rawValue)" }, indent: "      ")
      text += "    </track>\n"
    }
    return text + "  </trackList>\n</playlist>\n"
  }

  private func jspf(_ list: ListFile) throws -> String {
    let tracks = list.tracks.map { track in
      JSPFTrack(
        location: track.location.map { [uri($0)] }, identifier: Self.identifiers(of: track), title: track.title,
        creator: track.artist, album: track.album, duration: track.duration?.rawValue)
    }
    let document = JSPFDocument(playlist: .init(title: list.title, annotation: list.summary, track: tracks))
    return String(decoding: try MessageCoding.encode(document), as: UTF8.self) + "\n"
  }

  private struct JSPFDocument: Encodable {
    struct List: Encodable {
      var title: String?
      var annotation: String?
      var track: [JSPFTrack]
    }
    var playlist: List
  }

  private struct JSPFTrack: Encodable {
    var location: [String]?
    var identifier: [String]
    var title: String
    var creator: String
    var album: String?
    var duration: Int64?
  }
}

/// The parts of entries.
extension ListFileWriter {
  private static func identifiers(of track: DescribedTrack) -> [String] {
    [
      track.recordingID.map { "https://musicbrainz.org/recording/\($0)" }, track.isrc.map { "urn:isrc:\($0)" },
    ].compactMap(\.self)
  }

  private static func names(_ track: DescribedTrack) -> String {
    line(track.artist.isEmpty ? track.title : "\(track.artist) - \(track.title)")
  }

  /// Returns a text in one line.
  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ").trimmed
  }

  /// Returns a location as a line of M3U and PLS has it.
  private func path(_ location: String) -> String {
    guard location.hasPrefix("/") else { return location }
    // A name with a line break can only be written as a URL.
    guard !location.contains(where: \.isNewline) else { return LocalPath(location).url }
    guard let relative = relative(location) else { return location }
    // A path that begins with # would be a comment, and readers often drop spaces at the ends.
    return relative.hasPrefix("#") || relative.hasPrefix(" ") ? "./\(relative)" : relative
  }

  /// Returns a location as a URI.
  private func uri(_ location: String) -> String {
    guard location.hasPrefix("/") else { return location }
    guard let relative = relative(location) else { return LocalPath(location).url }
    let encoded = PercentCoding.encode(relative, keeping: "/")
    return encoded
  }

  /// Returns the path relative to the folder; nil where absolute paths are written.
  private func relative(_ path: String) -> String? {
    guard let folder, folder.hasPrefix("/") else { return nil }
    let from = folder.split(separator: "/")
    let to = path.split(separator: "/")
    let common = zip(from, to).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: from.count - common) + to.dropFirst(common)).joined(separator: "/")
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      // XML 1.0 has no other control characters, and no non-characters.
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
      case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
