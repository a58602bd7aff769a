public import Model

/// The kinds of things that addresses of music services name. They are recognised by the words in the address,
/// whichever plugin opens it.
public enum ServiceURLKind: String, TolerantName {
  case track, album, playlist, artist, unknown

  /// Tells the kind of an address. Upper and lower case differ.
  public init(of address: String) {
    func has(_ words: String...) -> Bool { words.contains { address.contains($0) } }
    if has("spotify"),
      let kind = [Self.album, .playlist, .track].first(where: { has("/\($0.rawValue)/", "spotify:\($0.rawValue):") })
    {
      self = kind
    } else if has("music.apple.com", "itunes.apple.com"), has("/playlist/", "/album/", "/song/") {
      self = has("/playlist/") ? .playlist : has("/album/") && !has("?i=") ? .album : .track
    } else if has("youtube.com", "youtu.be") {
      self = has("/playlist?list=", "&list=") ? .playlist : .track
    } else if has("bandcamp.com"), has("/album/", "/track/") {
      self = has("/album/") ? .album : .track
    } else if has("soundcloud.com") {
      self = Self.soundCloud(address)
    } else {
      self = .unknown
    }
  }

  /// Tells the kind of an address of SoundCloud by the segments of its path.
  private static func soundCloud(_ address: String) -> Self {
    if address.contains("/sets/") { return .playlist }
    // Only these beginnings are taken off. Of any other address the host counts as a segment, so that the short
    // addresses of the host `on` and those without a scheme are tracks.
    let beginnings = ["https", "http"].flatMap { ["\($0)://soundcloud.com/", "\($0)://www.soundcloud.com/"] }
    let beginning = beginnings.first { address.hasPrefix($0) } ?? ""
    let segments = address.dropFirst(beginning.count).prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    return segments.isEmpty ? .unknown : segments.count == 1 ? .artist : .track
  }
}
