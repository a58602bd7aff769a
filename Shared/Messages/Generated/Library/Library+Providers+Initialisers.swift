// Generated from Library+Providers.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ChosenWay {
  public init(part: Library.SyncPart, way: Library.SyncWay, _: Void = ()) {
    self.part = part
    self.way = way
  }
}

extension Library.ProviderList {
  public init(providers: [Library.Provider], kinds: [Library.ProviderKind], _: Void = ()) {
    self.providers = providers
    self.kinds = kinds
  }
}

extension Library.ProviderKind {
  public init(
    kind: String, title: String, signIn: SignInMethod, hint: String, page: String, parts: [Library.ProviderPart],
    _: Void = ()
  ) {
    self.kind = kind
    self.title = title
    self.signIn = signIn
    self.hint = hint
    self.page = page
    self.parts = parts
  }
}

extension Library.ProviderPart {
  public init(part: Library.SyncPart, way: Library.SyncWay, ways: [Library.SyncWay], _: Void = ()) {
    self.part = part
    self.way = way
    self.ways = ways
  }
}

extension Library.Provider {
  public init(
    name: String, kind: String, title: String, account: String? = nil, health: String, isSource: Bool = false,
    parts: [Library.ProviderPart] = [], lastRun: Timestamp? = nil, nextRun: Timestamp? = nil, added: Int = 0,
    removed: Int = 0, held: Int = 0, problem: LunaraError? = nil, _: Void = ()
  ) {
    self.name = name
    self.kind = kind
    self.title = title
    self.account = account
    self.health = health
    self.isSource = isSource
    self.parts = parts
    self.lastRun = lastRun
    self.nextRun = nextRun
    self.added = added
    self.removed = removed
    self.held = held
    self.problem = problem
  }
}

extension Library.LinkProvider {
  public init(
    type: String, token: String? = nil, clientID: String? = nil, redirect: String? = nil, address: String? = nil,
    name: String? = nil, parts: [Library.ChosenWay]? = nil, _: Void = ()
  ) {
    self.type = type
    self.token = token
    self.clientID = clientID
    self.redirect = redirect
    self.address = address
    self.name = name
    self.parts = parts
  }
}

extension Library.ProviderLinking {
  public init(provider: Library.Provider? = nil, open: String? = nil, _: Void = ()) {
    self.provider = provider
    self.open = open
  }
}

extension Library.SetProvider {
  public init(
    name: String, parts: [Library.ChosenWay] = [], leave: [String]? = nil, take: [String]? = nil, _: Void = ()
  ) {
    self.name = name
    self.parts = parts
    self.leave = leave
    self.take = take
  }
}

extension Library.UnlinkProvider {
  public init(name: String, _: Void = ()) { self.name = name }
}

extension Library.SyncProvider {
  public init(name: String, _: Void = ()) { self.name = name }
}
