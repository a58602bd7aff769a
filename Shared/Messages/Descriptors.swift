public import Model

// Descriptions of the kinds of sources and scrobble services, from which the CLI and the page offer them without code
// for each kind.

/// A way to sign in at a source or at a scrobble service.
public enum SignInMethod: String, TolerantName {
  /// A person opens a link and allows access there: `BeginSignIn`, then `ReadSignIn` until it ends. Then the servers of
  /// the person's account become sources.
  case link
  /// A person gives a token or key: `AddSource` or `AddAccount` with the secret.
  case token
  /// A person gives a user name and a password: `AddSource` or `AddAccount` with both.
  case password
  case unknown
}

/// A function of a source beside giving music, or of a scrobble service beside accepting scrobbles.
public enum Capability: String, TolerantName {
  /// It stores ratings. The library stores the ratings of items of other sources.
  case ratings
  case plays
  /// It shows the track that is playing now.
  case nowPlaying
  case playlists
  /// Its playlists can be edited here.
  case playlistEdits
  /// It notifies the library of changes, which is then refreshed at once.
  case notifications
  /// It accepts loves: that a track is loved, or no longer is.
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
    /// A sentence that describes the servers of this kind, such as those that speak its protocol.
    public var hint: String? = nil
    /// The ways to sign in; the usual one comes first. Empty if no sign-in is needed.
    public var signIn: [SignInMethod] = []
    /// The settings that `AddSource` takes for this kind, in the order in which a person is asked for them.
    public var settings: [SourceSetting] = []
    /// The functions of sources of this kind beside giving music.
    public var capabilities: [Capability] = []
  }

  /// A setting of a source that a person is asked for.
  public struct SourceSetting: Codable, Hashable, Sendable {
    /// The member of `AddSource` that carries the value: `address`, `user` or `secret`, else a key of its `settings`.
    public var key: String
    /// The label on screen, such as `Address`.
    public var title: String
    /// The meaning in a few words.
    public var meaning: String
    /// The variable that sets it, such as `LUNARA_PLEX_TOKEN`; nil if there is none.
    public var name: String? = nil
    /// True if the value must not be shown while it is typed, and is stored in the credential store only.
    public var isSecret: Bool = false
    /// True if the setting is either on or off; its value is `true` or `false`.
    public var isSwitch: Bool = false
    /// True if the source cannot be added without it.
    public var isRequired: Bool = false
  }
}

extension Scrobble {
  /// A kind of scrobble service.
  public struct ServiceDescriptor: Codable, Hashable, Sendable {
    /// The name in requests, in the database and on the command line, such as `lastfm`.
    public var kind: String
    /// The name on screen, such as `Last.fm`.
    public var title: String
    /// The address of the service's own server; accounts at other servers of its protocol have their own address.
    public var address: String
    /// The ways to sign in; the usual one comes first.
    public var signIn: [SignInMethod]
    /// A description, in sentences, of what a person needs before signing in; nil if nothing is needed.
    public var hint: String? = nil
    /// The web page that gives the key or token; nil if none is needed.
    public var page: String? = nil
    /// The settings of this service.
    public var settings: [ServiceSetting]
    /// The functions of the service beside accepting scrobbles.
    public var capabilities: [Capability]
  }

  /// A setting of a scrobble service.
  public struct ServiceSetting: Codable, Hashable, Sendable {
    /// The variable, such as `LUNARA_LASTFM_KEY`.
    public var name: String
    /// The meaning in a few words.
    public var meaning: String
    /// True if the value must not be shown.
    public var isSecret: Bool

    public init(_ name: String, _ meaning: String, isSecret: Bool = false) {
      self.name = name
      self.meaning = meaning
      self.isSecret = isSecret
    }
  }
}
