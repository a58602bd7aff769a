// Generated from Library+Sources.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.SourceList {
  public init(sources: [Library.SourceDetail], kinds: [Library.SourceKind]? = nil, _: Void = ()) {
    self.sources = sources
    self.kinds = kinds
  }
}

extension Library.SourceDetail.Section {
  public init(key: String, title: String, isOn: Bool, tracks: Int, isFromSettings: Bool? = nil, _: Void = ()) {
    self.key = key
    self.title = title
    self.isOn = isOn
    self.tracks = tracks
    self.isFromSettings = isFromSettings
  }
}

extension Library.SourceDetail {
  public init(status: Library.SourceStatus, isFromSettings: Bool, account: String?, sections: [Section], _: Void = ()) {
    self.status = status
    self.isFromSettings = isFromSettings
    self.account = account
    self.sections = sections
  }
}

extension Library.AddSource {
  public init(
    type: String, address: String, user: String? = nil, secret: String? = nil, exposesPassword: Bool? = nil,
    forwardsPlays: Bool? = nil, settings: [Library.ChosenSetting]? = nil, _: Void = ()
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

extension Library.ChosenSetting {
  public init(key: String, value: String, _: Void = ()) {
    self.key = key
    self.value = value
  }
}

extension Library.SourceAdded {
  public init(name: String, _: Void = ()) { self.name = name }
}

extension Library.RemoveSource {
  public init(name: String, _: Void = ()) { self.name = name }
}

extension Library.OrderSources {
  public init(names: [String], _: Void = ()) { self.names = names }
}

extension Library.SourceOrder {
  public init(names: [String], _: Void = ()) { self.names = names }
}

extension Library.SwitchSection {
  public init(source: String, section: String, isOn: Bool, _: Void = ()) {
    self.source = source
    self.section = section
    self.isOn = isOn
  }
}

extension Library.BeginSignIn {
  public init(service: String, _: Void = ()) { self.service = service }
}

extension Library.SignIn {
  public init(id: String, code: String, page: String, link: String, expiresAt: Timestamp, _: Void = ()) {
    self.id = id
    self.code = code
    self.page = page
    self.link = link
    self.expiresAt = expiresAt
  }
}

extension Library.ReadSignIn {
  public init(id: String, _: Void = ()) { self.id = id }
}

extension Library.SignInState {
  public init(state: String, account: String? = nil, sources: [String] = [], error: LunaraError? = nil, _: Void = ()) {
    self.state = state
    self.account = account
    self.sources = sources
    self.error = error
  }
}

extension Library.SignOut {
  public init(service: String, _: Void = ()) { self.service = service }
}
