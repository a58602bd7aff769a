extension Resolver {
  /// A server that a setting of a plugin names. The plugin asks it only where a person has allowed that for this file
  /// and this setting.
  public struct PluginServer: Codable, Hashable, Sendable {
    /// The name of the setting.
    public var setting: String
    /// The server, such as `http://192.168.1.5:11434`.
    public var address: String
    /// True if the plugin may ask it.
    public var isAllowed: Bool
    /// True if the plugin proposes it and nobody has set another value.
    public var isProposed: Bool
  }

  /// A person's answer to whether a plugin may ask a server that one of its settings names.
  public struct ServerConsent: Codable, Hashable, Sendable {
    /// The name of the setting.
    public var setting: String
    /// The server as it was shown.
    public var address: String
    /// The SHA-256 of the plugin's file that the person has seen described.
    public var digest: String
    /// True to allow it.
    public var isAllowed: Bool = true
  }

  /// Something that the former file of a plugin has: the value of a setting, an account, a server.
  public struct Inheritable: Codable, Hashable, Sendable {
    /// The text by which `AllowPlugin` names it, such as `setting apiKey`.
    public var key: String
    /// The words for people.
    public var title: String
  }
}
