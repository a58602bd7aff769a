/// A duration, or a position in media, in whole milliseconds. Encoded as an integer.
public struct Milliseconds: RawRepresentable, Codable, Hashable, Comparable, AdditiveArithmetic, Sendable {
  /// The number of milliseconds.
  public var rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  public init(_ milliseconds: Int64) { self.rawValue = milliseconds }

  /// Creates a duration from seconds, rounded to the nearest millisecond; zero if they are not finite or too large.
  public init(seconds: Double) {
    let value = (seconds * 1000).rounded()
    self.rawValue = value.isFinite && abs(value) < 9e18 ? Int64(value) : 0
  }

  /// The duration of zero.
  public static let zero = Milliseconds(0)

  /// The duration in seconds.
  public var seconds: Double { Double(rawValue) / 1000 }

  /// Orders by length.
  public static func < (left: Milliseconds, right: Milliseconds) -> Bool { left.rawValue < right.rawValue }
  /// The sum of two lengths.
  public static func + (left: Milliseconds, right: Milliseconds) -> Milliseconds {
    Milliseconds(left.rawValue &+ right.rawValue)
  }
  /// The difference of two lengths.
  public static func - (left: Milliseconds, right: Milliseconds) -> Milliseconds {
    Milliseconds(left.rawValue &- right.rawValue)
  }
}

extension Milliseconds: CustomStringConvertible {
  /// The duration as `3:07`, or `1:02:45` from an hour on, without fractions; a negative one starts with a minus sign.
  public var description: String {
    let total = rawValue.magnitude / 1000
    let seconds = total % 60
    let minutes = total / 60 % 60
    let hours = total / 3600
    func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let sign = rawValue <= -1000 ? "-" : ""
    return hours > 0 ? "\(sign)\(hours):\(two(minutes)):\(two(seconds))" : "\(sign)\(minutes):\(two(seconds))"
  }
}
