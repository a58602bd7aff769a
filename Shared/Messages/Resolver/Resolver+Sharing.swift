public import Model

/// The messages about what plugins may know about the household: plays as they happen, and what was played before.
/// Nothing is sent before a person has allowed it for a plugin.
extension Resolver {
  /// The things that a plugin can receive.
  public enum SharedSubject: String, TolerantName {
    /// The tracks as they begin to play, and each listen that counts.
    case plays
    /// The artists, tracks and albums that were played most, and the last plays.
    case history
    case unknown
  }

  /// The sharing with one plugin.
  public struct Sharing: Codable, Hashable, Sendable {
    /// The plugin.
    public var plugin: PluginName
    /// True if the plugin can receive plays.
    public var takesPlays: Bool
    /// True if a person has allowed it to receive plays.
    public var hearsPlays: Bool = false
    /// True if the plugin can use the history.
    public var takesHistory: Bool
    /// True if a person has allowed that it gets the history.
    public var seesHistory: Bool = false
    /// The number of counted listens not yet sent to it.
    public var waiting: Int = 0
    /// The number of counted listens sent to it.
    public var told: Int = 0
    /// The reason why listens wait; nil if there is none.
    public var problem: LunaraError? = nil
  }

  /// Lists the plugins that can receive something. Since 0.2.
  public struct ListSharing: ReadRequest {
    public static let kind = "resolver.list-sharing"
    /// The plugins by their ids.
    public typealias Answer = SharingList

    public init() {}
  }

  /// The plugins that can receive something.
  public struct SharingList: Codable, Hashable, Sendable {
    /// The plugins by their ids.
    public var plugins: [Sharing]
  }

  /// Allows or ends the sharing of a subject with a plugin. Allowing it again makes listens that wait be sent at once;
  /// ending it gives them up. Since 0.2.
  public struct SetSharing: CommandRequest {
    public static let kind = "resolver.set-sharing"
    /// The sharing afterwards; refused with `resolver.unknownPlugin`, `resolver.notShared`.
    public typealias Answer = Sharing
    /// The id of the plugin.
    public var plugin: String
    /// The subject.
    public var subject: SharedSubject
    /// True to allow it.
    public var isAllowed: Bool
  }

  /// Asks a plugin for the values of its settings that it offers itself, such as the models of an AI service. Since
  /// 0.2.
  public struct ListChoices: ReadRequest {
    public static let kind = "resolver.list-choices"
    /// The values; refused with `resolver.unknownPlugin`, `resolver.consentNeeded`, and the errors of the plugin.
    public typealias Answer = ChoiceList
    /// The id of the plugin.
    public var plugin: String
  }

  /// The values that a plugin offers for its settings.
  public struct ChoiceList: Codable, Hashable, Sendable {
    /// The names of the settings that these values are for.
    public var settings: [String]
    /// The values, at most 200.
    public var choices: [PluginSetting.Choice]
  }
}
