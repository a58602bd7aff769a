public import Model

/// Requests about music sources, and about signing in there.
extension Library {
  /// Lists the sources that are set up.
  public struct ListSources: ReadRequest {
    public static let kind = "library.list-sources"
    /// The sources, in the order of preference.
    public typealias Answer = SourceList

    public init() {}
  }

  /// The sources that are set up, in the order in which their copies are preferred.
  public struct SourceList: Codable, Hashable, Sendable {
    /// The sources, in the order in which their copies are preferred.
    public var sources: [SourceDetail]
    /// The kinds of sources that can be set up, in the order in which to offer them; nil from an older library.
    public var kinds: [SourceKind]? = nil
  }

  /// One source with its sections.
  public struct SourceDetail: Codable, Hashable, Sendable {
    /// The status.
    public var status: SourceStatus
    /// True if it was set by a variable or an option, so that it cannot be removed by a request.
    public var isFromSettings: Bool
    /// The name of the account that is signed in; nil if there is none.
    public var account: String?
    /// The library sections; empty if the source has none.
    public var sections: [Section]

    /// One library section of a server, or one folder.
    public struct Section: Codable, Hashable, Sendable {
      /// The server's key of the section, or the path of the folder.
      public var key: String
      /// The title.
      public var title: String
      /// True if its music is in the catalogue.
      public var isOn: Bool
      /// The number of its tracks in the catalogue.
      public var tracks: Int
      /// True if a variable or an option names the folder, so that it cannot be removed by a request; nil for a
      /// server's section.
      public var isFromSettings: Bool? = nil
    }
  }

  /// Adds a server or a folder. If the server is a source already, its secret is replaced, with the address and user,
  /// once the server has accepted it; without a secret only the named settings change. Secrets are sent only in this
  /// request and kept in the credential store only. A folder is stored by the library, read at once, and watched; a
  /// folder around others includes them, and one inside another music folder is refused.
  public struct AddSource: CommandRequest {
    public static let kind = "library.add-source"
    /// The source's name; refused with `library.badAddress`, `library.sourceAway` if nothing answers,
    /// `library.wrongServerKind`, `library.serverUntrusted`, `library.signedOut` if the server refuses the secret or
    /// none is known, `library.sourceExists` if it is a source already and neither a secret nor a setting is given,
    /// `library.sourceFromSettings`; for a folder with `library.folderMissing`, `library.folderUnreadable`.
    public typealias Answer = SourceAdded
    /// The `kind` of one of the kinds of sources, as in `SourceKind`.
    public var type: String
    /// The base address of the server, or the whole path of a folder on the library's host: a `file:` URL if its bytes
    /// are not text.
    public var address: String
    /// The user; nil if the server needs none, or to keep the user of a source.
    public var user: String? = nil
    /// The password, token or key; nil if the server needs none, or if an account is signed in already.
    public var secret: String? = nil
    /// True if the password may be sent in plain text over an unencrypted connection, to a server that accepts nothing
    /// else; nil to keep the setting, which is initially false.
    public var exposesPassword: Bool? = nil
    /// True if plays are reported to the server, for kinds with this setting; nil to keep the setting, which is
    /// initially false.
    public var forwardsPlays: Bool? = nil
    /// Other settings of the kind, by their keys; the value of a switch is `true` or `false`. Those that are missing
    /// stay unchanged.
    public var settings: [ChosenSetting]? = nil
  }

  /// The value that a person chose for a setting of a source.
  public struct ChosenSetting: Codable, Hashable, Sendable {
    /// The key of a `SourceSetting`.
    public var key: String
    /// The value; `true` or `false` for a switch.
    public var value: String
  }

  /// A source that was set up.
  public struct SourceAdded: Codable, Hashable, Sendable {
    /// The source's name, which is the first part of the ids of its items.
    public var name: String
  }

  /// Removes a source or a folder: its music leaves the catalogue, but history, ratings and listens are kept.
  public struct RemoveSource: CommandRequest {
    public static let kind = "library.remove-source"
    /// Answers after the removal; refused with `library.noFolders`, `library.unknownSource`,
    /// `library.sourceFromSettings`.
    public typealias Answer = Done
    /// The name of the source, or the whole path of a folder that was added; `files` for all of these.
    public var name: String
  }

  /// Sets the order of preference of the sources, for copies of tracks and for texts about albums and artists. Lossless
  /// copies still come before others, and copies of folders before those of servers. Before the answer, the albums and
  /// artists that several sources have are merged again.
  public struct OrderSources: CommandRequest {
    public static let kind = "library.order-sources"
    /// The resulting order; refused with `library.unknownSource`.
    public typealias Answer = SourceOrder
    /// The sources that come first, best first; the others follow in their present order.
    public var names: [String]
  }

  /// The order of all sources.
  public struct SourceOrder: Codable, Hashable, Sendable {
    /// The names of the sources, best first.
    public var names: [String]
  }

  /// Adds a section of a source to the catalogue or removes it.
  public struct SwitchSection: CommandRequest {
    public static let kind = "library.switch-section"
    /// Answers after the setting is stored; refused with `library.unknownSource`.
    public typealias Answer = Done
    /// The source's name.
    public var source: String
    /// The section's key.
    public var section: String
    /// True if its music should be in the catalogue. A refresh starts at once.
    public var isOn: Bool
  }

  /// Begins a sign-in: a person opens the link, or types the code at the page.
  public struct BeginSignIn: CommandRequest {
    public static let kind = "library.begin-sign-in"
    /// The link, page and code; refused with `library.signInUnavailable`.
    public typealias Answer = SignIn
    /// A kind of source whose `signIn` lists `link`, as in `SourceKind`.
    public var service: String
  }

  /// A sign-in that waits for a person.
  public struct SignIn: Codable, Hashable, Sendable {
    /// The id of this sign-in for `ReadSignIn`.
    public var id: String
    /// The code to type at `page`.
    public var code: String
    /// The page at which to type the code.
    public var page: String
    /// A link that contains the code, so that it needs no typing.
    public var link: String
    /// The time when the sign-in expires.
    public var expiresAt: Timestamp
  }

  /// Reads the state of a sign-in.
  public struct ReadSignIn: ReadRequest {
    public static let kind = "library.read-sign-in"
    /// The state; refused with `library.unknownSignIn`.
    public typealias Answer = SignInState
    /// The sign-in. The library follows it by itself, so this request changes nothing.
    public var id: String
  }

  /// The state of a sign-in.
  public struct SignInState: Codable, Hashable, Sendable {
    /// `waiting`, `done`, `expired` or `failed`.
    public var state: String
    /// The name of the account after signing in.
    public var account: String? = nil
    /// The names of the sources that were added by it.
    public var sources: [String] = []
    /// The reason why it failed.
    public var error: LunaraError? = nil
  }

  /// Signs out: the token is deleted; the music stays listed until the source is removed.
  public struct SignOut: CommandRequest {
    public static let kind = "library.sign-out"
    /// Answers after the token is deleted; refused with `library.signedOut` if nobody is signed in.
    public typealias Answer = Done
    /// A kind of source with the sign-in method `link`, or the name of a source.
    public var service: String
  }
}
