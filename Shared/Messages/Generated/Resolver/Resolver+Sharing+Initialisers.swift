// Generated from Resolver+Sharing.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Resolver.Sharing {
  public init(
    plugin: Resolver.PluginName, takesPlays: Bool, hearsPlays: Bool = false, takesHistory: Bool,
    seesHistory: Bool = false, waiting: Int = 0, told: Int = 0, problem: LunaraError? = nil, _: Void = ()
  ) {
    self.plugin = plugin
    self.takesPlays = takesPlays
    self.hearsPlays = hearsPlays
    self.takesHistory = takesHistory
    self.seesHistory = seesHistory
    self.waiting = waiting
    self.told = told
    self.problem = problem
  }
}

extension Resolver.SharingList {
  public init(plugins: [Resolver.Sharing], _: Void = ()) { self.plugins = plugins }
}

extension Resolver.SetSharing {
  public init(plugin: String, subject: Resolver.SharedSubject, isAllowed: Bool, _: Void = ()) {
    self.plugin = plugin
    self.subject = subject
    self.isAllowed = isAllowed
  }
}

extension Resolver.ListChoices {
  public init(plugin: String, _: Void = ()) { self.plugin = plugin }
}

extension Resolver.ChoiceList {
  public init(settings: [String], choices: [Resolver.PluginSetting.Choice], _: Void = ()) {
    self.settings = settings
    self.choices = choices
  }
}
