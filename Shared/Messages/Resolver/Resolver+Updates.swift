extension Resolver {
  /// A plugin in a list that somebody publishes. Nothing but the list was read.
  public struct ListedPlugin: Codable, Hashable, Sendable {
    /// The id.
    public var id: String
    /// The version, as the list says it.
    public var version: String
    /// The https address of its file.
    public var address: String
    /// The version that is installed; nil if the plugin is not.
    public var installed: String? = nil
  }

  /// Looks for newer versions of plugins at the addresses from which they came. Nothing is installed: `AllowPlugin`
  /// installs a version that was found. Since 0.2.
  public struct FindUpdates: ReadRequest {
    public static let kind = "resolver.find-updates"
    /// The newer versions; refused with `resolver.unknownPlugin`, `resolver.noOrigin`.
    public typealias Answer = UpdateList
    /// The id of one plugin; nil for all that came from an address.
    public var id: String? = nil
  }

  /// The result of `FindUpdates`.
  public struct UpdateList: Codable, Hashable, Sendable {
    /// The newer versions, each with the consent that it needs.
    public var updates: [Plugin]
    /// The plugins that have no newer version.
    public var current: [PluginName] = []
    /// The plugins whose address is not known, as their files were sent.
    public var withoutOrigin: [PluginName] = []
    /// The plugins whose address gave no plugin.
    public var failures: [PluginFailure] = []
  }

  /// Offers the former version of a plugin, which is kept beside it. `AllowPlugin` then installs it, and keeps the
  /// present version in its place. Since 0.2.
  public struct OfferFormerVersion: CommandRequest {
    public static let kind = "resolver.offer-former-version"
    /// The former version; refused with `resolver.unknownPlugin`, `resolver.noFormerVersion`.
    public typealias Answer = Offer
    /// The id of the plugin.
    public var id: String
  }
}
