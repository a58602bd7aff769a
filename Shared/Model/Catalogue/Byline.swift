/// A title with its artist in a sentence.
public enum Byline {
  /// Returns a text such as `Blue by Ada`; the title alone if no artist is known.
  public static func text(_ title: String, _ artist: String) -> String {
    artist.isEmpty ? title : "\(title) by \(artist)"
  }

  /// Returns a text such as `“Blue” by Ada`; the title alone, in quotation marks, if no artist is known.
  public static func quoted(_ title: String, _ artist: String) -> String { text("“\(title)”", artist) }
}
