// Generated from Resolver+Plugins.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Resolver.Plugin {
  public init(
    id: String, name: String, version: String, author: String? = nil, summary: String? = nil, icon: String = "",
    color: String = "", homepage: String? = nil, isResolver: Bool = true, digest: String, hosts: [String] = [],
    capabilities: [String] = [], functions: [String] = [], isEnabled: Bool = false, place: Int? = nil,
    settings: [Resolver.PluginSetting] = [], account: Resolver.Account? = nil, consent: Resolver.NeededConsent? = nil,
    lastError: LunaraError? = nil, failedAt: Timestamp? = nil, origin: String? = nil, newVersion: String? = nil,
    formerVersion: String? = nil, links: [String]? = nil, servers: [Resolver.PluginServer]? = nil, _: Void = ()
  ) {
    self.id = id
    self.name = name
    self.version = version
    self.author = author
    self.summary = summary
    self.icon = icon
    self.color = color
    self.homepage = homepage
    self.isResolver = isResolver
    self.digest = digest
    self.hosts = hosts
    self.capabilities = capabilities
    self.functions = functions
    self.isEnabled = isEnabled
    self.place = place
    self.settings = settings
    self.account = account
    self.consent = consent
    self.lastError = lastError
    self.failedAt = failedAt
    self.origin = origin
    self.newVersion = newVersion
    self.formerVersion = formerVersion
    self.links = links
    self.servers = servers
  }
}

extension Resolver.NeededConsent {
  public init(
    isNew: Bool, isUpdate: Bool = false, formerVersion: String? = nil, newHosts: [String] = [],
    newCapabilities: [String] = [], inheritable: [Resolver.Inheritable]? = nil, _: Void = ()
  ) {
    self.isNew = isNew
    self.isUpdate = isUpdate
    self.formerVersion = formerVersion
    self.newHosts = newHosts
    self.newCapabilities = newCapabilities
    self.inheritable = inheritable
  }
}

extension Resolver.PluginSetting.Choice {
  public init(value: String, label: String, _: Void = ()) {
    self.value = value
    self.label = label
  }
}

extension Resolver.PluginSetting {
  public init(
    name: String, label: String, summary: String? = nil, value: String? = nil, proposal: String? = nil,
    isSet: Bool = false, isSecret: Bool = false, isRequired: Bool = false, isReadOnly: Bool = false,
    placeholder: String? = nil, choices: [Choice] = [], _: Void = ()
  ) {
    self.name = name
    self.label = label
    self.summary = summary
    self.value = value
    self.proposal = proposal
    self.isSet = isSet
    self.isSecret = isSecret
    self.isRequired = isRequired
    self.isReadOnly = isReadOnly
    self.placeholder = placeholder
    self.choices = choices
  }
}

extension Resolver.PluginList {
  public init(plugins: [Resolver.Plugin], unusable: [Resolver.UnusableFile] = [], _: Void = ()) {
    self.plugins = plugins
    self.unusable = unusable
  }
}

extension Resolver.UnusableFile {
  public init(file: String, error: LunaraError, _: Void = ()) {
    self.file = file
    self.error = error
  }
}

extension Resolver.OfferPlugin {
  public init(address: String? = nil, part: String? = nil, offset: Int = 0, size: Int = 0, _: Void = ()) {
    self.address = address
    self.part = part
    self.offset = offset
    self.size = size
  }
}

extension Resolver.Offer {
  public init(plugin: Resolver.Plugin?, listed: [Resolver.ListedPlugin]? = nil, _: Void = ()) {
    self.plugin = plugin
    self.listed = listed
  }
}

extension Resolver.AllowPlugin {
  public init(id: String, digest: String, inherits: [String]? = nil, _: Void = ()) {
    self.id = id
    self.digest = digest
    self.inherits = inherits
  }
}

extension Resolver.SetPlugin {
  public init(
    id: String, isEnabled: Bool? = nil, settings: [Resolver.SettingValue]? = nil, host: String? = nil,
    server: Resolver.ServerConsent? = nil, _: Void = ()
  ) {
    self.id = id
    self.isEnabled = isEnabled
    self.settings = settings
    self.host = host
    self.server = server
  }
}

extension Resolver.SettingValue {
  public init(name: String, value: String, _: Void = ()) {
    self.name = name
    self.value = value
  }
}

extension Resolver.OrderPlugins {
  public init(ids: [String], _: Void = ()) { self.ids = ids }
}

extension Resolver.RemovePlugin {
  public init(id: String, _: Void = ()) { self.id = id }
}

extension Resolver.TestPlugin {
  public init(id: String, _: Void = ()) { self.id = id }
}

extension Resolver.PluginTest {
  public init(works: Bool, message: String, elapsed: Milliseconds, log: [String], _: Void = ()) {
    self.works = works
    self.message = message
    self.elapsed = elapsed
    self.log = log
  }
}
