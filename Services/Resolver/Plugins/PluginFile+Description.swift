import Messages
import Model
import Plugins

extension PluginFile {
  /// Describes the plugin for people.
  ///
  /// - Parameters:
  ///   - record: what is kept of it; nil for one that is only offered.
  ///   - place: its place among those that find music, from 1.
  ///   - values: the settings that have a value.
  ///   - account: the account that it wants; nil for none.
  func described(
    _ record: PluginRecord?, place: Int?, settings values: [String: String], account: Resolver.Account? = nil
  ) -> Resolver.Plugin {
    let manifest = content.manifest
    return Resolver.Plugin(
      id: id, name: name, version: manifest.version.description, author: manifest.author, summary: manifest.summary,
      icon: manifest.icon, color: manifest.color, homepage: manifest.homepage, isResolver: content.isResolver,
      digest: digest, hosts: record?.consent?.hosts ?? content.hosts, capabilities: content.capabilities,
      functions: content.functions, isEnabled: record?.isEnabled ?? false, place: place,
      settings: content.settings.fields.map { $0.described(value: values[$0.name]) }, account: account,
      consent: neededConsent(record?.consent), lastError: record?.lastError, failedAt: record?.failedAt,
      origin: record?.origin)
  }

  /// Returns what a person has to agree to before the file is run; nil for nothing.
  func neededConsent(_ consent: PluginConsent?) -> Resolver.NeededConsent? {
    guard let consent else {
      return .init(isNew: true, newHosts: content.hosts, newCapabilities: content.capabilities)
    }
    guard let change = consent.change(in: content, digest: digest) else { return nil }
    return .init(
      isNew: false, isUpdate: change.isUpdate, formerVersion: consent.version, newHosts: change.newHosts,
      newCapabilities: change.newCapabilities)
  }

  /// The names of the settings whose values are secrets.
  var secretSettings: Set<String> { Set(content.settings.fields.filter(\.isSecret).map(\.name)) }

  /// The names of the settings whose values a person types and sees. The values of a choice are those of the plugin.
  var typedSettings: Set<String> {
    let choices: [PluginSettings.FieldKind] = [.select, .dynamicSelect]
    return Set(content.settings.fields.filter { !$0.isSecret && !choices.contains($0.kind) }.map(\.name))
  }
}

extension PluginSettings.Field {
  /// True for a field that is a password, or whose name says that it holds a secret.
  var isSecret: Bool {
    let name = name.lowercased()
    return kind == .password || ["token", "secret", "password", "apikey", "api_key"].contains { name.contains($0) }
  }

  fileprivate func described(value: String?) -> Resolver.PluginSetting {
    .init(
      name: name, label: label, summary: summary, value: isSecret ? nil : value, proposal: isSecret ? nil : fallback,
      isSet: value != nil,
      isSecret: isSecret, isRequired: isRequired, isReadOnly: isReadOnly, placeholder: placeholder,
      choices: choices.map { .init(value: $0.value, label: $0.label) })
  }
}
