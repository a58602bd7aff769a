import CCurl
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

  /// True if the headers of a request leave no doubt where its body ends: by one length in digits, by chunks, or by
  /// neither (RFC 9112, 6.3). A proxy that reads them differently could take the rest of a body for a request of
  /// somebody else.
  static func haveOneLength(_ headers: [(String, String)]) -> Bool {
    let lengths = headers.filter { isSame($0.0, "Content-Length") }.map(\.1)
    let codings = headers.filter { isSame($0.0, "Transfer-Encoding") }.map(\.1)
    guard lengths.count + codings.count <= 1 else { return false }
    return lengths.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
      && codings.allSatisfy { isSame($0, "chunked") }
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

/// The date format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
enum HTTPDate {
  /// Writes seconds since 1970.
  static func format(_ seconds: Int) -> String {
    var (seconds, parts) = (time_t(seconds), tm())
    gmtime_r(&seconds, &parts)
    return String(unsafeUninitializedCapacity: 64) { buffer in
      buffer.withMemoryRebound(to: CChar.self) {
        strftime($0.baseAddress, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
      }
    }
  }

  /// Reads a date in this format or one of the two older ones. Returns seconds since 1970; nil for anything else.
  static func parse(_ text: String) -> Int? {
    let seconds = curl_getdate(text, nil)
    return seconds < 0 ? nil : seconds
  }
}
