import Messages
public import Model

/// The account and the settings that a plugin needs.
public struct PluginSettings: Hashable, Sendable {
  /// The ways in which a person gives a plugin its account.
  public enum Authentication: String, TolerantName {
    case none, oauth, apikey, userpass, musickit, token, username, unknown
  }

  /// The kinds of fields.
  public enum FieldKind: String, TolerantName {
    case text, password, select
    /// A choice that the plugin's function `listModels` fills.
    case dynamicSelect = "dynamic-select"
    case unknown
  }

  /// One choice of a field.
  public struct Choice: Hashable, Sendable {
    /// The value that the plugin gets.
    public var value: String
    /// The words that a person sees.
    public var label: String
  }

  /// A setting.
  public struct Field: Hashable, Sendable {
    /// The name under which the plugin gets the value.
    public var name: String
    /// The kind.
    public var kind: FieldKind
    /// The words that a person sees.
    public var label: String
    /// The value while a person has chosen none; nil if there is none.
    public var fallback: String?
    /// Its purpose; nil if the plugin says nothing.
    public var summary: String?
    /// An example of a value; nil if there is none.
    public var placeholder: String?
    /// True if the plugin does nothing without it.
    public var isRequired: Bool
    /// True for one that few people change.
    public var isAdvanced: Bool
    /// True for one that is shown and cannot be changed.
    public var isReadOnly: Bool
    /// The https address of a page that explains it; nil if there is none.
    public var help: String?
    /// The values to choose from; those of a dynamic one while the plugin gives none.
    public var choices: [Choice]
  }

  /// True if the plugin does nothing without an account.
  public var needsAccount: Bool
  /// The way in which a person gives it.
  public var authentication: Authentication
  /// The scopes of an OAuth sign-in.
  public var scopes: [String]
  /// The settings, in the file's order.
  public var fields: [Field]

  private static let fieldLimit = 50
  private static let choiceLimit = 200
  private static let scopeLimit = 50

  init(_ view: JSONView?) {
    needsAccount = view?["requiresAuth"]?.isTrue ?? false
    authentication = (view?["authType"]?.string).map { Authentication(rawValue: $0) ?? .unknown } ?? .none
    let scopes = view?["scopes"]
    let words = scopes?.string.map { $0.split(separator: " ").map(String.init) }
    self.scopes = Array((words ?? scopes?.elements.compactMap(\.string) ?? []).prefix(Self.scopeLimit))
    fields = (view?["configurable"]?.members ?? []).prefix(Self.fieldLimit).compactMap { member in
      PluginManifest.isID(member.name) && !AxeFile.skippedNames.contains(member.name)
        ? Field(member.name, member.value) : nil
    }
  }

  /// Adds the settings that Apple Music's plugin gets beside its own. Linux has no sign-in at Apple, so a person
  /// who has a token gives it here.
  mutating func addAppleMusic() {
    let known = Set(fields.map(\.name))
    let added = [
      Field(
        name: "developerToken", kind: .password, label: "Developer token", summary: "of an own membership at Apple",
        isRequired: false, isAdvanced: true, isReadOnly: false, choices: []),
      Field(
        name: "storefront", kind: .text, label: "Country of the shop", fallback: "us", summary: "such as at or us",
        isRequired: false, isAdvanced: true, isReadOnly: false, choices: []),
    ]
    fields += added.filter { !known.contains($0.name) }
  }

  fileprivate static func choices(_ view: JSONView?) -> [Choice] {
    (view?.elements ?? []).prefix(choiceLimit).compactMap { one in
      guard let value = (one["value"] ?? (one.isObject ? nil : one))?.string else { return nil }
      return Choice(value: value, label: one["label"]?.string.flatMap { PluginManifest.cleaned($0, 100) } ?? value)
    }
  }
}

extension PluginSettings.Field {
  fileprivate init(_ name: String, _ view: JSONView) {
    func text(_ value: JSONView?, _ length: Int) -> String? {
      value?.string.flatMap { PluginManifest.cleaned($0, length) }
    }
    self.init(
      name: name, kind: (view["type"]?.string).map { .init(rawValue: $0) ?? .unknown } ?? .text,
      label: text(view["label"], 100) ?? name, fallback: view["default"]?.string,
      summary: text(view["description"], 1000), placeholder: text(view["placeholder"], 200),
      isRequired: view["required"]?.isTrue ?? false, isAdvanced: view["advanced"]?.isTrue ?? false,
      isReadOnly: view["readonly"]?.isTrue ?? false,
      help: text(view["helpUrl"], 500).flatMap { $0.hasPrefix("https://") ? $0 : nil },
      choices: PluginSettings.choices(view["options"] ?? view["fallbackOptions"]))
  }
}
