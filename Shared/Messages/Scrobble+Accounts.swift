public import Model

/// Scrobble services, and the accounts at them.
extension Scrobble {
  /// Reads the kinds of scrobble services that this version knows.
  public struct ListServices: ReadRequest {
    public static let kind = "scrobble.list-services"
    /// The services, in the order in which they are offered.
    public typealias Answer = ServiceList

    public init() {}
  }

  /// The kinds of scrobble services that a scrobbler knows.
  public struct ServiceList: Codable, Hashable, Sendable {
    /// The services, in the order in which they are offered.
    public var services: [ServiceDescriptor]
  }

  /// Reads the accounts that are set up.
  public struct ListAccounts: ReadRequest {
    public static let kind = "scrobble.list-accounts"
    /// The accounts, by service and name.
    public typealias Answer = AccountList

    public init() {}
  }

  /// The accounts that are set up.
  public struct AccountList: Codable, Hashable, Sendable {
    /// The accounts, by service and name.
    public var accounts: [Account]
  }

  /// One account at one service, and its status.
  public struct Account: Codable, Hashable, Sendable {
    /// The kind of service, as in `ServiceDescriptor`.
    public var service: String
    /// The user's name there, followed by `@` and the server's name if it is not the service's own server.
    public var account: String
    /// The server's address.
    public var address: String
    /// True while scrobbles are sent to it.
    public var isOn: Bool
    /// `ready`, `waiting` while the service does not answer or limits requests, `signed-out`, `refused` or `off`.
    public var state: String
    /// The number of deliveries that are not sent yet.
    public var pending: Int
    /// The number of deliveries that were refused.
    public var failed: Int
    /// The reason why nothing is sent; nil if there is no problem.
    public var error: LunaraError? = nil
    /// The time before which no request is sent; nil if nothing delays it.
    public var waitsUntil: Timestamp? = nil
    /// True if variables or options set it, so that signing out is refused.
    public var isFromSettings: Bool = false
  }

  /// Switches accounts on or off. While an account is off, nothing is sent to it, and its deliveries are kept.
  public struct SwitchAccount: CommandRequest {
    public static let kind = "scrobble.switch-account"
    /// The accounts afterwards; refused with `scrobble.unknownAccount`.
    public typealias Answer = AccountList
    /// Only the accounts of this service; nil for all.
    public var service: String? = nil
    /// Only this account of the service; nil for all.
    public var account: String? = nil
    /// True to switch them on: they get listens that count. What waits for an account that is off is kept.
    public var isOn: Bool
  }

  /// Adds an account, or signs in to one again, with a token or password. The secret is sent only in this request and
  /// stored in the credential store only.
  public struct AddAccount: CommandRequest {
    public static let kind = "scrobble.add-account"
    /// The account; refused with `scrobble.badSignIn`, `scrobble.badAddress`, `scrobble.serviceAway`, `scrobble.noKey`.
    public typealias Answer = AccountAdded
    /// The kind of service, one whose `signIn` lists `token` or `password`.
    public var service: String
    /// The server's base address; nil for the one in the settings, or else the service's own.
    public var address: String? = nil
    /// The user; nil for a token.
    public var user: String? = nil
    /// The token or password, which is kept in the credential store only.
    public var secret: String
  }

  /// An account that was set up.
  public struct AccountAdded: Codable, Hashable, Sendable {
    /// The service.
    public var service: String
    /// The account's name.
    public var account: String
  }

  /// Begins a sign-in by a link that a person opens.
  public struct BeginSignIn: CommandRequest {
    public static let kind = "scrobble.begin-sign-in"
    /// The link; refused with `scrobble.noKey`, `scrobble.badAddress`, `scrobble.serviceAway`, `scrobble.refused`.
    public typealias Answer = SignIn
    /// The kind of service, one whose `signIn` lists `link`.
    public var service: String
    /// The server's base address; nil for the one in the settings, or else the service's own.
    public var address: String? = nil
    /// The page for signing in; nil for the one that belongs to the address.
    public var page: String? = nil
  }

  /// A sign-in that waits for a person.
  public struct SignIn: Codable, Hashable, Sendable {
    /// The id of this sign-in for `ReadSignIn`.
    public var id: String
    /// The link to open.
    public var link: String
    /// The time when the sign-in expires.
    public var expiresAt: Timestamp
  }

  /// Reads the state of a sign-in.
  public struct ReadSignIn: ReadRequest {
    public static let kind = "scrobble.read-sign-in"
    /// The state; refused with `scrobble.unknownSignIn`.
    public typealias Answer = SignInState
    /// The sign-in.
    public var id: String
  }

  /// The state of a sign-in.
  public struct SignInState: Codable, Hashable, Sendable {
    /// `waiting`, `done`, `expired` or `failed`.
    public var state: String
    /// The link to open now, which may change if the service requires a new token; nil after the end.
    public var link: String? = nil
    /// The name of the account after signing in.
    public var account: String? = nil
    /// The reason why it failed.
    public var error: LunaraError? = nil
  }

  /// Signs out: the secret is deleted, and the account is switched off. Its deliveries are kept.
  public struct SignOut: CommandRequest {
    public static let kind = "scrobble.sign-out"
    /// The accounts that were signed out; refused with `scrobble.unknownAccount`, `scrobble.fromSettings`.
    public typealias Answer = AccountList
    /// The service.
    public var service: String
    /// Only this account; nil for all of the service.
    public var account: String? = nil
  }
}
