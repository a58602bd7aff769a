public import Model

/// Where what counted is sent.
extension Scrobble {
  /// The accounts that are set up.
  public struct ListAccounts: Request {
    /// The stable name.
    public static let kind = "scrobble.list-accounts"
    /// It changes nothing.
    public static let isCommand = false
    /// The accounts, by service and name.
    public typealias Answer = AccountList

    /// Makes a request.
    public init() {}
  }

  /// The accounts that are set up.
  public struct AccountList: Codable, Hashable, Sendable {
    /// By service and name.
    public var accounts: [Account]

    /// Makes a list.
    public init(accounts: [Account]) { self.accounts = accounts }
  }

  /// One account at one service, and how it fares.
  public struct Account: Codable, Hashable, Sendable {
    /// `lastfm`, or any server of that protocol; `listenbrainz`, likewise.
    public var service: String
    /// Its name: the user's there, with `@` and the server's where that is another than the service's own.
    public var account: String
    /// The server's address.
    public var address: String
    /// Whether it gets what counts.
    public var isOn: Bool
    /// `ready`, `waiting` where the service is away or limits us, `signed-out`, `refused`, `off`.
    public var state: String
    /// Deliveries that are still to come.
    public var pending: Int
    /// Deliveries that were refused.
    public var failed: Int
    /// What is wrong; nil where all is well.
    public var error: LunaraError?
    /// When the service is asked again; nil where at once.
    public var waitsUntil: Timestamp?
    /// Whether it was set by variables or options, so that one does not sign out of it here.
    public var isFromSettings: Bool

    /// Makes an account.
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
  public struct SwitchAccount: Request {
    /// The stable name.
    public static let kind = "scrobble.switch-account"
    /// It changes where things are sent.
    public static let isCommand = true
    /// The accounts afterwards; refused with `scrobble.unknownAccount`.
    public typealias Answer = AccountList
    /// Only those of this service; nil for all.
    public var service: String?
    /// Only this one of the service; nil for all.
    public var account: String?
    /// Whether they are to be on.
    public var isOn: Bool

    /// Makes a request.
    public init(service: String? = nil, account: String? = nil, isOn: Bool) {
      self.service = service
      self.account = account
      self.isOn = isOn
    }
  }

  /// Adds an account, or signs in at one anew, with a secret that a person has. It travels here once and is kept in the
  /// credential store only.
  public struct AddAccount: Request {
    /// The stable name.
    public static let kind = "scrobble.add-account"
    /// It sets an account up.
    public static let isCommand = true
    /// The account; refused with `scrobble.badSignIn`, `scrobble.badAddress`, `scrobble.serviceAway`, `scrobble.noKey`.
    public typealias Answer = AccountAdded
    /// `lastfm` (a user with a password, for servers that have no page to sign in at) or `listenbrainz` (a token).
    public var service: String
    /// The server's base address; nil for what is set, or else the service's own.
    public var address: String?
    /// The user; nil for a token.
    public var user: String?
    /// The token or password.
    public var secret: String

    /// Makes a request.
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

    /// Makes an answer.
    public init(service: String, account: String) {
      self.service = service
      self.account = account
    }
  }

  /// Begins to sign in at a server of Last.fm's protocol: a person opens the link.
  public struct BeginSignIn: Request {
    /// The stable name.
    public static let kind = "scrobble.begin-sign-in"
    /// It begins something at the service.
    public static let isCommand = true
    /// Where to go; refused with `scrobble.noKey`, `scrobble.badAddress`, `scrobble.serviceAway`, `scrobble.refused`.
    public typealias Answer = SignIn
    /// `lastfm`.
    public var service: String
    /// The server's base address; nil for what is set, or else the service's own.
    public var address: String?
    /// The page to sign in at; nil for the one that belongs to the address.
    public var page: String?

    /// Makes a request.
    public init(service: String, address: String? = nil, page: String? = nil) {
      self.service = service
      self.address = address
      self.page = page
    }
  }

  /// A sign-in that waits for a person.
  public struct SignIn: Codable, Hashable, Sendable {
    /// Names it in `ReadSignIn`.
    public var id: String
    /// What to open.
    public var link: String
    /// When it ends by itself.
    public var expiresAt: Timestamp

    /// Makes a sign-in.
    public init(id: String, link: String, expiresAt: Timestamp) {
      self.id = id
      self.link = link
      self.expiresAt = expiresAt
    }
  }

  /// Asks how a sign-in stands.
  public struct ReadSignIn: Request {
    /// The stable name.
    public static let kind = "scrobble.read-sign-in"
    /// It changes nothing: the scrobbler itself follows the sign-in.
    public static let isCommand = false
    /// How it stands; refused with `scrobble.unknownSignIn`.
    public typealias Answer = SignInState
    /// The sign-in.
    public var id: String

    /// Makes a request.
    public init(id: String) { self.id = id }
  }

  /// How a sign-in stands.
  public struct SignInState: Codable, Hashable, Sendable {
    /// `waiting`, `done`, `expired` or `failed`.
    public var state: String
    /// What to open now: another link than before where the service wants a new beginning; nil once it is over.
    public var link: String?
    /// The account once it is done.
    public var account: String?
    /// Why it failed.
    public var error: LunaraError?

    /// Makes a state.
    public init(state: String, link: String? = nil, account: String? = nil, error: LunaraError? = nil) {
      self.state = state
      self.link = link
      self.account = account
      self.error = error
    }
  }

  /// Signs out: the secret is forgotten, and the account is off. What waits for it is kept.
  public struct SignOut: Request {
    /// The stable name.
    public static let kind = "scrobble.sign-out"
    /// It forgets a secret.
    public static let isCommand = true
    /// The accounts that were signed out; refused with `scrobble.unknownAccount`, `scrobble.fromSettings`.
    public typealias Answer = AccountList
    /// The service.
    public var service: String
    /// Only this one; nil for all of the service.
    public var account: String?

    /// Makes a request.
    public init(service: String, account: String? = nil) {
      self.service = service
      self.account = account
    }
  }
}
