import Messages
import Model

/// The query of a request, read with care: what is not understood is refused, never guessed.
struct Parameters {
  private let values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  /// A parameter as it came; nil where it is missing or empty.
  func text(_ name: String) -> String? {
    guard let value = values[name], !value.isEmpty else { return nil }
    return value
  }

  /// A whole number within bounds.
  ///
  /// - Throws: `web.badParameter`.
  func number<Number: FixedWidthInteger>(_ name: String, in range: ClosedRange<Number>) throws -> Number? {
    guard let text = text(name) else { return nil }
    guard let number = Number(text), range.contains(number) else {
      throw LunaraError(
        "web.badParameter", "\(name) is \(text). It must be a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// The order of a list.
  ///
  /// - Throws: `web.badParameter`.
  func sort() throws -> Library.Sort? {
    guard let text = text("sort") else { return nil }
    guard let sort = Library.Sort(rawValue: text) else {
      throw LunaraError("web.badParameter", "sort is \(text). It must be name, added, year, played or random.")
    }
    return sort
  }

  /// The seed of a random order.
  ///
  /// - Throws: `web.badParameter`.
  func seed() throws -> Int64? { try number("seed", in: Int64.min...Int64.max) }

  /// A word that albums have, as `genre:Jazz`.
  ///
  /// - Throws: `web.badParameter`.
  func tag() throws -> Library.Tag? {
    guard let text = text("tag") else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let kind = Library.Tag.Kind(rawValue: String(parts[0])) else {
      throw LunaraError("web.badParameter", "tag is \(text). It must be like genre:Jazz, mood:, style: or year:1997.")
    }
    return Library.Tag(kind: kind, name: String(parts[1]))
  }

  /// A value that is written as text; `what` says what it is.
  ///
  /// - Throws: `web.badParameter`.
  func value<Value: LosslessStringConvertible>(_ name: String, _ what: String) throws -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = Value(text) else {
      throw LunaraError("web.badParameter", "\(name) is \(text), which is not \(what).")
    }
    return value
  }

  /// The name of a room.
  ///
  /// - Throws: `web.badParameter`.
  func room() throws -> RoomName? {
    try value("room", "a name of a room")
  }
}
