import Glibc

/// Names and values of a message's headers, in their order.
enum Headers {
  /// The first value of a name; names are compared without regard to case (RFC 9110, 5.1).
  static func first(_ name: String, in headers: [(String, String)]) -> String? {
    headers.first { isSame($0.0, name) }?.1
  }

  /// True if two names are the same but for the case of their ASCII letters.
  static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { folded($0) == folded($1) }
  }

  private static func folded(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }

  /// True if a header can be sent as it is: a token, and a value without line breaks or NUL (RFC 9110, 5.5).
  static func isValid(_ name: String, _ value: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy(isToken) && value.utf8.allSatisfy { $0 != 10 && $0 != 13 && $0 != 0 }
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 94...122, 33, 35...39, 42, 43, 45, 46, 124, 126: true
    default: false
    }
  }
}

/// The one form of time that HTTP writes: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Writes seconds since 1970.
  static func format(_ seconds: Int) -> String {
    var seconds = time_t(seconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
  }

  /// Reads it into seconds since 1970; nil for any other form, which a recipient may ignore.
  static func parse(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", words[0].hasSuffix(","), let day = number(words[1], 1...31),
      let month = months.firstIndex(of: String(words[2])), let year = number(words[3], 1970...9999)
    else { return nil }
    let clock = words[4].split(separator: ":")
    guard clock.count == 3, let hour = number(clock[0], 0...23), let minute = number(clock[1], 0...59),
      let second = number(clock[2], 0...60)
    else { return nil }
    var parts = tm()
    parts.tm_year = year - 1900
    parts.tm_mon = Int32(month)
    parts.tm_mday = day
    parts.tm_hour = hour
    parts.tm_min = minute
    parts.tm_sec = second
    return Int(timegm(&parts))
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int32>) -> Int32? {
    guard text.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int32(text), range.contains(value) else {
      return nil
    }
    return value
  }
}
