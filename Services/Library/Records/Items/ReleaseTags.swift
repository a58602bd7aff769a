package import Model
import MusicTags
import Storage
import Text

/// The release of an album as a source describes it: its dates, the words that distinguish the edition, and its types.
package struct ReleaseTags: Codable, Hashable, Sendable {  // memberwise
  /// The date of this edition.
  package var date: PartialDate? = nil
  /// The date of the original release; nil if it is not known beside `date`.
  package var originalDate: PartialDate? = nil
  /// The words that distinguish the edition, such as `Deluxe Edition`.
  package var edition: String? = nil
  package var types: [ReleaseType] = []
  /// The MusicBrainz id of the release group.
  package var releaseGroupID: String? = nil

  /// The year by which the album is ordered.
  package var year: Int? { (originalDate ?? date)?.year }

  /// Fills what is missing from another source's tags.
  package mutating func fill(from other: ReleaseTags) {
    date = date ?? other.date
    originalDate = originalDate ?? other.originalDate
    edition = edition ?? other.edition
    if types.isEmpty { types = other.types }
    releaseGroupID = releaseGroupID ?? other.releaseGroupID
  }
}

extension ReleaseTags {
  /// The tags as one text for the column `own_release`; empty fields at the end are left out.
  package var packed: String {
    var fields = [
      date?.description, originalDate?.description, edition, types.map(\.rawValue).joined(separator: " "),
      releaseGroupID,
    ].map { $0 ?? "" }
    while fields.last?.isEmpty == true { fields.removeLast() }
    return TextList.packed(fields)
  }

  package init(packed: String) {
    var fields = packed.utf8.split(separator: 0x1F, omittingEmptySubsequences: false)[...]
    func next() -> String? { fields.popFirst().flatMap { $0.isEmpty ? nil : String(Substring($0)) } }
    date = next().flatMap(PartialDate.init(_:))
    originalDate = next().flatMap(PartialDate.init(_:))
    edition = next()
    types = ReleaseType.unpacked(next() ?? "")
    releaseGroupID = next()
  }
}

extension ReleaseType {
  /// Reads the names of types, which are separated by blanks, as the column `types` has them.
  package static func unpacked(_ text: String) -> [ReleaseType] {
    text.utf8.split(separator: 0x20).map { ReleaseType(rawValue: String(Substring($0))) ?? .unknown }
  }
}

/// The words in brackets behind a title that distinguish an edition.
package enum EditionTitle {
  private static let words: Set<String> = [
    "deluxe", "expanded", "remaster", "remastered", "edition", "anniversary", "bonus", "reissue", "reissued", "mono",
    "stereo", "special", "limited", "super", "collector's", "collectors", "remixed",
  ]
  /// Words that distinguish an edition beside a year only.
  private static let wordsWithYear: Set<String> = ["version", "mix", "release", "pressing"]

  /// Returns a title without its final brackets that name an edition, and what they hold; `edition` is nil if there
  /// are none.
  package static func split(_ title: String) -> (title: String, edition: String?) {
    var rest = title.trimmed
    var editions: [String] = []
    while let (before, inside) = bracket(at: rest), isEdition(inside) {
      editions.insert(inside, at: 0)
      rest = before
    }
    return (rest, editions.isEmpty ? nil : editions.joined(separator: ", "))
  }

  private static let brackets: [Character: Character] = [")": "(", "]": "["]

  /// Returns what stands before a final bracket and in it; nil if the title has none or is nothing else.
  private static func bracket(at title: String) -> (before: String, inside: String)? {
    guard let last = title.last, let opening = brackets[last],
      let start = title.lastIndex(of: opening)
    else { return nil }
    let before = String(title[..<start]).trimmed
    let inside = String(title[title.index(after: start)...].dropLast()).trimmed
    return before.isEmpty || inside.isEmpty ? nil : (before, inside)
  }

  private static func isEdition(_ text: String) -> Bool {
    let found = text.caseFolded.split { $0 == " " || $0 == "-" || $0 == "," || $0 == "/" }.map(String.init)
    if found.contains(where: words.contains) { return true }
    let hasYear = found.contains { $0.utf8.count == 4 && Int($0).map { (1900...2100).contains($0) } == true }
    return hasYear && found.contains(where: wordsWithYear.contains)
  }
}
