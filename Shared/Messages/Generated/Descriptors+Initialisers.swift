// Generated from Descriptors.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file

extension Library.SourceKind {
  public init(
    kind: String, title: String, hint: String? = nil, signIn: [SignInMethod] = [],
    settings: [Library.SourceSetting] = [], capabilities: [Capability] = [], _: Void = ()
  ) {
    self.kind = kind
    self.title = title
    self.hint = hint
    self.signIn = signIn
    self.settings = settings
    self.capabilities = capabilities
  }
}

extension Library.SourceSetting {
  public init(
    key: String, title: String, meaning: String, name: String? = nil, isSecret: Bool = false, isSwitch: Bool = false,
    isRequired: Bool = false, _: Void = ()
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

extension Scrobble.ServiceDescriptor {
  public init(
    kind: String, title: String, address: String, signIn: [SignInMethod], hint: String? = nil, page: String? = nil,
    settings: [Scrobble.ServiceSetting], capabilities: [Capability], _: Void = ()
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
