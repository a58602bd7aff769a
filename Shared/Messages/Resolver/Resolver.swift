public import Model

/// The messages of `lunara-resolver`: one node in a household that uses plugins, `resolver@main`. It finds music that
/// is not in the library, by scripts of strangers that a person has installed.
public enum Resolver {}

extension Resolver {
  /// The plugins of the household in short, published at each change of them. Since 0.2.
  public struct PluginState: State, Hashable {
    public static let kind = "resolver.plugins"
    /// The number of plugins that are switched on.
    public var enabled: Int
    /// A number that changes with the plugins that are switched on and their order: what was found before may then
    /// differ.
    public var revision: Int64
    /// The newest error of a plugin that was switched off after faults, or that waits for a person's consent; nil if
    /// there is none.
    public var problem: LunaraError? = nil
    /// The number of plugins that find music; nil from a resolver that does not say it.
    public var music: Int? = nil
    /// The number of plugins that find concerts; nil from a resolver that does not say it.
    public var concerts: Int? = nil
  }

  /// A plugin in the name of which something is said: its id and the name for people.
  public struct PluginName: Codable, Hashable, Sendable {
    /// The id.
    public var id: String
    /// The name, a stranger's text in one line.
    public var name: String
  }

  /// A failure of a plugin.
  public struct PluginFailure: Codable, Hashable, Sendable {
    /// The plugin.
    public var plugin: PluginName
    /// The reason.
    public var error: LunaraError
  }
}
