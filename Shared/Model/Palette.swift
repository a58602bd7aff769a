/// The colours of a cover, each `#rrggbb`.
public struct Palette: Codable, Hashable, Sendable {
  /// The colour that stands out most.
  public var first: String
  /// Another one, well apart from the first.
  public var second: String
  /// A dark one that most of the picture agrees with: fit as a background.
  public var dark: String

  /// Makes a palette of three colours.
  public init(first: String, second: String, dark: String) {
    self.first = first
    self.second = second
    self.dark = dark
  }
}
