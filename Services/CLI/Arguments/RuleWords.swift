import Messages
import Model
import Text

/// The rules of a smart playlist as a person writes them, such as
/// `genre is Jazz and (rating over 3 or year before 1970)`, and as the JSON that the library takes.
struct RuleWords {
  /// The kinds of fields, by which their values are written.
  private enum Kind {
    case text, number, seconds, day
  }

  /// A word of the text. Words in quotes are values, never a part of the grammar.
  private struct Word {
    var text: String
    var isQuoted = false
  }

  private static let fields: [(words: String, name: String, kind: Kind)] = [
    ("album artist", "albumartist", .text), ("last played", "lastplayed", .day), ("bit rate", "bitrate", .number),
    ("sample rate", "samplerate", .number), ("bit depth", "bitdepth", .number), ("title", "title", .text),
    ("album", "album", .text), ("artist", "artist", .text), ("genre", "genre", .text), ("style", "style", .text),
    ("mood", "mood", .text), ("label", "label", .text), ("work", "work", .text), ("composer", "composer", .text),
    ("conductor", "conductor", .text), ("performer", "performer", .text), ("folder", "folder", .text),
    ("path", "filepath", .text), ("type", "filetype", .text), ("format", "format", .text), ("source", "source", .text),
    ("date", "date", .text), ("year", "year", .number), ("rating", "rating", .number), ("plays", "playcount", .number),
    ("skips", "skips", .number), ("duration", "duration", .seconds), ("track", "tracknumber", .number),
    ("disc", "discnumber", .number), ("added", "added", .day), ("played", "lastplayed", .day),
  ]

  /// The comparisons by their words; longer ones are before those with which they begin.
  private static let comparisons: [(words: String, name: String)] = [
    ("is not in the last", "notInTheLast"), ("not in the last", "notInTheLast"), ("is in the last", "inTheLast"),
    ("in the last", "inTheLast"), ("does not contain", "notContains"), ("contains", "contains"),
    ("starts with", "startsWith"), ("ends with", "endsWith"), ("is at least", ">="), ("at least", ">="),
    ("is at most", "<="), ("at most", "<="), ("is over", "gt"), ("over", "gt"), ("is under", "lt"), ("under", "lt"),
    ("is before", "before"), ("before", "before"), ("is after", "after"), ("after", "after"),
    ("is between", "inTheRange"), ("between", "inTheRange"), ("is not", "isNot"), ("is", "is"), (">=", ">="),
    (">", "gt"),
    ("<=", "<="), ("<", "lt"), ("!=", "isNot"), ("=", "is"),
  ]

  private static let seconds: [String: Double] = [
    "": 1, "s": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "minute": 60, "minutes": 60, "h": 3600, "hour": 3600,
    "hours": 3600,
  ]
  private static let days: [String: Int] = [
    "day": 1, "days": 1, "week": 7, "weeks": 7, "month": 30, "months": 30, "year": 365, "years": 365,
  ]

  private let words: [Word]
  private var at = 0
  /// The playlists that the rules name, as they are written.
  private var named: [String] = []
  /// The ids of playlists by the names in the rules.
  private var ids: [String: String] = [:]

  /// Returns the rules as JSON. Throws `UsageError`.
  ///
  /// - Parameters:
  ///   - sort: fields with commas between them, each with `-` for the largest first, or `random`.
  ///   - limit: a number of tracks, a duration such as `90m`, or a share such as `10%`.
  ///   - playlists: the ids of the playlists that the rules name by their titles.
  static func json(
    where text: String, sort: String? = nil, limit: String? = nil, ofAlbums: Bool = false, seed: Int64? = nil,
    playlists: [String: String] = [:]
  ) throws -> String {
    var reader = RuleWords(words: try split(text))
    reader.ids = playlists
    var members = [try reader.members()]
    if let sort { members.append("\"sort\":\(try quoted(try order(sort)))") }
    if let seed { members.append("\"seed\":\(seed)") }
    if let limit { members.append(try self.limit(limit)) }
    if ofAlbums { members.append("\"unit\":\"albums\"") }
    return "{\(members.joined(separator: ","))}"
  }

  /// Returns the playlists that rules name, by their ids or titles. Throws `UsageError`.
  static func playlists(in text: String) throws -> [String] {
    var reader = RuleWords(words: try split(text))
    _ = try reader.members()
    return reader.named
  }

  private static func split(_ text: String) throws -> [Word] {
    var words: [Word] = []
    var quote: Character?
    var word = ""
    func end() { if !word.isEmpty { words.append(Word(text: word)) } }
    for character in text {
      if let open = quote {
        if character == open {
          words.append(Word(text: word, isQuoted: true))
          word = ""
          quote = nil
        } else {
          word.append(character)
        }
      } else if character == "\"" || (character == "'" && word.isEmpty) {
        end()
        word = ""
        quote = character
      } else if character.isWhitespace || character == "(" || character == ")" {
        end()
        word = ""
        if !character.isWhitespace { words.append(Word(text: String(character))) }
      } else {
        word.append(character)
      }
    }
    guard quote == nil else { throw UsageError("A quote is not closed in the rules. Close it.") }
    end()
    return words
  }

  private static func quoted(_ text: String) throws -> String {
    String(decoding: try MessageCoding.encode(text), as: UTF8.self)
  }

  private static func order(_ sort: String) throws -> String {
    try sort.split(separator: ",").map { part in
      let word = String(part).trimmed.folded
      let sign = word.hasPrefix("-") ? "-" : ""
      let plain = String(word.dropFirst(sign.count)).trimmed
      if plain == "random" { return plain }
      guard let field = fields.first(where: { $0.words == plain || $0.name == plain }) else {
        throw UsageError("There is no “\(plain)” to sort by. \(fieldsHint)")
      }
      return sign + field.name
    }.joined(separator: ",")
  }

  private static func limit(_ text: String) throws -> String {
    if let count = Int(text), count > 0 { return "\"limit\":\(count)" }
    if text.hasSuffix("%"), let percent = Int(text.dropLast()), (1...100).contains(percent) {
      return "\"limitPercent\":\(percent)"
    }
    if let last = text.last, !last.isNumber, let duration = Milliseconds(duration: text), duration.rawValue >= 60_000 {
      return "\"limitMinutes\":\(duration.rawValue / 60_000)"
    }
    throw UsageError("“\(text)” is no limit. Give a number of tracks, a duration such as 90m, or a share such as 10%.")
  }

  private static let fieldsHint = "There are \(fields.map(\.words).joined(separator: ", "))."
}

/// The grammar: groups joined by `or` of comparisons joined by `and`.
extension RuleWords {
  private init(words: [Word]) { self.words = words }

  /// Returns all conditions as a member of the rules.
  private mutating func members() throws -> String {
    let whole = try either()
    guard at == words.count else { throw UsageError("“\(rest)” is left over in the rules. Join it by “and” or “or”.") }
    return whole.hasPrefix("{\"all\"") || whole.hasPrefix("{\"any\"")
      ? String(whole.dropFirst().dropLast()) : "\"all\":[\(whole)]"
  }

  private var rest: String { words[min(at, words.count)...].prefix(6).map(\.text).joined(separator: " ") }

  private func isNext(_ word: String) -> Bool {
    at < words.count && !words[at].isQuoted && words[at].text.folded == word
  }

  /// Takes words of the grammar where they come next.
  private mutating func accept(words phrase: String) -> Bool {
    let start = at
    for word in phrase.split(separator: " ") {
      guard isNext(String(word)) else {
        at = start
        return false
      }
      at += 1
    }
    return true
  }

  private mutating func either() throws -> String {
    var parts = [try both()]
    while accept(words: "or") { parts.append(try both()) }
    return parts.count == 1 ? parts[0] : "{\"any\":[\(parts.joined(separator: ","))]}"
  }

  private mutating func both() throws -> String {
    var parts = [try single()]
    while accept(words: "and") { parts.append(try single()) }
    return parts.count == 1 ? parts[0] : "{\"all\":[\(parts.joined(separator: ","))]}"
  }

  private mutating func single() throws -> String {
    if accept(words: "(") {
      let group = try either()
      guard accept(words: ")") else {
        throw UsageError("A bracket is not closed in the rules. Close it before “\(rest)”.")
      }
      return group
    }
    for (phrase, name) in [("not in playlist", "notInPlaylist"), ("in playlist", "inPlaylist")]
    where accept(words: phrase) {
      let playlist = try value()
      named.append(playlist)
      return "{\"\(name)\":{\"id\":\(try Self.quoted(ids[playlist] ?? playlist))}}"
    }
    guard at < words.count, let field = Self.fields.first(where: { accept(words: $0.words) }) else {
      throw UsageError(
        at < words.count
          ? "“\(rest)” begins with no field of tracks. \(Self.fieldsHint)"
          : "The rules end too early. Write, for example, genre is Jazz and rating over 3.")
    }
    guard let comparison = Self.comparisons.first(where: { accept(words: $0.words) }) else {
      throw UsageError(
        "“\(rest)” does not say how \(field.words) compares. Write, for example, \(field.words) is, over, under, "
          + "contains, before, after or in the last.")
    }
    return try condition(field.name, field.kind, comparison.name)
  }

  private mutating func condition(_ field: String, _ kind: Kind, _ comparison: String) throws -> String {
    func made(_ comparison: String, _ value: String) -> String { "{\"\(comparison)\":{\"\(field)\":\(value)}}" }
    switch comparison {
    case "inTheRange":
      let first = try Self.written(try value(), kind)
      guard accept(words: "and") else {
        throw UsageError("“between” needs two values. Write, for example, year between 1960 and 1969.")
      }
      return made(comparison, "[\(first),\(try Self.written(try value(), kind))]")
    case "inTheLast", "notInTheLast":
      return made(comparison, "\(try Self.days(try value()))")
    case ">=", "<=":
      let value = try Self.written(try value(), kind)
      return "{\"any\":[\(made(comparison == ">=" ? "gt" : "lt", value)),\(made("is", value))]}"
    case "before", "after":
      guard kind == .day else {
        let value = try Self.written(try value(), kind)
        return made(comparison == "before" ? "lt" : "gt", value)
      }
      return made(comparison, try Self.written(try value(), kind))
    default: return made(comparison, try Self.written(try value(), kind))
    }
  }

  /// Takes a value: a text in quotes, or the words up to the end of the comparison.
  private mutating func value() throws -> String {
    if at < words.count, words[at].isQuoted {
      at += 1
      return words[at - 1].text
    }
    var taken: [String] = []
    while at < words.count, !words[at].isQuoted, !["and", "or", ")"].contains(words[at].text.folded) {
      taken.append(words[at].text)
      at += 1
    }
    guard !taken.isEmpty else {
      throw UsageError("A value is missing in the rules\(rest.isEmpty ? "" : " before “\(rest)”"). Write it there.")
    }
    return taken.joined(separator: " ")
  }

  private static func written(_ value: String, _ kind: Kind) throws -> String {
    switch kind {
    case .text, .day: return try quoted(value)
    case .number:
      guard let number = Double(value) else { throw UsageError("“\(value)” must be a number.") }
      return text(number)
    case .seconds:
      let digits = value.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = String(value.dropFirst(digits.count)).trimmed.folded
      guard let number = Double(digits), let unit = seconds[unit] else {
        throw UsageError("“\(value)” is no duration. Write, for example, 5 minutes or 90s.")
      }
      return text(number * unit)
    }
  }

  private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }

  /// Returns a number of days such as `30 days` or `month`.
  private static func days(_ value: String) throws -> Int {
    let parts = value.folded.split(separator: " ").map(String.init)
    let count = parts.count == 2 ? Int(parts[0]) : 1
    guard let count, let unit = parts.last.flatMap({ days[$0] }), parts.count <= 2, (0...100_000).contains(count) else {
      throw UsageError("“\(value)” is no number of days. Write, for example, 30 days, 2 weeks or year.")
    }
    return count * unit
  }
}
