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

  /// The name of a room.
  ///
  /// - Throws: `web.badParameter`.
  func room() throws -> RoomName? {
    guard let text = text("room") else { return nil }
    guard let room = RoomName(text) else {
      throw LunaraError("web.badParameter", "room is \(text), which is no name of a room.")
    }
    return room
  }
}
