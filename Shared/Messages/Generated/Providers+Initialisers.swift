// Generated from Providers.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Providers.SignIn {
  public init(request: Library.LinkProvider, _: Void = ()) { self.request = request }
}

extension Providers.SignInStep {
  public init(open: String? = nil, account: String? = nil, ticket: String? = nil, _: Void = ()) {
    self.open = open
    self.account = account
    self.ticket = ticket
  }
}

extension Providers.KeepSignIn {
  public init(ticket: String, name: String, _: Void = ()) {
    self.ticket = ticket
    self.name = name
  }
}

extension Providers.Forget {
  public init(name: String, _: Void = ()) { self.name = name }
}

extension Providers.Connect {
  public init(
    name: String, type: String, address: String? = nil, account: String? = nil, pacing: ProviderPacing, _: Void = ()
  ) {
    self.name = name
    self.type = type
    self.address = address
    self.account = account
    self.pacing = pacing
  }
}

extension Providers.Connected {
  public init(run: String, _: Void = ()) { self.run = run }
}

extension Providers.Reading {
  public init(
    lists: [RemoteList]? = nil, entries: [RemoteEntry]? = nil, items: [RemoteItem]? = nil, reading: Int? = nil,
    pages: Int? = nil, total: Int? = nil, snapshot: String? = nil, native: String? = nil,
    capabilities: ListCapabilities? = nil, pacing: ProviderPacing? = nil, _: Void = ()
  ) {
    self.lists = lists
    self.entries = entries
    self.items = items
    self.reading = reading
    self.pages = pages
    self.total = total
    self.snapshot = snapshot
    self.native = native
    self.capabilities = capabilities
    self.pacing = pacing
  }
}

extension Providers.Changed {
  public init(native: String? = nil, _: Void = ()) { self.native = native }
}

extension Providers.HideReleaseGroup {
  public init(releaseGroup: String, _: Void = ()) { self.releaseGroup = releaseGroup }
}
