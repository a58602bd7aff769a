package import Model
package import MusicTags
import ServiceKit
import Storage
import Text

/// The settings by which a person says how tags are read: what stands between names, and the encoding of old tags.
package struct TagSettings: Equatable, Sendable {
  /// The text of each setting; those that are not set are absent.
  package private(set) var texts: [String: String] = [:]
  package let rules: TagRules
  package let encodings: TagEncodings

  static let artists = "LUNARA_ARTIST_SEPARATORS"
  static let genres = "LUNARA_GENRE_SEPARATORS"
  static let names = "LUNARA_WHOLE_NAMES"
  package static let encoding = "LUNARA_TAG_ENCODING"
  private static let all = [artists, genres, names, encoding]

  /// Reads the settings. Throws `settings.badList`.
  package init(_ setting: (String) -> String?) throws(LunaraError) {
    var texts: [String: String] = [:]
    for name in Self.all { texts[name] = setting(name) }
    self.texts = texts
    encodings = try texts[Self.encoding].map(Self.encodings) ?? TagEncodings()
    rules = try Self.rules(texts)
  }

  private static func rules(_ texts: [String: String]) throws(LunaraError) -> TagRules {
    guard texts.keys.contains(where: { $0 != encoding }) else { return .default }
    func list(_ name: String, _ usual: [String]) throws(LunaraError) -> [String] {
      guard let text = texts[name] else { return usual }
      return try Self.list(text, of: name, usual)
    }
    return TagRules(
      artistSeparators: try list(artists, TagRules.artistSeparators).map(separator),
      genreSeparators: try list(genres, TagRules.genreSeparators).map(separator),
      keptNames: try list(names, TagRules.keptNames))
  }

  package static func == (left: TagSettings, right: TagSettings) -> Bool { left.texts == right.texts }

  /// Returns the items of a list, which stand between `|`; `\|` is a `|` within an item, and `+` stands for the usual
  /// items.
  private static func list(_ text: String, of name: String, _ usual: [String]) throws(LunaraError) -> [String] {
    var items = [""]
    var isEscaped = false
    for letter in text {
      if letter == "|", !isEscaped {
        items.append("")
      } else {
        if letter == "|" { items[items.count - 1].removeLast() }
        items[items.count - 1].append(letter)
      }
      isEscaped = letter == "\\"
    }
    guard items.allSatisfy({ !$0.trimmed.isEmpty }) else {
      throw LunaraError(
        "settings.badList",
        "\(name) has an empty item. Write the items with | between them, such as ;| / |feat. and \\| for a | itself.")
    }
    return items.flatMap { $0.trimmed == "+" ? usual : [$0] }
  }

  /// A separator that is a word stands between blanks, which need not be written.
  private static func separator(_ text: String) -> String {
    let word = text.trimmed
    return NameSplitter.isWord(" \(word) ") ? " \(word) " : text
  }

  /// Reads `cp1251|shift-jis=/music/Japan`.
  private static func encodings(_ text: String) throws(LunaraError) -> TagEncodings {
    var encodings = TagEncodings()
    for item in try list(text, of: encoding, []) {
      let parts = item.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      guard let name = parts.first, let key = TagEncodings.key(of: name) else {
        throw LunaraError(
          "settings.badList",
          "\(encoding) names \(item), which is no known encoding. Known are \(TagEncodings.names.keys.sorted().joined(separator: ", "))."
        )
      }
      guard parts.count == 2 else {
        encodings.rules.append(.init(encoding: key, folder: nil))
        continue
      }
      guard let folder = MusicFolders.named(parts[1]) else {
        throw LunaraError(
          "settings.badList",
          "\(encoding) names the folder \(parts[1]), which is no absolute path. Write for example cp1251=/music/Russian."
        )
      }
      encodings.rules.append(.init(encoding: key, folder: folder))
    }
    return encodings
  }
}
