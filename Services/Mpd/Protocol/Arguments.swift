import Model

/// Reading the arguments of commands.
extension String {
  /// The text as a number that is not negative, of at most 32 bits.
  ///
  /// - Throws: `CommandError` with the code `argument`.
  func unsigned() throws(CommandError) -> Int {
    let number = try integer()
    guard number >= 0 else { throw CommandError(.argument, "Number is negative: \(self)") }
    return number
  }

  /// The text as a whole number of at most 32 bits.
  func integer() throws(CommandError) -> Int {
    guard let number = Int64(self) else {
      let isNumber = !isEmpty && utf8.drop(while: { $0 == 45 }).allSatisfy { (48...57).contains($0) }
      throw CommandError(.argument, isNumber && self != "-" ? "Number too large: \(self)" : "Integer expected: \(self)")
    }
    guard number.magnitude <= UInt64(UInt32.max) else { throw CommandError(.argument, "Number too large: \(self)") }
    return Int(number)
  }

  /// The text as `0` or `1`.
  func flag() throws(CommandError) -> Bool {
    switch self {
    case "0": false
    case "1": true
    default: throw CommandError(.argument, "Boolean (0/1) expected: \(self)")
    }
  }

  /// The text as a time in seconds, at most a week.
  func time() throws(CommandError) -> Milliseconds {
    guard let seconds = Double(self), seconds.isFinite else {
      throw CommandError(.argument, "Float expected: \(self)")
    }
    guard abs(seconds) <= 604_800 else { throw CommandError(.argument, "Number too large: \(self)") }
    return Milliseconds(seconds: seconds)
  }

  /// The text as positions `N`, `START:END` or `START:`, of which `END` is not included.
  func positions() throws(CommandError) -> PositionRange {
    let parts = split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let malformed = CommandError(.argument, "Integer or range expected: \(self)")
    if parts.count == 1 {
      // Old clients mean everything by -1.
      if self == "-1" { return PositionRange(start: 0, end: nil) }
      guard Int64(self) != nil else { throw malformed }
      let position = try unsigned()
      return PositionRange(start: position, end: position + 1)
    }
    guard !parts[0].isEmpty else { throw malformed }
    let start = try parts[0].unsigned()
    let end = parts[1].isEmpty ? nil : try parts[1].unsigned()
    guard end.map({ $0 >= start }) ?? true else { throw malformed }
    return PositionRange(start: start, end: end)
  }
}

/// Positions from `start` up to `end`, which is not included; nil for all that follow.
struct PositionRange: Equatable {
  var start: Int
  var end: Int?

  /// True if the range is written for one position.
  var isSingle: Bool { end == start + 1 }

  /// The positions in a list of this length; empty if none is there.
  func within(_ count: Int) -> Range<Int> {
    let last = min(end ?? count, count)
    return min(start, last)..<last
  }

  /// The positions of an edit in a list of this length.
  ///
  /// - Throws: `Bad song index` if the start or a given end is behind the list.
  func checked(_ count: Int) throws(CommandError) -> Range<Int> {
    guard start <= count, end.map({ !isSingle || $0 <= count }) ?? true else { throw CommandError.badIndex }
    return within(count)
  }
}

/// The place for queued songs: a position, or one relative to the current song.
enum QueuePosition: Equatable {
  case absolute(Int)
  case afterCurrent(Int)
  case beforeCurrent(Int)

  init(_ text: String) throws(CommandError) {
    switch text.first {
    case "+": self = .afterCurrent(try String(text.dropFirst()).unsigned())
    case "-": self = .beforeCurrent(try String(text.dropFirst()).unsigned())
    default: self = .absolute(try text.unsigned())
    }
  }

  /// The index in a queue of `count` items.
  ///
  /// - Throws: `Bad song index`; `No current song` for a relative place in a queue without one.
  func index(count: Int, current: Int?) throws(CommandError) -> Int {
    let index: Int
    switch self {
    case .absolute(let position): index = position
    case .afterCurrent(let offset), .beforeCurrent(let offset):
      guard let current else { throw CommandError(.playerSync, "No current song") }
      if case .afterCurrent = self { index = current + 1 + offset } else { index = current - offset }
    }
    guard (0...count).contains(index) else { throw CommandError.badIndex }
    return index
  }
}
