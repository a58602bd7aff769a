import HTTP
import Messages
import Model
import Plugins
import Text

/// A track that a plugin gave, checked and bounded.
struct FoundTrack: Sendable {
  /// The track for the choice among plugins.
  var source: TrackSource
  /// The plugin's own description, which its function `play` gets.
  var own: PluginValue
  /// The address at which it sounds, where the plugin gave one with it.
  var stream: StreamAddress?
  /// The address of its page at the service; nil if it has none.
  var page: String?
  /// True if the plugin gave an address at which it sounds.
  var isStream: Bool

  /// The track as a description, by which it can be queued.
  var described: DescribedTrack {
    DescribedTrack(
      title: source.title, artist: source.artist, album: source.album, duration: source.duration, isrc: source.isrc,
      location: page, cover: source.cover)
  }
}

/// An address that a room can play.
struct StreamAddress: Hashable, Sendable {
  var url: String
  var headers: [String: String]
  /// The time for which it holds; nil if unknown.
  var expiresIn: Milliseconds?
}

/// Reads what plugins answer. All of it is a stranger's: texts are cleaned and bounded, addresses are checked, and what
/// does not fit is left out.
enum SourceAnswers {
  private static let textLimit = 300
  private static let addressLimit = 2000
  private static let ownLimit = 64 << 10
  /// The ways to sound that a plugin can name: all but the first one are links here.
  private static let sourceKinds: Set = ["direct", "local", "spotify", "youtube", "embed"]
  /// The lengths with which services mean that they know none.
  private static let placeholders: [String: Double] = ["youtube": 180, "bandcamp": 210]

  /// Reads a list of tracks, at most `limit`.
  static func tracks(
    _ value: PluginValue, of plugin: String, for wanted: DescribedTrack? = nil, limit: Int
  ) -> [FoundTrack] {
    value.elements.prefix(limit).compactMap { track($0, of: plugin, for: wanted) }
  }

  /// Reads a track; nil for what is none.
  ///
  /// - Parameter wanted: the track that was looked for; nil if none was, as in a search.
  static func track(_ value: PluginValue, of plugin: String, for wanted: DescribedTrack?) -> FoundTrack? {
    guard value.isObject, let title = text(value["title"]) ?? text(value["name"]) else { return nil }
    // A way to sound that nobody knows is none.
    if wanted != nil, let kind = value["source"]?["type"]?.string, !sourceKinds.contains(kind) { return nil }
    let artist = text(value["artist"]) ?? value["artists"]?.elements.first.flatMap { text($0) } ?? ""
    let confidence =
      wanted.map { wanted in
        MatchConfidence.confidence(
          of: .init(artist: artist, title: title), for: .init(artist: wanted.artist, title: wanted.title),
          own: value["confidence"]?.number)
      } ?? 1
    var ids: [String: String] = [:]
    for id in SourceID.allCases {
      if let text = value[id.rawValue]?.string, !text.isEmpty, text.utf8.count <= 500 { ids[id.rawValue] = text }
    }
    let source = TrackSource(
      plugin: plugin, title: title, artist: artist, album: text(value["album"]),
      duration: duration(value["duration"]?.number, of: plugin), isrc: isrc(value["isrc"]?.string),
      cover: address(value["albumArt"] ?? value["cover"]), ids: ids, confidence: confidence)
    // A description that is too large is reduced to the ids by which a service finds the track again.
    let own = value.size <= ownLimit ? value : .object(ids.mapValues { .text($0) })
    let stream = stream(value)
    let pages = ["externalUrl", "youtubeUrl", "bandcampUrl", "soundcloudUrl", "url"].filter {
      $0 != "url" || address(value[$0]) != stream?.url
    }
    return FoundTrack(
      source: source, own: own, stream: stream,
      page: pages.lazy.compactMap { address(value[$0]) }.first ?? value["source"].flatMap(page),
      isStream: stream != nil)
  }

  /// Returns the page of a source that no room plays; nil for others.
  private static func page(of source: PluginValue) -> String? {
    func id(_ name: String) -> String? {
      source[name]?.string.flatMap { id in
        let isPlain = id.utf8.allSatisfy { $0 > 44 && $0 < 123 && $0 != 47 && $0 != 63 }
        return isPlain && (1...64).contains(id.utf8.count) ? id : nil
      }
    }
    return switch source["type"]?.string {
    case "embed": address(source["embedUrl"]) ?? address(source["url"])
    case "youtube": id("videoId").map { "https://www.youtube.com/watch?v=\($0)" }
    case "spotify": id("trackId").map { "https://open.spotify.com/track/\($0)" }
    default: nil
    }
  }

  /// Reads the address at which a track sounds, as a plugin gives it with a track or by `play`; nil for none. A path
  /// of a plugin opens nothing.
  static func stream(_ value: PluginValue) -> StreamAddress? {
    let own = value["source"] ?? value["sources"]?.elements.first { $0.isObject } ?? value
    guard own.isObject, let kind = own["type"]?.string, ["direct", "local"].contains(kind),
      let url = own["url"]?.string, let origin = Origin(url), url.utf8.count <= 8192, origin.host != "",
      url.utf8.allSatisfy({ $0 > 32 && $0 != 127 })
    else { return nil }
    var headers: [String: String] = [:]
    if case .object(let members)? = own["headers"] {
      for (name, value) in members.prefix(20) {
        guard let text = value.string, isHeader(name, text) else { continue }
        headers[name] = text
      }
    }
    let seconds = own["expiresIn"]?.number.map { max(0, min($0, 30 * 86_400)) }
    return StreamAddress(url: url, headers: headers, expiresIn: seconds.map { Milliseconds(Int64($0 * 1000)) })
  }

  /// Returns the tracks of the library that have these names, the one with the highest score first.
  static func ranked(_ tracks: [Track], for wanted: MatchConfidence.Names, album: String?) -> [Track] {
    let scored = tracks.compactMap { track in
      MatchConfidence.localScore(
        of: .init(artist: track.artist, title: track.title), album: track.album, for: wanted, album: album
      ).map { (score: $0, track: track) }
    }
    // The sort is stable: of equal ones the order of the library stays.
    return scored.sorted { $0.score > $1.score }.map(\.track)
  }

  // MARK: - Single values

  static func text(_ value: PluginValue?) -> String? {
    guard case .text(let text)? = value else { return nil }
    return PluginManifest.cleaned(text, textLimit)
  }

  /// Returns an address of http or https; nil for any other text.
  static func address(_ value: PluginValue?) -> String? {
    guard case .text(let url)? = value, url.utf8.count <= addressLimit, Origin(url) != nil,
      url.utf8.allSatisfy({ $0 > 32 && $0 != 127 })
    else { return nil }
    return url
  }

  private static func duration(_ seconds: Double?, of plugin: String) -> Milliseconds? {
    guard let seconds, seconds > 0, seconds < 86_400 * 7, placeholders[plugin] != seconds else { return nil }
    return Milliseconds(Int64(seconds * 1000))
  }

  private static func isrc(_ text: String?) -> String? {
    guard let code = text?.trimmed.uppercased(), code.utf8.count == 12 else { return nil }
    let bytes = Array(code.utf8)
    let (letters, digits) = (UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"))
    return bytes.prefix(2).allSatisfy(letters.contains)
      && bytes[2..<5].allSatisfy { letters.contains($0) || digits.contains($0) }
      && bytes[5...].allSatisfy(digits.contains) ? code : nil
  }

  private static func isHeader(_ name: String, _ value: String) -> Bool {
    let refused: Set = ["host", "content-length", "transfer-encoding", "connection", "range", "cookie"]
    return !name.isEmpty && name.utf8.count <= 100 && value.utf8.count <= 4096
      && name.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: ":") }
      && value.utf8.allSatisfy { $0 >= 32 && $0 != 127 } && !refused.contains(name.lowercased())
  }
}
