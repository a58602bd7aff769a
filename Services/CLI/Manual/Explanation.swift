import Client

struct Explanation: Sendable, Equatable {
  let code: String
  let meaning: String
  let remedy: String

  /// Reads the sections of `docs/errors.md`: a heading with the code, a paragraph that says what happened, and one that
  /// begins with "To do:". Sorted by code.
  static func all(in page: String) -> [Explanation] {
    page.split(separator: "\n### `").dropFirst().compactMap { section in
      guard let end = section.firstIndex(of: "`") else { return nil }
      let body = section[section.index(after: end)...].split(separator: "\n## ", maxSplits: 1)
      let paragraphs = (body.first ?? "").split(separator: "\n\n").map { $0.replacing("\n", with: " ") }
      let remedy = paragraphs.first { $0.hasPrefix("To do: ") }.map { String($0.dropFirst(7)) } ?? ""
      let meaning = paragraphs.filter { !$0.hasPrefix("To do: ") }.joined(separator: " ")
      return Explanation(code: String(section[..<end]), meaning: trimmed(meaning), remedy: trimmed(remedy))
    }.sorted { $0.code < $1.code }
  }

  /// All codes, from the page that is part of this program.
  static func all() -> [Explanation] { all(in: String(decoding: PackageResources.errors_md, as: UTF8.self)) }

  var json: JSON { .object(["code": .text(code), "meaning": .text(meaning), "remedy": .text(remedy)]) }

  private static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
