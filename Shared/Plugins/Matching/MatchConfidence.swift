import Text

/// The rules by which a track that a plugin found is the one that was looked for.
public enum MatchConfidence {
  /// The least confidence with which a source is used.
  public static let floor = 0.6
  /// The confidence of a track whose artist and title fit.
  public static let fitting = 0.95
  /// The confidence of every other track.
  public static let other = 0.5

  /// The names of a track in the form in which they are compared.
  public struct Names: Hashable, Sendable {
    /// The artist.
    public var artist: String
    /// The title.
    public var title: String

    public init(artist: String, title: String) {
      self.artist = artist.matchingForm
      self.title = title.matchingForm
    }

    /// Returns true if the artists contain one another, either way, and the titles do. An empty name fits nothing.
    public func fit(_ other: Names) -> Bool {
      Self.contain(artist, other.artist) && Self.contain(title, other.title)
    }

    private static func contain(_ one: String, _ other: String) -> Bool {
      guard !one.isEmpty, !other.isEmpty else { return false }
      // By bytes, as the normal form has no composed characters.
      return one.utf8.contains(other.utf8) || other.utf8.contains(one.utf8)
    }
  }

  /// Returns the confidence that a found track is the wanted one, from 0 to 1.
  ///
  /// - Parameters:
  ///   - found: the names of the track that a plugin found.
  ///   - wanted: the names of the track that is looked for.
  ///   - own: the confidence that the plugin itself gives. It counts only from 0.95 on, and only for a track that fits.
  public static func confidence(of found: Names, for wanted: Names, own: Double?) -> Double {
    guard found.fit(wanted) else { return other }
    guard let own, own >= fitting else { return fitting }
    return min(own, 1)
  }

  /// Returns the score of a track of the library for a wanted one: 100 points for the same title, 50 for the same
  /// artist and 25 for the same album; nil where artist or title do not fit.
  public static func localScore(of found: Names, album: String?, for wanted: Names, album wantedAlbum: String?) -> Int?
  {
    guard found.fit(wanted) else { return nil }
    let sameAlbum = wantedAlbum.map { !$0.isEmpty && $0.matchingForm == album?.matchingForm } ?? false
    return (found.title == wanted.title ? 100 : 0) + (found.artist == wanted.artist ? 50 : 0) + (sameAlbum ? 25 : 0)
  }
}
