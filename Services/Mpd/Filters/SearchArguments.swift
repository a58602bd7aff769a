/// The arguments of commands that search: a filter in the new or old form, then `sort`, `window`, `group`, `position`.
struct SearchArguments: Equatable {
  var filter: SongFilter = .all([])
  var sort: SongSort?
  var window: PositionRange?
  /// The tags by which answers are grouped, outermost last, as they were given.
  var groups: [SongTag] = []
  var position: QueuePosition?

  /// Reads arguments.
  ///
  /// - Parameters:
  ///   - arguments: the arguments of the command from the filter on.
  ///   - isSearch: true for commands that ignore case and find parts of words.
  ///   - mayBeEmpty: true if a command without a filter means all songs.
  /// - Throws: `CommandError` with the code `argument`.
  init(_ arguments: some Collection<String>, isSearch: Bool, mayBeEmpty: Bool = false) throws(CommandError) {
    var rest = Array(arguments)
    while rest.count >= 2 {
      let value = rest[rest.count - 1]
      switch rest[rest.count - 2].asciiLowercase {
      case "window" where window == nil: window = try value.positions()
      case "sort" where sort == nil: sort = try SongSort(value)
      case "position" where position == nil: position = try QueuePosition(value)
      case "group":
        guard let tag = SongTag(name: value) else { throw CommandError(.argument, "Unknown tag type: \(value)") }
        // Each further group multiplies the answer.
        guard !groups.contains(tag) else { throw CommandError(.argument, "Conflicting group") }
        groups.insert(tag, at: 0)
      default:
        filter = try Self.filter(rest, isSearch: isSearch)
        return
      }
      rest.removeLast(2)
    }
    guard mayBeEmpty || !rest.isEmpty else { throw CommandError(.argument, "Incorrect number of filter arguments") }
    filter = try Self.filter(rest, isSearch: isSearch)
  }

  private static func filter(_ arguments: [String], isSearch: Bool) throws(CommandError) -> SongFilter {
    var filters: [SongFilter] = []
    var rest = arguments[...]
    while let first = rest.popFirst() {
      if first.hasPrefix("(") {
        filters.append(try FilterParser.filter(first, isSearch: isSearch))
        continue
      }
      guard let value = rest.popFirst() else { throw CommandError(.argument, "Incorrect number of filter arguments") }
      if first.asciiLowercase == "base" {
        filters.append(.base(value))
      } else {
        filters.append(.compare(try field(first), isSearch ? .contains : .equals, value))
      }
    }
    return filters.count == 1 ? filters[0] : .all(filters)
  }

  /// Reads the name of a tag, or `any` or `file`.
  static func field(_ name: String) throws(CommandError) -> SongFilter.Field {
    switch name.asciiLowercase {
    case "any": return .any
    case "file", "filename": return .file
    default:
      guard let tag = SongTag(name: name) else { throw CommandError(.argument, "Unknown filter type") }
      return .tag(tag)
    }
  }
}

/// The order of found songs: by a tag, and descending if that is asked for.
struct SongSort: Equatable, Sendable {
  var tag: SongTag?
  var isDescending = false

  init(_ text: String) throws(CommandError) {
    var name = text
    if name.hasPrefix("-") {
      isDescending = true
      name.removeFirst()
    }
    tag = SongTag(name: name)
    guard tag != nil || name.asciiLowercase == "last-modified" else {
      throw CommandError(.argument, "Unknown sort tag")
    }
  }

  /// Returns the songs in this order; those that are equal keep theirs.
  func sorted(_ songs: [Song]) -> [Song] {
    guard let tag else { return songs }
    let isNumeric = [.track, .disc].contains(tag)
    let keyed = songs.enumerated().map { index, song in
      (index: index, song: song, key: song.values(of: tag).first ?? "")
    }
    return keyed.sorted { left, right in
      if left.key == right.key { return left.index < right.index }
      let isBefore =
        isNumeric && Int(left.key) != Int(right.key)
        ? (Int(left.key) ?? 0) < (Int(right.key) ?? 0) : left.key < right.key
      return isBefore != isDescending
    }.map(\.song)
  }
}
