import Client
import Messages
import Model

/// The query of a request. An invalid value is refused with `web.badParameter`, and never replaced by a default.
struct QueryParameters {
  private let values: [String: String]
  private let repeated: [String: [String]]

  /// Creates a query; `repeated` holds all values of the parameters that it has several times.
  init(_ values: [String: String], repeated: [String: [String]] = [:]) {
    self.values = values
    self.repeated = repeated
  }

  /// Returns a parameter unchanged; nil if it is missing or empty.
  func text(_ name: String) -> String? {
    guard let value = values[name], !value.isEmpty else { return nil }
    return value
  }

  /// Returns all values of a parameter that may be given several times.
  func texts(_ name: String) -> [String] { repeated[name] ?? text(name).map { [$0] } ?? [] }

  func number<Number: FixedWidthInteger>(_ name: String, in range: ClosedRange<Number>) throws -> Number? {
    guard let text = text(name) else { return nil }
    guard let number = Number(text), range.contains(number) else {
      throw LunaraError(
        "web.badParameter", "\(name) is \(text). It must be a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  func sort() throws -> Library.Sort? {
    guard let text = text("sort") else { return nil }
    guard let sort = Library.Sort(rawValue: text) else {
      throw LunaraError(
        "web.badParameter",
        "sort is \(text). It must be name, title, added, year, played, rating, plays or random.")
    }
    return sort
  }

  /// Returns the order of collections; nil if the parameter is missing.
  func collectionSort() throws -> Library.CollectionSort? {
    guard let text = text("sort") else { return nil }
    guard let sort = Library.CollectionSort(rawValue: text) else {
      throw LunaraError("web.badParameter", "sort is \(text). It must be name or items.")
    }
    return sort
  }

  /// Returns true for the opposite direction of the order; nil if the parameter is missing.
  func reversed() throws -> Bool? {
    guard let text = text("reversed") else { return nil }
    guard let isReversed = Bool(text) else {
      throw LunaraError("web.badParameter", "reversed is \(text). It must be true or false.")
    }
    return isReversed ? true : nil
  }

  func seed() throws -> Int64? { try number("seed", in: Int64.min...Int64.max) }

  /// Returns the tags of `tag` and, as excluded ones, of `without`, which may both be given several times; nil for
  /// none.
  func tags() throws -> [Library.Tag]? {
    let tags = try self.tags("tag") + excludedTags()
    return tags.isEmpty ? nil : tags
  }

  /// Returns the tags of `without`, as excluded ones.
  func excludedTags() throws -> [Library.Tag] {
    try tags("without").map { Library.Tag(kind: $0.kind, name: $0.name, isExcluded: true) }
  }

  /// Returns the tags of a parameter that may be given several times, each such as `genre:Jazz`.
  func tags(_ name: String) throws -> [Library.Tag] {
    try (repeated[name] ?? text(name).map { [$0] } ?? []).map { text in
      guard let tag = Library.Tag(text: text) else {
        throw LunaraError(
          "web.badParameter", "\(name) is \(text). It must be a kind and a name, such as genre:Jazz or decade:1970.")
      }
      return tag
    }
  }

  func role() throws -> CreditRole? {
    guard let text = text("role") else { return nil }
    guard let role = CreditRole(word: text) else {
      let roles = CreditRole.allCases.filter { $0 != .unknown }.map(\.rawValue).joined(separator: ", ")
      throw LunaraError("web.badParameter", "role is \(text). It must be one of \(roles).")
    }
    return role
  }

  /// Returns a value that is parsed from text; `form` describes the expected text in the error.
  func value<Value: LosslessStringConvertible>(_ name: String, _ expected: String) throws -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = Value(text) else {
      throw LunaraError("web.badParameter", "\(name) is \(text), which is not \(expected).")
    }
    return value
  }

  func room() throws -> RoomName? { try value("room", "a room's name") }
}

extension Decodable {
  /// Decodes the body of a request. On the bus an unknown word decodes as `unknown`, as a newer version may have more
  /// words; a request of a client with one is refused.
  ///
  /// - Parameters:
  ///   - body: the JSON text.
  ///   - fixed: members that the path gives, which replace those of the body.
  ///   - usual: the values of members that the body may leave out.
  ///   - nullable: a member that may be null, but has to be there.
  ///   - refusesUnknownNames: false for a file, which a newer version may have written.
  /// - Throws: `web.badBody`, whose cause names the key that is missing or wrong. It contains no value, as that may be
  ///   a password.
  static func decodeBody(
    _ body: [UInt8], fixed: JSONInput.Members = [:], usual: JSONInput.Members = [:], nullable: String? = nil,
    refusesUnknownNames: Bool = true
  ) throws -> Self {
    let fault: String
    do {
      let input = try JSONInput(body, refusesUnknownNames: refusesUnknownNames)
      guard let nullable, !input.has(nullable) else { return try input.decode(Self.self, fixed: fixed, usual: usual) }
      fault = "\(nullable) is missing, which may be null"
    } catch {
      fault = bodyFault(error)
    }
    throw LunaraError("web.badBody", "The body is not the JSON that is expected here.", cause: fault)
  }
}

private func bodyFault(_ error: any Error) -> String {
  func key(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
  switch error as? DecodingError {
  case .keyNotFound(let missing, _): return "\(missing.stringValue) is missing"
  case .valueNotFound(_, let context): return "\(key(context.codingPath)) is null"
  case .typeMismatch(_, let context): return "\(key(context.codingPath)) has the wrong type"
  case .dataCorrupted(let context) where !context.codingPath.isEmpty:
    return "\(key(context.codingPath)) is not understood"
  default: return "it is not JSON"
  }
}
