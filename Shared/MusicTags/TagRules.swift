import Text

/// The rules by which values of tags are split into names and words.
///
/// It is a class, as each file keeps the rules by which it was read.
package final class TagRules: Sendable {
  /// Splits values of `ARTIST` and `ALBUMARTIST`.
  package let artists: NameSplitter
  /// Splits the values of all other roles.
  package let roles: NameSplitter
  /// Splits genres, moods and styles.
  package let genres: NameSplitter
  /// Splits values that are lists already, whatever the rules are.
  package let lists: NameSplitter
  /// Splits values of tags in which slashes stand between values, and types of releases.
  package let slashes: NameSplitter
  private let keptNames: [String]
  /// The separators of artists, those of genres and the names that are never split; nil for the usual ones.
  private let givenLists: [[String]]?

  package static let artistSeparators = [";", " / ", " feat. ", " feat ", " ft. ", " ft ", " featuring "]
  package static let genreSeparators = [";", " / ", ", ", #"\\"#]
  /// The names that contain separators and are nevertheless one.
  package static let keptNames = [
    "AC/DC", "Yusuf / Cat Stevens", "Folk, World, & Country", "Funk / Soul", "Stage & Screen", "Brass & Military",
    "Hip-Hop/Rap", "Rhythm & Blues", "Pop/Rock", "R&B/Soul", "Singer/Songwriter",
  ]

  /// The types of MusicBrainz that contain a slash.
  private static let typesWithSlash: Set<String> = ["mixtape/street"]

  package static let `default` = TagRules()

  /// Makes rules of what stands between artists and between genres, and of names that are never split. A separator with
  /// letters, such as ` feat. `, may also begin a bracket, and stands between artists only.
  package init(
    artistSeparators: [String] = TagRules.artistSeparators, genreSeparators: [String] = TagRules.genreSeparators,
    keptNames: [String] = TagRules.keptNames
  ) {
    self.keptNames = keptNames
    let given = [artistSeparators, genreSeparators, keptNames]
    givenLists = given == [Self.artistSeparators, Self.genreSeparators, Self.keptNames] ? nil : given
    let keys = Set(keptNames.map(NameSplitter.key))
    artists = NameSplitter(artistSeparators, keeping: keys)
    roles = NameSplitter(artistSeparators.filter { !NameSplitter.isWord($0) }, keeping: keys)
    genres = NameSplitter(genreSeparators, keeping: keys)
    lists = NameSplitter([";"], keeping: keys)
    slashes = NameSplitter(["/"], keeping: keys.union(Self.typesWithSlash))
  }

  private init(_ other: TagRules, keeping names: [String]) {
    keptNames = other.keptNames + names
    givenLists = other.givenLists
    let keys = Set(keptNames.map(NameSplitter.key))
    artists = other.artists.keeping(keys)
    roles = other.roles.keeping(keys)
    genres = other.genres
    lists = other.lists.keeping(keys)
    slashes = other.slashes.keeping(keys.union(Self.typesWithSlash))
  }

  /// Returns rules that do not split these names of artists either, as tags give them by themselves.
  package func keeping(_ names: [String]) -> TagRules { names.isEmpty ? self : TagRules(self, keeping: names) }
}

/// The rules as arguments of the programs that read tags.
extension TagRules {
  private static let option = "--rules"
  /// Stands between the items of a list.
  private static let mark: Character = "\u{1F}"

  /// The arguments; none for the usual rules. Names that were kept later are not among them: they only decide at which
  /// separators a value is cut.
  package var arguments: [String] {
    guard let givenLists else { return [] }
    return [Self.option] + givenLists.map { $0.joined(separator: String(Self.mark)) }
  }

  /// Reads and removes the arguments at the start of some; the usual rules where there are none. Nil where they are
  /// incomplete.
  package static func rules(_ arguments: inout ArraySlice<String>) -> TagRules? {
    guard arguments.first == option else { return .default }
    let lists = arguments.dropFirst().prefix(3).map { $0.split(separator: mark).map { String($0) } }
    guard lists.count == 3 else { return nil }
    arguments = arguments.dropFirst(4)
    return TagRules(artistSeparators: lists[0], genreSeparators: lists[1], keptNames: lists[2])
  }
}
