public import Model

/// Requests about sources of music, and about signing in there.
extension Library {
  /// The sources that are set up.
  public struct ListSources: ReadRequest {
    public static let kind = "library.list-sources"
    /// The sources, in the person's order.
    public typealias Answer = SourceList

    public init() {}
  }

  /// The sources that are set up, in the order in which their copies are preferred.
  public struct SourceList: Codable, Hashable, Sendable {
    /// The sources.
    public var sources: [SourceDetail]
    /// The kinds of sources that this library can set up, in the order of offering; nil from an older library.
    public var kinds: [SourceKind]?

    public init(sources: [SourceDetail], kinds: [SourceKind]? = nil) {
      self.sources = sources
      self.kinds = kinds
    }
  }

  /// One source with its sections.
  public struct SourceDetail: Codable, Hashable, Sendable {
    /// The status.
    public var status: SourceStatus
    /// True if it was set by a variable or an option, so that it is not removed here.
    public var isFromSettings: Bool
    /// The account that is signed in, as people know it; nil where there is none.
    public var account: String?
    /// Its library sections; empty where it has none.
    public var sections: [Section]

    public init(status: SourceStatus, isFromSettings: Bool, account: String?, sections: [Section]) {
      self.status = status
      self.isFromSettings = isFromSettings
      self.account = account
      self.sections = sections
    }

    /// One library section of a server, or one folder.
    public struct Section: Codable, Hashable, Sendable {
      /// The server's key for it, or the folder.
      public var key: String
      /// Its title.
      public var title: String
      /// True if its music is in the catalogue.
      public var isOn: Bool
      /// The number of tracks that come from it.
      public var tracks: Int
      /// True if a variable or an option names the folder, so that it is not removed here; nil for a server's section.
      public var isFromSettings: Bool?

      public init(key: String, title: String, isOn: Bool, tracks: Int, isFromSettings: Bool? = nil) {
        self.isFromSettings = isFromSettings
        self.key = key
        self.title = title
        self.isOn = isOn
        self.tracks = tracks
      }
    }
  }

  /// Adds a server or a folder; a server that is a source already takes the secret that is given.
  /// Secrets travel here once and are kept in the credential store only. A folder is kept by the
  /// library, looked through at once, and watched.
  public struct AddSource: CommandRequest {
    public static let kind = "library.add-source"
    /// The source's name; refused with `library.badAddress`, `library.sourceAway`, `library.signedOut`,
    /// `library.sourceExists` where it is one already and no secret is given, `library.sourceFromSettings`; for a
    /// folder with `library.folderMissing`, `library.folderUnreadable`.
    public typealias Answer = SourceAdded
    /// The kind, as in `SourceKind`.
    public var type: String
    /// The server's base address, or the folder on the library's host: its whole path, or a `file:` URL.
    public var address: String
    /// The user; nil where the server needs none.
    public var user: String?
    /// The password, token or key; nil where the server needs none, or one is signed in already.
    public var secret: String?
    /// True if the password may be sent in plain text over an unencrypted connection, to a server that accepts nothing
    /// else; nil leaves the setting as it was, which is false at first.
    public var exposesPassword: Bool?
    /// True if plays are reported to the server, for kinds with this setting; nil leaves it as it was, which is false
    /// at first.
    public var forwardsPlays: Bool?
    /// The other settings of the kind; those that are missing stay as they were. `exposesPassword` and `forwardsPlays`
    /// may be given here as well.
    public var settings: [ChosenSetting]?

    public init(
      type: String, address: String, user: String? = nil, secret: String? = nil, exposesPassword: Bool? = nil,
      forwardsPlays: Bool? = nil, settings: [ChosenSetting]? = nil
    ) {
      self.type = type
      self.address = address
      self.user = user
      self.secret = secret
      self.exposesPassword = exposesPassword
      self.forwardsPlays = forwardsPlays
      self.settings = settings
    }
  }

  /// The value that a person chose for a setting of a source.
  public struct ChosenSetting: Codable, Hashable, Sendable {
    /// The key of a `SourceSetting`.
    public var key: String
    /// The text; `true` or `false` for a switch.
    public var value: String

    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// A source that was set up.
  public struct SourceAdded: Codable, Hashable, Sendable {
    /// Its name, the first part of its ids.
    public var name: String

    public init(name: String) { self.name = name }
  }

  /// Forgets a source, or a folder: its music leaves the catalogue, what people did with it stays.
  public struct RemoveSource: CommandRequest {
    public static let kind = "library.remove-source"
    /// Answers once it is gone; refused with `library.unknownSource`, `library.sourceFromSettings`.
    public typealias Answer = Done
    /// The source's name; or a folder that was added, by its whole path. `files` means all of these.
    public var name: String

    public init(name: String) { self.name = name }
  }

  /// Sets the order in which sources are preferred, for copies of tracks and for texts about albums and artists.
  public struct OrderSources: CommandRequest {
    public static let kind = "library.order-sources"
    /// The resulting order; refused with `library.unknownSource`.
    public typealias Answer = SourceOrder
    /// The sources that are to come first, best first; the others follow as they were.
    public var names: [String]

    public init(names: [String]) { self.names = names }
  }

  /// The order of all sources.
  public struct SourceOrder: Codable, Hashable, Sendable {
    /// Their names, best first.
    public var names: [String]

    public init(names: [String]) { self.names = names }
  }

  /// Switches a section of a source on or off.
  public struct SwitchSection: CommandRequest {
    public static let kind = "library.switch-section"
    /// Answers once it is noted; refused with `library.unknownSource`.
    public typealias Answer = Done
    /// The source's name.
    public var source: String
    /// The section's key.
    public var section: String
    /// True if its music is to be in the catalogue.
    public var isOn: Bool

    public init(source: String, section: String, isOn: Bool) {
      self.source = source
      self.section = section
      self.isOn = isOn
    }
  }

  /// Begins to sign in at a service: a person opens the link, or types the code there.
  public struct BeginSignIn: CommandRequest {
    public static let kind = "library.begin-sign-in"
    /// The places where a person signs in; refused with `library.signInUnavailable`.
    public typealias Answer = SignIn
    /// A kind of source that is signed in at by a link, as in `SourceKind`.
    public var service: String

    public init(service: String) { self.service = service }
  }

  /// A sign-in that waits for a person.
  public struct SignIn: Codable, Hashable, Sendable {
    /// The name of this sign-in in `ReadSignIn`.
    public var id: String
    /// The code to type at `page`.
    public var code: String
    /// The page at which to type the code.
    public var page: String
    /// A link that needs no typing.
    public var link: String
    /// The time at which it ends by itself.
    public var expiresAt: Timestamp

    public init(id: String, code: String, page: String, link: String, expiresAt: Timestamp) {
      self.id = id
      self.code = code
      self.page = page
      self.link = link
      self.expiresAt = expiresAt
    }
  }

  /// Reads the state of a sign-in.
  public struct ReadSignIn: ReadRequest {
    public static let kind = "library.read-sign-in"
    /// The state; refused with `library.unknownSignIn`.
    public typealias Answer = SignInState
    /// The sign-in.
    public var id: String

    public init(id: String) { self.id = id }
  }

  /// The state of a sign-in.
  public struct SignInState: Codable, Hashable, Sendable {
    /// `waiting`, `done`, `expired` or `failed`.
    public var state: String
    /// The account once it is done, as people know it.
    public var account: String?
    /// The sources that came with it.
    public var sources: [String]
    /// The reason why it failed.
    public var error: LunaraError?

    public init(state: String, account: String? = nil, sources: [String] = [], error: LunaraError? = nil) {
      self.state = state
      self.account = account
      self.sources = sources
      self.error = error
    }
  }

  /// Signs out: the service's token is forgotten, its music stays listed until the source is removed.
  public struct SignOut: CommandRequest {
    public static let kind = "library.sign-out"
    /// Answers once it is forgotten; refused with `library.signedOut` where nobody is signed in.
    public typealias Answer = Done
    /// A kind of source that is signed in at by a link, or the name of a source.
    public var service: String

    public init(service: String) { self.service = service }
  }
}
