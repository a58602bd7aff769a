/// A person's rating of an item, in half stars: 0 to 10, where 10 is five stars. Encoded as that number.
public struct Rating: RawRepresentable, Codable, Hashable, Sendable, Comparable {
  /// The number of half stars, 0 to 10.
  public var rawValue: Int

  /// Creates a rating of this number of half stars; nil unless it is 0 to 10.
  public init?(rawValue: Int) {
    guard (0...10).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// Creates a rating from stars, such as 4 or 3.5; nil unless they are 0 to 5 in steps of a half.
  public init?(stars: Double) {
    guard stars.isFinite, (0...5).contains(stars), (stars * 2).rounded() == stars * 2 else { return nil }
    rawValue = Int(stars * 2)
  }

  /// The number of stars, 0 to 5 in steps of a half.
  public var stars: Double { Double(rawValue) / 2 }

  /// Orders by stars.
  public static func < (left: Rating, right: Rating) -> Bool { left.rawValue < right.rawValue }
}
