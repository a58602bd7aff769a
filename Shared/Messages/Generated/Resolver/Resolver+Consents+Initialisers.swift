// Generated from Resolver+Consents.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file

extension Resolver.PluginServer {
  public init(setting: String, address: String, isAllowed: Bool, isProposed: Bool, _: Void = ()) {
    self.setting = setting
    self.address = address
    self.isAllowed = isAllowed
    self.isProposed = isProposed
  }
}

extension Resolver.ServerConsent {
  public init(setting: String, address: String, digest: String, isAllowed: Bool = true, _: Void = ()) {
    self.setting = setting
    self.address = address
    self.digest = digest
    self.isAllowed = isAllowed
  }
}

extension Resolver.Inheritable {
  public init(key: String, title: String, _: Void = ()) {
    self.key = key
    self.title = title
  }
}
