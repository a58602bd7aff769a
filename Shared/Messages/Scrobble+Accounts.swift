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

    public init(services: [ServiceDescriptor]) { self.services = services }
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
    /// By service and name.
    public var accounts: [Account]

    public init(accounts: [Account]) { self.accounts = accounts }
  }

  /// One account at one service, and its status.
  public struct Account: Codable, Hashable, Sendable {
    /// The kind of service, as in `ServiceDescriptor`.
    public var service: String
    /// The user's name there, followed by `@` and the server's where that is not the service's own.
    public var account: String
    /// The server's address.
    public var address: String
    /// True while new scrobbles are sent to it.
    public var isOn: Bool
    /// `ready`, `waiting` while the service does not answer or limits requests, `signed-out`, `refused` or `off`.
    public var state: String
    /// Deliveries that are still to come.
    public var pending: Int
    /// Deliveries that were refused.
    public var failed: Int
    /// The reason why nothing is sent; nil while all is well.
    public var error: LunaraError?
    /// The time of the next request; nil where nothing delays it.
    public var waitsUntil: Timestamp?
    /// True where variables or options set it, so that a sign-out is refused.
    public var isFromSettings: Bool

    public init(
      service: String, account: String, address: String, isOn: Bool, state: String, pending: Int, failed: Int,
      error: LunaraError? = nil, waitsUntil: Timestamp? = nil, isFromSettings: Bool = false
    ) {
      self.service = service
      self.account = account
      self.address = address
      self.isOn = isOn
      self.state = state
      self.pending = pending
      self.failed = failed
      self.error = error
      self.waitsUntil = waitsUntil
      self.isFromSettings = isFromSettings
    }
  }

  /// Switches accounts on or off. One that is off gets nothing, and keeps what waits.
  public struct SwitchAccount: CommandRequest {
    public static let kind = "scrobble.switch-account"
    /// The accounts afterwards; refused with `scrobble.unknownAccount`.
    public typealias Answer = AccountList
    /// Only those of this service; nil for all.
    public var service: String?
    /// Only this one of the service; nil for all.
    public var account: String?
    /// True to switch them on.
    public var isOn: Bool

    public init(service: String? = nil, account: String? = nil, isOn: Bool) {
      self.service = service
      self.account = account
      self.isOn = isOn
    }
  }

  /// Adds an account, or signs in to one again, with a token or password. The secret travels once and is stored only in
  /// the credential store.
  public struct AddAccount: CommandRequest {
    public static let kind = "scrobble.add-account"
    /// The account; refused with `scrobble.badSignIn`, `scrobble.badAddress`, `scrobble.serviceAway`, `scrobble.noKey`.
    public typealias Answer = AccountAdded
    /// The kind of service, one whose descriptor lists `token` or `password`.
    public var service: String
    /// The server's base address; nil for what is set, or else the service's own.
    public var address: String?
    /// The user; nil for a token.
    public var user: String?
    /// The token or password.
    public var secret: String

    public init(service: String, address: String? = nil, user: String? = nil, secret: String) {
      self.service = service
      self.address = address
      self.user = user
      self.secret = secret
    }
  }

  /// An account that was set up.
  public struct AccountAdded: Codable, Hashable, Sendable {
    /// The service.
    public var service: String
    /// The account's name.
    public var account: String

    public init(service: String, account: String) {
      self.service = service
      self.account = account
    }
  }

  /// Begins to sign in at a service by a link that a person opens.
  public struct BeginSignIn: CommandRequest {
    public static let kind = "scrobble.begin-sign-in"
    /// The link; refused with `scrobble.noKey`, `scrobble.badAddress`, `scrobble.serviceAway`, `scrobble.refused`.
    public typealias Answer = SignIn
    /// The kind of service, one whose descriptor lists `link`.
    public var service: String
    /// The server's base address; nil for what is set, or else the service's own.
    public var address: String?
    /// The page to sign in at; nil for the one that belongs to the address.
    public var page: String?

    public init(service: String, address: String? = nil, page: String? = nil) {
      self.service = service
      self.address = address
      self.page = page
    }
  }

  /// A sign-in that waits for a person.
  public struct SignIn: Codable, Hashable, Sendable {
    /// The name of this sign-in in `ReadSignIn`.
    public var id: String
    /// The link to open.
    public var link: String
    /// The time at which it ends by itself.
    public var expiresAt: Timestamp

    public init(id: String, link: String, expiresAt: Timestamp) {
      self.id = id
      self.link = link
      self.expiresAt = expiresAt
    }
  }

  /// Reads the state of a sign-in.
  public struct ReadSignIn: ReadRequest {
    public static let kind = "scrobble.read-sign-in"
    /// Its state; refused with `scrobble.unknownSignIn`.
    public typealias Answer = SignInState
    /// The sign-in.
    public var id: String

    public init(id: String) { self.id = id }
  }

  /// The state of a sign-in.
  public struct SignInState: Codable, Hashable, Sendable {
    /// `waiting`, `done`, `expired` or `failed`.
    public var state: String
    /// The link to open now, which changes where the service requires a new token; nil once it is over.
    public var link: String?
    /// The account once it is done.
    public var account: String?
    /// The reason why it failed.
    public var error: LunaraError?

    public init(state: String, link: String? = nil, account: String? = nil, error: LunaraError? = nil) {
      self.state = state
      self.link = link
      self.account = account
      self.error = error
    }
  }

  /// Signs out: the secret is forgotten, and the account is off. What waits for it is kept.
  public struct SignOut: CommandRequest {
    public static let kind = "scrobble.sign-out"
    /// The accounts that were signed out; refused with `scrobble.unknownAccount`, `scrobble.fromSettings`.
    public typealias Answer = AccountList
    /// The service.
    public var service: String
    /// Only this one; nil for all of the service.
    public var account: String?

    public init(service: String, account: String? = nil) {
      self.service = service
      self.account = account
    }
  }
}
