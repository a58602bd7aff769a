import Text

/// The rules by which values of tags are split into names and words.
///
/// It is a class, as each file keeps the rules by which it was read.
final class TagRules: Sendable {
  /// Splits values of `ARTIST` and `ALBUMARTIST`.
  let artists: NameSplitter
  /// Splits the values of all other roles.
  let roles: NameSplitter
  /// Splits genres, moods and styles.
  let genres: NameSplitter
  /// Splits values that are lists already, whatever the rules are.
  let lists: NameSplitter
  /// Splits values of tags in which slashes stand between values, and types of releases.
  let slashes: NameSplitter
  private let keptNames: [String]

  static let artistSeparators = [";", " / ", " feat. ", " feat ", " ft. ", " ft ", " featuring "]
  static let genreSeparators = [";", " / ", ", ", #"\\"#]
  /// The names that contain separators and are nevertheless one.
  static let keptNames = [
    "AC/DC", "Yusuf / Cat Stevens", "Folk, World, & Country", "Funk / Soul", "Stage & Screen", "Brass & Military",
    "Hip-Hop/Rap", "Rhythm & Blues", "Pop/Rock", "R&B/Soul", "Singer/Songwriter",
  ]

  /// The types of MusicBrainz that contain a slash.
  private static let typesWithSlash: Set<String> = ["mixtape/street"]

  static let `default` = TagRules()

  /// Makes rules of what stands between artists and between genres, and of names that are never split. A separator with
  /// letters, such as ` feat. `, may also begin a bracket, and stands between artists only.
  init(
    artistSeparators: [String] = TagRules.artistSeparators, genreSeparators: [String] = TagRules.genreSeparators,
    keptNames: [String] = TagRules.keptNames
  ) {
    self.keptNames = keptNames
    let keys = Set(keptNames.map(NameSplitter.key))
    artists = NameSplitter(artistSeparators, keeping: keys)
    roles = NameSplitter(artistSeparators.filter { !NameSplitter.isWord($0) }, keeping: keys)
    genres = NameSplitter(genreSeparators, keeping: keys)
    lists = NameSplitter([";"], keeping: keys)
    slashes = NameSplitter(["/"], keeping: keys.union(Self.typesWithSlash))
  }

  private init(_ other: TagRules, keeping names: [String]) {
    keptNames = other.keptNames + names
    let keys = Set(keptNames.map(NameSplitter.key))
    artists = other.artists.keeping(keys)
    roles = other.roles.keeping(keys)
    genres = other.genres
    lists = other.lists.keeping(keys)
    slashes = other.slashes.keeping(keys.union(Self.typesWithSlash))
  }

  /// Returns rules that do not split these names of artists either, as tags give them by themselves.
  func keeping(_ names: [String]) -> TagRules { names.isEmpty ? self : TagRules(self, keeping: names) }
}
