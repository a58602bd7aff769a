/// What a `Range` header asks for (RFC 9110, 14.2).
enum ByteRange: Equatable {
  /// Everything: there is no header, or one that may be ignored, as one with several ranges.
  case whole
  /// These bytes.
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
