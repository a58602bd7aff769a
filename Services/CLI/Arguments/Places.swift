import Client
import Model

/// The places of a list that words name, counted from 1 as commands show them: `3`, `3-7`, or the id of an entry.
struct Places: Equatable, Sendable {
  enum Word: Equatable, Sendable {
    case places(ClosedRange<Int>)
    case entry(String)
  }

  let words: [Word]

  init(_ words: [Word]) { self.words = words }

  /// Throws a `UsageError` for a range whose end is before its start.
  init(_ words: some Sequence<String>) throws {
    self.words = try words.map { word in
      if let place = Int(word) { return .places(place...place) }
      let ends = word.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, ends.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
        let first = Int(ends[0]), let last = Int(ends[1])
      else { return .entry(word) }
      guard first <= last else { throw UsageError("“\(word)” ends before it begins. Write \(last)-\(first).") }
      return .places(first...last)
    }
  }

  /// The place, if one is named and no entry; nil otherwise.
  var single: Int? {
    guard words.count == 1, case .places(let places) = words[0], places.lowerBound == places.upperBound
    else { return nil }
    return places.lowerBound
  }

  /// True if an entry is named by its id.
  var hasEntries: Bool {
    words.contains {
      if case .entry = $0 { true } else { false }
    }
  }

  /// Returns the indices from 0 in the order of the words, each once.
  ///
  /// - Parameters:
  ///   - count: the number of items in the list.
  ///   - index: returns the index of an entry by its id.
  ///   - noPlace: returns the error for a place that the list does not have.
  func indices(
    of count: Int, entry index: (String) throws -> Int, noPlace: (Int) -> LunaraError
  ) throws -> [Int] {
    var known: Set<Int> = []
    var indices: [Int] = []
    for word in words {
      let found: ClosedRange<Int>
      switch word {
      case .places(let places):
        guard places.lowerBound >= 1, places.upperBound <= count else {
          throw noPlace(places.lowerBound >= 1 && places.lowerBound <= count ? places.upperBound : places.lowerBound)
        }
        found = places.lowerBound - 1...places.upperBound - 1
      case .entry(let id):
        let place = try index(id)
        found = place...place
      }
      for index in found where known.insert(index).inserted { indices.append(index) }
    }
    return indices
  }
}

extension Parameter {
  /// Places of a list, as operands.
  static func places(_ name: String, _ count: ClosedRange<Int> = 1...10_000, help: String) -> Parameter<Places> {
    Parameter<Places>(operand: Operand(name: name, count: count, help: help)) { try Places($0.operands) }
  }
}
