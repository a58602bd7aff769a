/// The status and the range of bytes that answer a GET or HEAD with conditions or a range (RFC 9110, 13 and 14).
struct ContentSelection: Equatable {
  /// The status, for example 206.
  var status: Int
  /// The range of the content to send; nil if the answer has none of it (304, 416).
  var bytes: Range<UInt64>?
  /// The `Content-Range` to send.
  var contentRange: String?

  /// Chooses for a GET or HEAD that would otherwise be answered with 200.
  ///
  /// `tag` is the entity tag with its quotes, `modified` seconds since 1970.
  init(tag: String?, modified: Int?, length: UInt64, header: (String) -> String?) {
    self.init(status: 200, bytes: 0..<length)
    if Self.isUnchanged(tag: tag, modified: modified, header: header) {
      self.init(status: 304)
      return
    }
    guard Self.mayBePartial(tag: tag, modified: modified, header("If-Range")) else { return }
    switch ByteRange(header("Range"), length: length) {
    case .whole: break
    case .part(let range):
      self.init(
        status: 206, bytes: range, contentRange: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)")
    case .unsatisfiable: self.init(status: 416, contentRange: "bytes */\(length)")
    }
  }

  private init(status: Int, bytes: Range<UInt64>? = nil, contentRange: String? = nil) {
    self.status = status
    self.bytes = bytes
    self.contentRange = contentRange
  }

  /// Returns true if the client's copy is still current. Its date counts only where it sends no tag.
  private static func isUnchanged(tag: String?, modified: Int?, header: (String) -> String?) -> Bool {
    if let asked = header("If-None-Match") {
      guard let tag else { return false }
      return asked.split(separator: ",").contains { one in
        let one = one.trimming(" \t")
        return one == "*" || one.withoutWeakness == Substring(tag).withoutWeakness
      }
    }
    guard let modified, let since = header("If-Modified-Since").flatMap(HTTPDate.parse) else { return false }
    return modified <= since
  }

  /// Returns true if a range may be sent: there is no `If-Range`, or the client's copy is still current.
  private static func mayBePartial(tag: String?, modified: Int?, _ condition: String?) -> Bool {
    guard let condition else { return true }
    if let date = HTTPDate.parse(condition) { return date == modified }
    return condition == tag && !condition.hasPrefix("W/")
  }
}

extension Substring {
  /// Returns the text without these characters at both ends.
  public func trimming(_ characters: String) -> Substring {
    var text = self
    while let first = text.first, characters.contains(first) { text.removeFirst() }
    while let last = text.last, characters.contains(last) { text.removeLast() }
    return text
  }

  fileprivate var withoutWeakness: Substring { hasPrefix("W/") ? dropFirst(2) : self }
}

/// The part that a `Range` header asks for (RFC 9110, 14.2).
enum ByteRange: Equatable {
  /// Everything: there is no header, or one that may be ignored, as one with several ranges.
  case whole
  case part(Range<UInt64>)
  /// Bytes that do not exist.
  case unsatisfiable

  /// Reads the header for something of `length` bytes.
  init(_ header: String?, length: UInt64) {
    self = .whole
    guard let header, header.lowercased().hasPrefix("bytes=") else { return }
    let ends = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return }
    let (first, last) = (Self.number(ends[0]), Self.number(ends[1]))
    switch (ends[0].isEmpty, ends[1].isEmpty) {
    case (false, true):
      guard let first else { return }
      self = first < length ? .part(first..<length) : .unsatisfiable
    case (false, false):
      guard let first, let last, first <= last else { return }
      self = first < length ? .part(first..<(min(last, length - 1) + 1)) : .unsatisfiable
    case (true, false):
      guard let last else { return }
      self = last > 0 && length > 0 ? .part((length - min(last, length))..<length) : .unsatisfiable
    case (true, true): return
    }
  }

  /// A number; one too large for its type counts as the largest.
  private static func number(_ text: Substring) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return UInt64(text) ?? .max
  }
}
