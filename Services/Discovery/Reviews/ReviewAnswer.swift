import Messages
import Model
import Text

/// A review as it was read from the answer of a model. Whatever a model writes, this is all that can come of it.
struct ReviewAnswer: Hashable, Sendable {
  var summary: String
  var points: [String]
  var tenths: Int?
  var label: String
  var tier: Int
  var keyTracks: [String]

  /// The reasons why no review could be read.
  enum Failure: Error, Hashable {
    /// The answer does not have the requested format; the text says what is wrong.
    case unreadable(String)
    /// The model says that it does not know the album.
    case unknownAlbum
  }

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - text: the text of the model, which may have code fences or prose around the JSON.
  ///   - hasSearched: true if the answer shows that the model has searched. Without a search a rating is left out, and
  ///     so are points that quote scores, as a model invents what it cannot look up.
  ///   - tracks: the titles of the album's tracks; empty if they are not known.
  init(_ text: String, hasSearched: Bool, tracks: [String]) throws(Failure) {
    guard let view = Self.object(in: text) else { throw .unreadable("it has no JSON object") }
    if view["unknown"]?.isTrue == true { throw .unknownAlbum }
    summary = try Self.text(view["summary"], "summary", most: 900)
    guard ReviewText.has(2...3, sentencesIn: summary) else {
      throw .unreadable("its summary has not two or three sentences")
    }
    guard let list = view["points"], list.isArray, (3...5).contains(list.elements.count) else {
      throw .unreadable("it has not three to five points")
    }
    points = []
    for element in list.elements { points.append(try Self.text(element, "point", most: 500)) }
    guard let label = view["label"], label.kind == .string, let found = ReviewLabel.find(label.string ?? "") else {
      throw .unreadable("its label is none of those that were named")
    }
    (self.label, tier) = found
    tenths = nil
    if let rating = view["rating"] {
      guard rating.kind != .bool, let number = rating.number, (0...10).contains(number) else {
        throw .unreadable("its rating is no number from 0 to 10")
      }
      tenths = Int((number * 10).rounded())
    }
    guard let named = view["key_tracks"], named.isArray, (1...10).contains(named.elements.count) else {
      throw .unreadable("it names no key tracks")
    }
    var titles: [String] = []
    for element in named.elements { titles.append(try Self.text(element, "key track", most: 300)) }
    keyTracks = Self.match(titles, with: tracks)
    guard !hasSearched else { return }
    tenths = nil
    points.removeAll(where: ReviewText.quotesScore)
    guard points.count >= 3, !ReviewText.quotesScore(summary) else {
      throw .unreadable("it quotes scores that it has not looked up")
    }
  }

  /// Returns the JSON object in a text: what a model thought aloud, code fences and prose around it are cut off.
  private static func object(in text: String) -> JSONView? {
    var text = text[...]
    if let end = text.ranges(of: "</think>").last { text = text[end.upperBound...] }
    guard let first = text.firstIndex(of: "{"), let last = text.lastIndex(of: "}"), first < last,
      let view = JSONView(Array(text[first...last].utf8)), view.isObject
    else { return nil }
    return view
  }

  private static func text(_ view: JSONView?, _ name: String, most: Int) throws(Failure) -> String {
    guard let view, view.kind == .string, let raw = view.string, raw.utf8.count <= most * 8 else {
      throw .unreadable("its \(name) is no text, or too long")
    }
    let text = ReviewText.cleaned(raw)
    guard !text.isEmpty, text.unicodeScalars.count <= most else {
      throw .unreadable("its \(name) is empty or too long")
    }
    return text
  }

  /// Returns the titles in the album's own spelling, at most three. A title that the album does not have is left out;
  /// where the album's tracks are not known, all are kept as they are.
  private static func match(_ titles: [String], with tracks: [String]) -> [String] {
    guard !tracks.isEmpty else { return Array(titles.prefix(3)) }
    let known = Dictionary(tracks.map { (matchingKey($0), $0) }) { first, _ in first }
    var found: [String] = []
    for title in titles {
      if let own = known[matchingKey(title)], !found.contains(own) { found.append(own) }
    }
    return Array(found.prefix(3))
  }

  /// Returns the key by which titles are compared: the title itself if it has only signs.
  private static func matchingKey(_ title: String) -> String {
    let key = title.matchingForm
    return key.isEmpty ? title.folded : key
  }
}
