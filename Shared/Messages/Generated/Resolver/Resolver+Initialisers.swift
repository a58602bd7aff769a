// Generated from Resolver.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Resolver.PluginState {
  public init(
    enabled: Int, revision: Int64, problem: LunaraError? = nil, music: Int? = nil, concerts: Int? = nil, _: Void = ()
  ) {
    self.enabled = enabled
    self.revision = revision
    self.problem = problem
    self.music = music
    self.concerts = concerts
  }
}

extension Resolver.PluginName {
  public init(id: String, name: String, _: Void = ()) {
    self.id = id
    self.name = name
  }
}

extension Resolver.PluginFailure {
  public init(plugin: Resolver.PluginName, error: LunaraError, _: Void = ()) {
    self.plugin = plugin
    self.error = error
  }
}
