/// What the tags of a track say beside its names, place and genres. A fact that the tags do not have is nil.
public struct TrackFacts: Codable, Hashable, Sendable {
  /// The second part of the title.
  public var subtitle: String?
  /// The title of its disc.
  public var discTitle: String?
  /// The date of this edition, as the tag writes it.
  public var date: String?
  /// The date of the first edition, as the tag writes it.
  public var originalDate: String?
  /// The tempo in beats a minute.
  public var beatsPerMinute: Double?
  /// The musical key, such as `Am`.
  public var key: String?
  /// The moods.
  public var moods: [String]?
  /// The styles, which are finer divisions than genres.
  public var styles: [String]?
  /// The groupings, whose meaning is the person's own.
  public var groupings: [String]?
  /// The languages of the words, mostly as codes such as `eng`.
  public var languages: [String]?
  /// The comment; at most 1,000 characters.
  public var comment: String?
  /// True if the words are marked as explicit.
  public var isExplicit: Bool?
  /// The id in AcoustID's database.
  public var acoustID: String?

  /// Creates facts of which none is known.
  public init() {}

  /// True if nothing is known.
  public var isEmpty: Bool { self == TrackFacts() }
}
