// The kinds of sources and of scrobble services, described so that the CLI and the page can offer them without knowing
// them.

/// A way to sign in at a source or at a scrobble service.
public enum SignInMethod: String, TolerantName {
  /// A person opens a link and allows Lunara there: `BeginSignIn`, then `ReadSignIn` until it ends. The servers of an
  /// account at a kind of source become sources.
  case link
  /// A person gives a token or key: `AddSource` or `AddAccount` with it as the secret.
  case token
  /// A person gives a user and a password: `AddSource` or `AddAccount` with both.
  case password
  case unknown
}

/// Something that a source does beside giving music, or a scrobble service besides taking scrobbles.
public enum Capability: String, TolerantName {
  /// It keeps ratings. Those of other sources are kept by the library.
  case ratings
  case plays
  /// It shows what is played just now.
  case nowPlaying
  case playlists
  /// It tells of changes by itself, so that it is read at once.
  case notifications
  /// It is told that a track is loved, or no longer is.
  case loves
  case unknown
}

extension Library {
  /// A kind of source.
  public struct SourceKind: Codable, Hashable, Sendable {
    /// The name in requests, in the database and on the command line, such as `subsonic`.
    public var kind: String
    /// The name on screen, such as `Subsonic`.
    public var title: String
    /// The things that this kind stands for, in a plain sentence, such as the servers that speak its protocol.
    public var hint: String?
    /// The ways to sign in; the first is the usual one. Empty where nobody signs in.
    public var signIn: [SignInMethod]
    /// The settings that `AddSource` takes for this kind, in the order in which to ask for them.
    public var settings: [SourceSetting]
    /// The things that sources of this kind can do beside giving music.
    public var capabilities: [Capability]

    public init(
      kind: String, title: String, hint: String? = nil, signIn: [SignInMethod] = [], settings: [SourceSetting] = [],
      capabilities: [Capability] = []
    ) {
      self.kind = kind
      self.title = title
      self.hint = hint
      self.signIn = signIn
      self.settings = settings
      self.capabilities = capabilities
    }
  }

  /// A setting of a source, as a person is asked for it.
  public struct SourceSetting: Codable, Hashable, Sendable {
    /// The member of `AddSource` that carries it: `address`, `user` or `secret`, else a key of its `settings`.
    public var key: String
    /// The label on screen, such as `Address`.
    public var title: String
    /// The meaning in a few words.
    public var meaning: String
    /// The variable that gives it without a person, such as `LUNARA_PLEX_TOKEN`; nil where there is none.
    public var name: String?
    /// True for what is not shown while it is typed, and kept in the credential store only.
    public var isSecret: Bool
    /// True for what is either on or off; its text is `true` or `false`.
    public var isSwitch: Bool
    /// True for what a source cannot be without.
    public var isRequired: Bool

    public init(
      key: String, title: String, meaning: String, name: String? = nil, isSecret: Bool = false, isSwitch: Bool = false,
      isRequired: Bool = false
    ) {
      self.key = key
      self.title = title
      self.meaning = meaning
      self.name = name
      self.isSecret = isSecret
      self.isSwitch = isSwitch
      self.isRequired = isRequired
    }
  }
}

extension Scrobble {
  /// A kind of scrobble service.
  public struct ServiceDescriptor: Codable, Hashable, Sendable {
    /// The name in requests, in the database and on the command line, such as `lastfm`.
    public var kind: String
    /// The name on screen, such as `Last.fm`.
    public var title: String
    /// The address of the service's own server; others that speak its protocol are named by their address.
    public var address: String
    /// The ways to sign in; the first is the usual one.
    public var signIn: [SignInMethod]
    /// The things a person needs before signing in, as plain sentences; nil where nothing.
    public var hint: String?
    /// The web page that gives the key or token; nil where none is needed.
    public var page: String?
    /// The settings of this service.
    public var settings: [ServiceSetting]
    /// The things that the service accepts besides scrobbles.
    public var capabilities: [Capability]

    public init(
      kind: String, title: String, address: String, signIn: [SignInMethod], hint: String? = nil, page: String? = nil,
      settings: [ServiceSetting], capabilities: [Capability]
    ) {
      self.kind = kind
      self.title = title
      self.address = address
      self.signIn = signIn
      self.hint = hint
      self.page = page
      self.settings = settings
      self.capabilities = capabilities
    }
  }

  /// A setting of a scrobble service.
  public struct ServiceSetting: Codable, Hashable, Sendable {
    /// The variable, such as `LUNARA_LASTFM_KEY`.
    public var name: String
    /// The meaning in a few words.
    public var meaning: String
    /// True where its value must not be shown.
    public var isSecret: Bool

    public init(_ name: String, _ meaning: String, isSecret: Bool = false) {
      self.name = name
      self.meaning = meaning
      self.isSecret = isSecret
    }
  }
}
