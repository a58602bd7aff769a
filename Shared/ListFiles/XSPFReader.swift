import CExpat
import Model
import Text

/// Reads XSPF files by expat. A file with a DOCTYPE is refused, since its entities could expand to a very large text.
enum XSPFReader {
  static func read(_ bytes: [UInt8], name: String) throws(LunaraError) -> ListFile {
    guard let parser = XML_ParserCreate(nil) else { throw bad(name, "there is too little memory") }
    defer { XML_ParserFree(parser) }
    let builder = Builder()
    XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
    XML_SetElementHandler(
      parser, { context, name, _ in Builder.at(context)?.begin(name) }, { context, _ in Builder.at(context)?.end() })
    XML_SetCharacterDataHandler(parser) { Builder.at($0)?.add($1, $2) }
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in Builder.at(context)?.hasDoctype = true }
    let status = bytes.withUnsafeBytes { bytes in
      XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
    }
    return try withExtendedLifetime(builder) { () throws(LunaraError) in
      guard !builder.hasDoctype else { throw bad(name, "it has a DOCTYPE, which a playlist does not need") }
      guard status == XML_STATUS_OK else {
        throw bad(name, "line \(XML_GetCurrentLineNumber(parser)) is no valid XML")
      }
      guard builder.isPlaylist else { throw bad(name, "its first element is no playlist") }
      guard builder.list.tracks.count <= ListFile.mostEntries else { throw ListFile.tooLarge(name) }
      return builder.list
    }
  }

  private static func bad(_ name: String, _ reason: String) -> LunaraError {
    LunaraError("library.badListFile", "\(name) is no playlist that can be read: \(reason).")
  }

  private final class Builder {
    var list = ListFile()
    var hasDoctype = false
    var isPlaylist = false
    /// The names of the open elements, without prefixes, in small letters.
    private var open: [String] = []
    private var text = ""
    private var track = DescribedTrack(title: "", artist: "")

    static func at(_ context: UnsafeMutableRawPointer?) -> Builder? {
      context.map { Unmanaged<Builder>.fromOpaque($0).takeUnretainedValue() }
    }

    func begin(_ name: UnsafePointer<CChar>?) {
      let whole = name.map { String(cString: $0) } ?? ""
      open.append(whole.split(separator: ":").last.map { $0.lowercased() } ?? "")
      text = ""
      if open == ["playlist"] { isPlaylist = true }
      if open == ["playlist", "tracklist", "track"] { track = DescribedTrack(title: "", artist: "") }
    }

    func add(_ bytes: UnsafePointer<CChar>?, _ count: Int32) {
      // Only elements whose text is used are this deep.
      guard let bytes, open.count == 2 || open.count == 4, text.utf8.count < 1 << 16 else { return }
      text += String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    func end() {
      let value = text.trimmed
      text = ""
      switch open {
      case ["playlist", "title"]: list.title = value
      case ["playlist", "annotation"]: list.summary = value
      case ["playlist", "tracklist", "track"]:
        // One too many is kept, so that the file is refused.
        if list.tracks.count <= ListFile.mostEntries { list.tracks.append(track) }
      case let names where names.count == 4 && names.starts(with: ["playlist", "tracklist", "track"]):
        XSPFTrack.set(names[3], value, of: &track)
      default: break
      }
      open.removeLast()
    }
  }
}

/// The fields of a track in XSPF and JSPF.
enum XSPFTrack {
  /// Sets a field by its name in small letters. Of several locations the first counts.
  static func set(_ name: String, _ value: String, of track: inout DescribedTrack) {
    guard !value.isEmpty else { return }
    switch name {
    case "title": track.title = value
    case "creator": track.artist = value
    case "album": track.album = value
    case "duration": track.duration = Int64(value).flatMap { $0 > 0 && $0 < 1_000_000_000 ? Milliseconds($0) : nil }
    case "location": if track.location == nil { track.location = location(value) }
    case "identifier": identify(&track, by: value)
    default: break
    }
  }

  /// Returns the path of a relative reference; other addresses stay.
  private static func location(_ uri: String) -> String {
    // RFC 3986, 3.1: a scheme begins with a letter and ends at the first colon, before any slash.
    let scheme = uri.prefix { $0 != "/" && $0 != ":" }
    let hasScheme = scheme.count > 1 && scheme.endIndex < uri.endIndex && uri[scheme.endIndex] == ":"
    guard !hasScheme, let bytes = PercentCoding.decode(uri), let path = String(validating: bytes, as: UTF8.self) else {
      return uri
    }
    return path
  }

  /// Takes the ids of recordings out of identifiers such as `https://musicbrainz.org/recording/…` and `urn:isrc:…`.
  private static func identify(_ track: inout DescribedTrack, by identifier: String) {
    let text = identifier.lowercased()
    if let range = text.firstRange(of: "musicbrainz.org/recording/") {
      track.recordingID = RecordingCodes.recordingID(String(text[range.upperBound...].prefix(36)))
    } else if let range = text.firstRange(of: "isrc:") {
      track.isrc = RecordingCodes.isrc(String(text[range.upperBound...]))
    } else if let id = RecordingCodes.recordingID(text) {
      track.recordingID = id
    }
  }
}
