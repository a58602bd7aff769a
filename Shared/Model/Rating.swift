/// What a person thinks of something, in half stars: 0 to 10, where 10 is five stars. Encoded as that number.
public struct Rating: RawRepresentable, Codable, Hashable, Sendable, Comparable {
  /// Half stars, 0 to 10.
  public var rawValue: Int

  /// Makes a rating of so many half stars; nil for less than 0 or more than 10.
  public init?(rawValue: Int) {
    guard (0...10).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// Reads stars as people write them, in halves: `4`, `3.5`; nil for anything else, and beyond 0 to 5.
  public init?(stars: Double) {
    guard stars.isFinite, (0...5).contains(stars), (stars * 2).rounded() == stars * 2 else { return nil }
    rawValue = Int(stars * 2)
  }

  /// Stars, 0 to 5 in halves.
  public var stars: Double { Double(rawValue) / 2 }

  /// Orders by stars.
  public static func < (left: Rating, right: Rating) -> Bool { left.rawValue < right.rawValue }
}
