import Messages
import Model
import Text

/// A page of Wikipedia as an answer describes it. Nothing of it is trusted: texts are plain, bounded, and without
/// control characters.
struct WikiPage: Hashable, Sendable {
  /// The title.
  var title: String
  /// A few words about it; nil if it has none.
  var about: String?
  /// The paragraphs before its first heading, at most 8,000 bytes in all.
  var paragraphs: [String]
  /// True if it only lists pages of the same name.
  var isDisambiguation: Bool

  /// The most bytes of all paragraphs.
  static let mostBytes = 8000

  /// Reads a page; nil if there is none of the title, or if it is no article.
  init?(_ view: JSONView) {
    guard view["missing"] == nil, view["invalid"] == nil, view["ns"]?.integer ?? 0 == 0,
      let title = Self.title(view["title"]?.string)
    else { return nil }
    self.title = title
    about = SourceText.clean(view["description"]?.string)
    paragraphs = Self.paragraphs(view["extract"]?.string ?? "")
    isDisambiguation = view["pageprops"]?["disambiguation"] != nil
  }

  /// Returns a text that can be the title of a page; nil for another one.
  static func title(_ text: String?) -> String? {
    guard let text, !text.isEmpty, text.utf8.count <= 255,
      !text.unicodeScalars.contains(where: { $0.isUnsafe || "#<>[]|{}".unicodeScalars.contains($0) })
    else { return nil }
    return text
  }

  /// Returns the paragraphs of a text, cut behind a word where they would be too long in all.
  static func paragraphs(_ text: String) -> [String] {
    var rest = mostBytes
    var paragraphs: [String] = []
    // More than this cannot be kept of the text, however it is cleaned.
    let bounded = String(decoding: text.utf8.prefix(64 * 1024), as: UTF8.self)
    for line in bounded.split(whereSeparator: \.isNewline) {
      let paragraph = cleaned(String(line))
      guard !paragraph.isEmpty else { continue }
      guard paragraph.utf8.count <= rest else {
        if let cut = cut(paragraph, to: rest) { paragraphs.append(cut) }
        break
      }
      rest -= paragraph.utf8.count
      paragraphs.append(paragraph)
    }
    return paragraphs
  }

  /// Returns a paragraph without what is left over where sounds and notes were taken out, such as `( ; ` and `()`.
  private static func cleaned(_ line: String) -> String {
    var text = line.withoutUnsafeScalars.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    text = text.replacing(/\((\s*[,;:]\s*)+/, with: "(").replacing(/\s*\(\s*\)/, with: "")
    return text.replacing(/\s+([.,;])/) { String($0.1) }
  }

  /// Returns the beginning of a text of at most so many bytes, with an ellipsis at its end; nil if there is no room.
  private static func cut(_ text: String, to most: Int) -> String? {
    guard most >= 100 else { return nil }
    var words = ""
    for word in text.split(separator: " ") {
      guard words.utf8.count + 1 + word.utf8.count + 4 <= most else { break }
      words += (words.isEmpty ? "" : " ") + word
    }
    return words.isEmpty ? nil : words + " …"
  }

  /// Returns the article of the page; nil if it has no text.
  func article(in language: String, match: Discovery.Article.Match, at now: Timestamp) -> Discovery.Article? {
    guard !paragraphs.isEmpty, !isDisambiguation else { return nil }
    let name = WikipediaClient.escaped(title.replacing(" ", with: "_"))
    return Discovery.Article(
      title: title, paragraphs: paragraphs, language: language,
      address: "https://\(language).wikipedia.org/wiki/\(name)", site: "Wikipedia", licence: "CC BY-SA 4.0",
      licenceAddress: "https://creativecommons.org/licenses/by-sa/4.0/", match: match, readAt: now)
  }

  /// Returns the page as a guess.
  func guess(in language: String) -> Discovery.ArticleGuess {
    Discovery.ArticleGuess(title: title, language: language, about: about ?? SourceText.clean(paragraphs.first))
  }
}
