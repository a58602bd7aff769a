// Generated from Scrobble+Accounts.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Scrobble.ServiceList {
  public init(services: [Scrobble.ServiceDescriptor], _: Void = ()) { self.services = services }
}

extension Scrobble.AccountList {
  public init(accounts: [Scrobble.Account], _: Void = ()) { self.accounts = accounts }
}

extension Scrobble.Account {
  public init(
    service: String, account: String, address: String, isOn: Bool, state: String, pending: Int, failed: Int,
    error: LunaraError? = nil, waitsUntil: Timestamp? = nil, isFromSettings: Bool = false, _: Void = ()
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

extension Scrobble.SwitchAccount {
  public init(service: String? = nil, account: String? = nil, isOn: Bool, _: Void = ()) {
    self.service = service
    self.account = account
    self.isOn = isOn
  }
}

extension Scrobble.AddAccount {
  public init(service: String, address: String? = nil, user: String? = nil, secret: String, _: Void = ()) {
    self.service = service
    self.address = address
    self.user = user
    self.secret = secret
  }
}

extension Scrobble.AccountAdded {
  public init(service: String, account: String, _: Void = ()) {
    self.service = service
    self.account = account
  }
}

extension Scrobble.BeginSignIn {
  public init(service: String, address: String? = nil, page: String? = nil, _: Void = ()) {
    self.service = service
    self.address = address
    self.page = page
  }
}

extension Scrobble.SignIn {
  public init(id: String, link: String, expiresAt: Timestamp, _: Void = ()) {
    self.id = id
    self.link = link
    self.expiresAt = expiresAt
  }
}

extension Scrobble.ReadSignIn {
  public init(id: String, _: Void = ()) { self.id = id }
}

extension Scrobble.SignInState {
  public init(state: String, link: String? = nil, account: String? = nil, error: LunaraError? = nil, _: Void = ()) {
    self.state = state
    self.link = link
    self.account = account
    self.error = error
  }
}

extension Scrobble.SignOut {
  public init(service: String, account: String? = nil, _: Void = ()) {
    self.service = service
    self.account = account
  }
}
