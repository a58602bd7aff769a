public import Model

extension Resolver {
  /// A plugin that is installed, or offered. All names and descriptions are a stranger's text. Id, name, version,
  /// author, purpose and page are those of its manifest.
  public struct Plugin: Codable, Hashable, Sendable {
    /// The id.
    public var id: String
    /// The name.
    public var name: String
    /// The version.
    public var version: String
    /// The author; nil if unknown.
    public var author: String? = nil
    /// The purpose; nil if it says nothing.
    public var summary: String? = nil
    /// A picture character.
    public var icon: String = ""
    /// The colour of its badge as `#rrggbb`.
    public var color: String = ""
    /// The https address of its page; nil if it has none.
    public var homepage: String? = nil
    /// True if it finds music; false if it serves something beside it.
    public var isResolver: Bool = true
    /// The SHA-256 of its file, as 64 hexadecimal digits.
    public var digest: String
    /// The hosts that it may ask, sorted.
    public var hosts: [String] = []
    /// The capabilities that it claims, sorted.
    public var capabilities: [String] = []
    /// The names of its functions.
    public var functions: [String] = []
    /// True if it is switched on.
    public var isEnabled: Bool = false
    /// Its place in the order of those that find music, from 1; nil if it is switched off or finds none.
    public var place: Int? = nil
    /// The settings, in its order.
    public var settings: [PluginSetting] = []
    /// The account that it wants; nil if it wants none that is known here.
    public var account: Account? = nil
    /// The consent that a person has to give before it runs; nil if none is needed.
    public var consent: NeededConsent? = nil
    /// Its last error; nil if there is none.
    public var lastError: LunaraError? = nil
    /// The time of the last error.
    public var failedAt: Timestamp? = nil
    /// The https address from which its file came, where updates are looked for; nil for a file that was sent.
    public var origin: String? = nil
    /// The newer version that was found at that address and waits for a consent; nil if none is known.
    public var newVersion: String? = nil
    /// The version of the former file that is kept; nil if there is none.
    public var formerVersion: String? = nil
    /// The addresses that it wanted to open since the resolver started, the newest one last; nil for none. Nothing
    /// here opens them: they are offered to people as links.
    public var links: [String]? = nil
    /// The servers in its settings that need a consent of their own, as they may be at home or without encryption; nil
    /// for none.
    public var servers: [PluginServer]? = nil
  }

  /// The parts of a plugin to which nobody has agreed yet.
  public struct NeededConsent: Codable, Hashable, Sendable {
    /// True if nobody has agreed to any version of the plugin.
    public var isNew: Bool
    /// True if it has a higher version than the one that was agreed to.
    public var isUpdate: Bool = false
    /// The version that was agreed to; nil if there is none.
    public var formerVersion: String? = nil
    /// The hosts that it did not ask before.
    public var newHosts: [String] = []
    /// The capabilities that it did not have before.
    public var newCapabilities: [String] = []
    /// The things of the former file that this one gets only where the person says so in `AllowPlugin`; nil for none.
    public var inheritable: [Inheritable]? = nil
  }

  /// A setting of a plugin.
  public struct PluginSetting: Codable, Hashable, Sendable {
    /// One of the values to choose from.
    public struct Choice: Codable, Hashable, Sendable {
      /// The value.
      public var value: String
      /// The words for people.
      public var label: String
    }

    /// The name.
    public var name: String
    /// The words for people.
    public var label: String
    /// Its purpose; nil if the plugin says nothing.
    public var summary: String? = nil
    /// The value; nil if none is set, and always for a secret.
    public var value: String? = nil
    /// The value that the plugin proposes and uses while none is set; nil if there is none, and always for a secret.
    public var proposal: String? = nil
    /// True if a value is set.
    public var isSet: Bool = false
    /// True if the value is never shown.
    public var isSecret: Bool = false
    /// True if the plugin does nothing without it.
    public var isRequired: Bool = false
    /// True if it cannot be changed.
    public var isReadOnly: Bool = false
    /// An example of a value; nil if there is none.
    public var placeholder: String? = nil
    /// The values to choose from; empty for free text.
    public var choices: [Choice] = []
  }

  /// Lists the plugins. Since 0.2.
  public struct ListPlugins: ReadRequest {
    public static let kind = "resolver.list-plugins"
    /// The plugins.
    public typealias Answer = PluginList

    public init() {}
  }

  /// The plugins of the household.
  public struct PluginList: Codable, Hashable, Sendable {
    /// The plugins: those that find music in their order, and behind them the others by name.
    public var plugins: [Plugin]
    /// The files in the folder of plugins that cannot be used, by their names.
    public var unusable: [UnusableFile] = []
  }

  /// A file that is no plugin.
  public struct UnusableFile: Codable, Hashable, Sendable {
    /// Its name.
    public var file: String
    /// The reason.
    public var error: LunaraError
  }

  /// Offers a plugin: the resolver reads its file and says what it is, and runs nothing of it. `AllowPlugin` then
  /// installs it. At an address there may also be a list: `{"plugins": [{"id", "version", "downloadUrl"}]}`. Since 0.2.
  public struct OfferPlugin: CommandRequest {
    public static let kind = "resolver.offer-plugin"
    /// The largest number of bytes of a part.
    public static let partBytes = 96 << 10
    /// The plugin once its whole file is there; refused with `plugin.badFile`, `resolver.badAddress` and the errors of
    /// the connection.
    public typealias Answer = Offer
    /// The https address of the file, or of a list of plugins; nil if the file is sent in parts.
    public var address: String? = nil
    /// The bytes of a part, at most 96 KiB, in base64; nil with an address. Parts are sent in order.
    public var part: String? = nil
    /// The place of the part in the file, in bytes. Parts are sent in order; the first one begins again.
    public var offset: Int = 0
    /// The number of bytes of the whole file.
    public var size: Int = 0
  }

  /// The result of `OfferPlugin`.
  public struct Offer: Codable, Hashable, Sendable {
    /// The plugin with the consent that it needs; nil while parts are missing, and for a list.
    public var plugin: Plugin?
    /// The plugins in the list that is at the address; nil if a plugin is there.
    public var listed: [ListedPlugin]? = nil
  }

  /// Gives a person's consent to a plugin that was offered, or whose file lies in the folder, and switches it on. Since
  /// 0.2.
  public struct AllowPlugin: CommandRequest {
    public static let kind = "resolver.allow-plugin"
    /// The plugin; refused with `resolver.unknownPlugin` where no file has this digest any more.
    public typealias Answer = Plugin
    /// The id of the plugin.
    public var id: String
    /// The SHA-256 of the file that the person has seen described.
    public var digest: String
    /// The keys of `inheritable` in its consent that the file takes over; nil for none. The others are removed.
    public var inherits: [String]? = nil
  }

  /// Changes a plugin: each field that is not nil. Since 0.2.
  public struct SetPlugin: CommandRequest {
    public static let kind = "resolver.set-plugin"
    /// The plugin; refused with `resolver.householdRefused`, `resolver.unknownPlugin`, `resolver.consentNeeded`,
    /// `resolver.unknownSetting`, `resolver.badHost`.
    public typealias Answer = Plugin
    /// The id of the plugin.
    public var id: String
    /// True to switch it on.
    public var isEnabled: Bool? = nil
    /// The values of settings.
    public var settings: [SettingValue]? = nil
    /// A host that it may ask as well.
    public var host: String? = nil
    /// A server of its settings that it may ask from now on, or no more.
    public var server: ServerConsent? = nil
  }

  /// The value of a setting.
  public struct SettingValue: Codable, Hashable, Sendable {
    /// The name of the setting.
    public var name: String
    /// The value; empty to remove it.
    public var value: String
  }

  /// Sets the order in which plugins are used. Since 0.2.
  public struct OrderPlugins: CommandRequest {
    public static let kind = "resolver.order-plugins"
    /// The plugins; refused with `resolver.unknownPlugin`.
    public typealias Answer = PluginList
    /// The ids, the first one first. Plugins that are not named follow in their former order.
    public var ids: [String]
  }

  /// Removes a plugin with its settings, its account and what it keeps. Since 0.2.
  public struct RemovePlugin: CommandRequest {
    public static let kind = "resolver.remove-plugin"
    /// The plugins that are left; refused with `resolver.unknownPlugin`.
    public typealias Answer = PluginList
    /// The id of the plugin.
    public var id: String
  }

  /// Tries a plugin: calls its own test, or else a search, or else loads it. Since 0.2.
  public struct TestPlugin: ReadRequest {
    public static let kind = "resolver.test-plugin"
    /// The result; refused with `resolver.unknownPlugin`, `resolver.consentNeeded`.
    public typealias Answer = PluginTest
    /// The id of the plugin.
    public var id: String
  }

  /// The result of `TestPlugin`.
  public struct PluginTest: Codable, Hashable, Sendable {
    /// True if it works.
    public var works: Bool
    /// The words of the plugin or of this program.
    public var message: String
    /// The time until the answer.
    public var elapsed: Milliseconds
    /// The last lines that it wrote to its log, and the hosts that were refused to it.
    public var log: [String]
  }
}
