public import Model

/// Themes: albums that belong together for a person, by a rule or picked by hand, with a look of their own. A theme is
/// played by the id `library:theme:NUMBER`.
extension Library {
  /// Lists the themes by title. Since 0.2.
  public struct ListThemes: ReadRequest {
    public static let kind = "library.list-themes"
    /// All themes; there are at most 200.
    public typealias Answer = ThemeList

    public init() {}
  }

  /// The themes.
  public struct ThemeList: Codable, Hashable, Sendable {
    /// The themes by title, at most 200.
    public var items: [Theme]
  }

  /// Reads a theme with its albums. Since 0.2.
  public struct ReadTheme: ReadRequest {
    public static let kind = "library.read-theme"
    /// The theme and its albums, at most 200 on all pages; refused with `library.unknownTheme`, `library.badCursor`.
    public typealias Answer = ThemePage
    /// The theme.
    public var id: Int64
    /// The cursor: `next` of the page before; nil for the first page. Since 0.3.
    public var after: String? = nil
  }

  /// A theme with its albums.
  public struct ThemePage: Codable, Hashable, Sendable {
    /// The theme.
    public var theme: Theme
    /// Its albums that are in the library, at most 200 a page: picked ones in their order, others in that of the rules.
    public var albums: [Album]
    /// Picked albums that are not in the library, as `ARTIST – TITLE`, on the first page; nil if there is none. They
    /// come back with their music.
    public var missing: [String]? = nil
    /// The cursor of the next page, where the albums do not fit into one answer; nil on the last, which most themes
    /// have alone. Since 0.3.
    public var next: String? = nil
  }

  /// Makes a theme, or changes one: what is nil stays. The titles, texts and rules of all themes together have at most
  /// 120,000 bytes as JSON, so that one answer lists them. Since 0.2.
  public struct SaveTheme: CommandRequest {
    public static let kind = "library.save-theme"
    /// The theme after it is stored; refused with `library.unknownTheme`, `library.unknownID`, `library.badTheme`,
    /// `library.badRules`, `library.tooManyThemes` and `library.changedMeanwhile`.
    public typealias Answer = Theme
    /// The theme; nil for a new one.
    public var id: Int64? = nil
    /// The title: 1 to 200 bytes; nil for the present one. A new theme needs one.
    public var title: String? = nil
    /// The text, at most 4000 bytes; empty for none, nil for the present one.
    public var text: String? = nil
    /// The rules by which albums belong to it, as JSON in the form of `.nsp` files; nil for the present ones. A new
    /// theme without rules is picked by hand.
    public var rules: String? = nil
    /// The two colours and the texture; nil for the present look.
    public var look: ThemeLook? = nil
    /// The album whose cover it has; nil for the present one.
    public var cover: AlbumID? = nil
    /// Albums that are added at its end; nil for none. Only a theme without rules takes them.
    public var adding: [AlbumID]? = nil
    /// Albums that are removed; nil for none. Only a theme without rules takes them.
    public var removing: [AlbumID]? = nil
    /// The revision that the person saw; nil to change whatever is there.
    public var revision: Int64? = nil
  }

  /// Deletes a theme; its albums stay. For 30 days the same request brings it back. Since 0.2.
  public struct DeleteTheme: CommandRequest {
    public static let kind = "library.delete-theme"
    /// Answers after it is deleted or back; refused with `library.unknownTheme` and `library.tooManyThemes`.
    public typealias Answer = Done
    /// The theme.
    public var id: Int64
    /// True to bring the deleted theme back; nil for false. Since 0.3.
    public var isTakenBack: Bool? = nil
  }

  /// A theme was made, changed, imported or deleted. Albums that join or leave it as the catalogue changes are told of
  /// by `CatalogueChanged` alone. Since 0.2.
  public struct ThemeChanged: Fact {
    public static let kind = "library.theme-changed"
    /// It may be lost in a power cut, as the theme itself is stored.
    public static let survives = Durability.process
    /// The number of the theme.
    public var id: Int64
    /// Its title.
    public var title: String
    /// True if it was deleted; nil for false.
    public var isDeleted: Bool? = nil
  }

  /// A theme: albums that belong together for a person, by a rule or picked by hand, with a look of their own.
  public struct Theme: Codable, Hashable, Sendable {
    /// The number, from 1, which no other theme ever has. It is played by the id `library:theme:NUMBER`.
    public var id: Int64
    /// The title.
    public var title: String
    /// The person's words about it; nil for none.
    public var text: String? = nil
    /// The rules, as JSON in the form of `.nsp` files; nil if its albums are picked by hand.
    public var rules: String? = nil
    /// The two colours and the texture.
    public var look: ThemeLook
    /// The cover: that of the chosen album, or of the first one; nil if there is none.
    public var art: ArtID? = nil
    /// The number of its albums that are in the library.
    public var albumCount: Int
    /// A number that grows with each change.
    public var revision: Int64
  }

  /// The look of a theme.
  public struct ThemeLook: Codable, Hashable, Sendable {
    /// The colour of accents, as `#rrggbb`.
    public var first: String
    /// The colour that the background takes on, as `#rrggbb`.
    public var second: String
    /// The texture of the background.
    public var texture: ThemeTexture
  }

  /// The textures of backgrounds.
  public enum ThemeTexture: String, TolerantName {
    case linen, wood, paper, velvet, plain, unknown
  }
}
