import HTTP
import Messages
import Model
import Plugins

/// The values of settings, and the hosts and servers to which people agree one by one.
extension PluginRegistry {
  func set(_ settings: [String: String], of file: PluginFile) async throws {
    for (name, value) in settings {
      guard let field = file.content.settings.fields.first(where: { $0.name == name }), !field.isReadOnly else {
        let names = file.content.settings.fields.filter { !$0.isReadOnly }.map(\.name).joined(separator: ", ")
        throw LunaraError(
          "resolver.unknownSetting",
          names.isEmpty
            ? "\(file.name) has no settings." : "\(file.name) has no setting \(name). It has: \(names).")
      }
      guard value.utf8.count <= 8192 else {
        throw LunaraError("resolver.unknownSetting", "The value of \(name) is too long for a setting.")
      }
    }
    try await store.set(settings, of: file.id, secret: file.secretSettings)
    values[file.id] = nil
    try await dropServers(of: settings.keys, in: file)
    changed()
  }

  /// Allows a plugin to contact a further host.
  ///
  /// - Throws: `resolver.badHost`, `resolver.consentNeeded`.
  func allow(host text: String, for file: PluginFile) async throws {
    guard let host = PluginHosts.valid(text) else {
      throw LunaraError(
        "resolver.badHost",
        "“\(text)” is no host that can be allowed. Give a public name such as api.example.org or *.example.org; a server of your own is allowed by its address, once a setting has it."
      )
    }
    guard var record = records[file.id], record.consent != nil else {
      throw PluginError.consentNeeded(file.name, file.id)
    }
    record.consent?.add([host])
    try await keep([record])
  }

  /// Returns the servers that the settings of a plugin name, including proposed ones. Hosts that the file names are
  /// left out, because they are contacted over https at public addresses, and so are servers of the household.
  func servers(of file: PluginFile, _ settings: [String: String]) -> [Resolver.PluginServer] {
    let consent = records[file.id]?.consent
    let typed = file.typedSettings
    return file.content.settings.fields.filter { typed.contains($0.name) }.compactMap { field in
      let value = settings[field.name] ?? field.fallback
      guard let origin = value.flatMap({ Origin($0) }), !household.contains(origin) else { return nil }
      let allowed = consent?.digest == file.digest ? consent?.servers ?? [] : []
      let isAllowed = allowed.contains(.init(setting: field.name, address: origin.address))
      if !isAllowed, origin.scheme == "https", PluginHosts.allow(origin.host, consent?.hosts ?? []) { return nil }
      return .init(
        setting: field.name, address: origin.address, isAllowed: isAllowed, isProposed: value == field.fallback)
    }
  }

  /// Returns the servers that a plugin may ask. A value in its settings alone opens none: the plugin may have proposed
  /// it, and a form may have sent it back.
  func access(of file: PluginFile, _ settings: [String: String]) -> PluginAccess {
    PluginAccess(
      hosts: records[file.id]?.consent?.hosts ?? [],
      servers: servers(of: file, settings).filter(\.isAllowed).map(\.address))
  }

  /// Allows or forbids a plugin to contact a server that one of its settings names.
  ///
  /// - Throws: `resolver.unknownPlugin` if its file is another one than the person saw, `resolver.badHost` if the
  ///   setting has another value, `resolver.householdRefused`, `resolver.consentNeeded`.
  func set(_ answer: Resolver.ServerConsent, of file: PluginFile) async throws {
    guard answer.digest == file.digest else { throw PluginError.fileChanged(file.name) }
    if let origin = Origin(answer.address), household.contains(origin) {
      throw HouseholdServers.refusal(of: origin.address)
    }
    let named = servers(of: file, try await settings(of: file.id))
    guard named.contains(where: { $0.setting == answer.setting && $0.address == answer.address }) else {
      throw LunaraError(
        "resolver.badHost",
        "No setting of \(file.name) names \(answer.address). Set it first: `lunara plugins settings \(file.id)`.")
    }
    guard var record = records[file.id], file.neededConsent(record.consent) == nil else {
      throw PluginError.consentNeeded(file.name, file.id)
    }
    let server = PluginConsent.Server(setting: answer.setting, address: answer.address)
    let others = (record.consent?.servers ?? []).filter { $0.setting != answer.setting }
    record.consent?.servers = answer.isAllowed ? others + [server] : others
    try await keep([record])
  }

  /// Ends the consents to servers that changed settings no longer name.
  private func dropServers(of changed: some Collection<String>, in file: PluginFile) async throws {
    let named = servers(of: file, try await settings(of: file.id))
    guard var record = records[file.id], let allowed = record.consent?.servers else { return }
    let left = allowed.filter { one in
      !changed.contains(one.setting) || named.contains { $0.setting == one.setting && $0.address == one.address }
    }
    guard left != allowed else { return }
    record.consent?.servers = left
    try await keep([record])
  }
}
