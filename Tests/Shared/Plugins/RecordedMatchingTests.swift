import Foundation
import Messages
import Plugins
import TestSupport
import Testing

/// The recorded decisions of the program that plugins were written for.
@Suite(
  .enabled(
    if: RecordedAnswers.folder != nil, "needs the recordings of real servers: set LUNARA_RECORDINGS to their folder"))
struct RecordedMatchingTests {
  /// The patterns of the plugins in the recording, in the order in which these were loaded.
  private static let patterns = [
    (
      "spotify",
      [
        "open.spotify.com/track/*", "open.spotify.com/album/*", "open.spotify.com/playlist/*",
        "open.spotify.com/intl-*/track/*", "open.spotify.com/intl-*/album/*", "open.spotify.com/intl-*/playlist/*",
        "spotify:track:*", "spotify:album:*", "spotify:playlist:*",
      ]
    ),
    ("bandcamp", ["*.bandcamp.com/track/*", "*.bandcamp.com/album/*"]),
    (
      "youtube",
      [
        "youtube.com/watch?v=*", "www.youtube.com/watch?v=*", "youtu.be/*", "music.youtube.com/watch?v=*",
        "m.youtube.com/watch?v=*", "youtube.com/playlist?list=*", "www.youtube.com/playlist?list=*",
        "music.youtube.com/playlist?list=*",
      ]
    ),
    ("soundcloud", ["soundcloud.com/*", "*.soundcloud.com/*"]),
    (
      "applemusic",
      [
        "music.apple.com/*/album/*/*", "music.apple.com/*/song/*/*", "music.apple.com/*/playlist/*/*",
        "itunes.apple.com/*",
      ]
    ),
  ]

  private func cases(_ name: String) throws -> [JSONView] {
    let folder = try #require(RecordedAnswers.folder)
    let bytes = Array(try Data(contentsOf: URL(filePath: "\(folder)/plugins/\(name)")))
    let view = try #require(JSONView(bytes))
    #expect(view.elements.count > 10)
    return view.elements
  }

  @Test func addressesFindTheirPluginAndKind() throws {
    var matcher = URLMatcher()
    for (plugin, texts) in Self.patterns { matcher.set(texts, of: plugin) }
    for one in try cases("url-match.json") {
      let url = try #require(one["url"]?.string)
      #expect(matcher.plugin(for: url) == one["resolver"]?.string, "\(url)")
      #expect(ServiceURLKind(of: url).rawValue == one["type"]?.string, "\(url)")
    }
  }

  @Test func foundTracksHaveTheRecordedConfidence() throws {
    for one in try cases("confidence.json") {
      func names(_ view: JSONView?) throws -> MatchConfidence.Names {
        MatchConfidence.Names(
          artist: try #require(view?["artist"]?.string), title: try #require(view?["title"]?.string))
      }
      let (wanted, found) = (try names(one["target"]), try names(one["found"]))
      let own = one["found"]?["confidence"]?.number
      #expect(MatchConfidence.confidence(of: found, for: wanted, own: own) == one["confidence"]?.number)
      guard let norm = one["norm"]?.elements.compactMap(\.string) else { continue }
      #expect([wanted.artist, wanted.title, found.artist, found.title] == norm)
    }
  }
}
