import Messages
import Model

/// Reads lists in the answers of sources, whose shape may change without notice. A missing list is an error, unlike an
/// empty one.
enum SourceAnswer {
  /// Returns the rows of a list in an answer.
  ///
  /// - Parameters:
  ///   - path: the names of the members that lead to the list.
  ///   - members: the members that rows have. A row without them is left to the caller; if no row has them, they have
  ///     another shape.
  /// - Throws: `discovery.sourceAway` for another shape.
  static func rows(
    _ answer: JSONView, _ path: StaticString..., having members: [StaticString], of title: String
  ) throws(LunaraError) -> [JSONView] {
    var view = answer
    for name in path {
      guard let next = view[name] else { throw changed(title) }
      view = next
    }
    guard view.isArray else { throw changed(title) }
    return try checked(view.elements, members, title)
  }

  /// Returns the rows of a Last.fm list. A list with a single item has no brackets, and an empty list may lack its
  /// rows.
  static func lastFMRows(
    _ answer: JSONView, _ list: StaticString, _ item: StaticString, having members: [StaticString]
  ) throws(LunaraError) -> [JSONView] {
    guard let list = answer[list], list.isObject else { throw changed("Last.fm") }
    // An empty list may hold the requested name instead of rows.
    guard let rows = list[item], rows.isArray || rows.isObject else {
      guard list["@attr"] != nil || list["#text"] != nil else { throw changed("Last.fm") }
      return []
    }
    return try checked(rows.elements, members, "Last.fm")
  }

  private static func checked(
    _ rows: [JSONView], _ members: [StaticString], _ title: String
  ) throws(LunaraError) -> [JSONView] {
    guard rows.isEmpty || rows.contains(where: { row in members.allSatisfy { row[$0] != nil } }) else {
      throw changed(title)
    }
    return rows
  }

  /// The error for an answer of another shape.
  static func changed(_ title: String) -> LunaraError {
    OutsideAccess.away(title, cause: "its answer has another shape than this version reads")
  }
}

/// The position of a source that asks about one item of the library after another. An item that the source does not
/// know is skipped. A source that knows none of them has not answered.
struct ItemCursor {
  /// The place in the list of things; for things with a key, the last key.
  let place: Int
  /// The number of earlier items that the source knew.
  let known: Int
  /// True if the reading started again from the first item, which it does once at most.
  let isSecondPass: Bool

  /// Reads a cursor; nil begins.
  init(_ text: String?) {
    let parts = (text ?? "").split(separator: ":").map { Int($0) ?? 0 }
    place = parts.first ?? 0
    // Earlier versions did not count.
    known = parts.count > 1 ? parts[1] : text == nil ? 0 : 1
    isSecondPass = parts.count > 2
  }

  /// Returns the text of a cursor.
  static func text(_ place: Int, known: Int, isSecondPass: Bool = false) -> String {
    "\(place):\(known)\(isSecondPass ? ":2" : "")"
  }

  /// The step behind the last item, which comes if the items have become fewer during the reading.
  var end: SourceStep { place > 0 && known == 0 ? .unanswered : SourceStep() }

  /// Returns the step after an item.
  ///
  /// - Parameters:
  ///   - finds: what the source gave; nil if it does not know the thing.
  ///   - next: the place of the next thing; nil after the last.
  func step(_ finds: [Find]?, next: Int?) -> SourceStep {
    let known = known + (finds == nil ? 0 : 1)
    var step = SourceStep(finds ?? [], next: next.map { Self.text($0, known: known, isSecondPass: isSecondPass) })
    step.isUnanswered = next == nil && known == 0
    return step
  }
}
