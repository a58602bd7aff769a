// Generated from Resolver+Updates.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file

extension Resolver.ListedPlugin {
  public init(id: String, version: String, address: String, installed: String? = nil, _: Void = ()) {
    self.id = id
    self.version = version
    self.address = address
    self.installed = installed
  }
}

extension Resolver.FindUpdates {
  public init(id: String? = nil, _: Void = ()) { self.id = id }
}

extension Resolver.UpdateList {
  public init(
    updates: [Resolver.Plugin], current: [Resolver.PluginName] = [], withoutOrigin: [Resolver.PluginName] = [],
    failures: [Resolver.PluginFailure] = [], _: Void = ()
  ) {
    self.updates = updates
    self.current = current
    self.withoutOrigin = withoutOrigin
    self.failures = failures
  }
}

extension Resolver.OfferFormerVersion {
  public init(id: String, _: Void = ()) { self.id = id }
}
