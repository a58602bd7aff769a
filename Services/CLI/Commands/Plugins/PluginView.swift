import Client
import Messages
import Model

extension Console {
  /// Prints the plugins: for programs the list that the contract of the command line names.
  func show(_ list: Resolver.PluginList) {
    if isJSON { return print(JSON.list(list.plugins)) }
    if list.plugins.isEmpty { remark("No plugin is installed. `lunara plugins add FILE` adds one.") }
    for plugin in list.plugins { print(plugin.text) }
    for file in list.unusable { remark("\(file.file): \(file.error.message)") }
  }
}

extension Resolver.Plugin {
  /// A few lines about the plugin.
  var text: String {
    let state =
      consent != nil && isEnabled
      ? "waits for your consent: `lunara plugins on \(id)`"
      : isEnabled ? place.map { "on, \($0)." } ?? "on" : "off"
    var lines = ["\(icon) \(name) \(version) (\(id)): \(state)"]
    if let summary { lines.append("  \(summary)") }
    lines.append(hosts.isEmpty ? "  asks no host" : "  asks \(hosts.joined(separator: ", "))")
    if let account { lines.append("  account: \(account.line)") }
    for setting in settings where setting.isRequired && !setting.isSet && setting.proposal == nil {
      lines.append("  needs a setting: `lunara plugins settings \(id) \(setting.name)=…`")
    }
    for server in servers ?? [] {
      lines.append(
        server.isAllowed
          ? "  asks \(server.address)"
          : "  may not ask \(server.address): `lunara plugins allow \(id) \(server.address)` allows it")
    }
    for link in links ?? [] { lines.append("  wanted to open \(link)") }
    if let lastError {
      lines.append("  \(failedAt.map { "\($0.local): " } ?? "")\(lastError.message)")
      if let cause = lastError.cause { lines.append("    \(cause)") }
    }
    return lines.map { Printable.line($0) + "\n" }.joined()
  }

  /// The text that a person reads before agreeing to the plugin.
  var introduction: String {
    var lines = ["\(icon) \(name) \(version)\(author.map { ", by \($0)" } ?? "")"]
    if let summary { lines.append("  \(summary)") }
    lines.append("  id         \(id)")
    lines.append("  SHA-256    \(digest)")
    lines.append("  asks       \(hosts.isEmpty ? "no host" : hosts.joined(separator: ", "))")
    if !capabilities.isEmpty { lines.append("  can        \(capabilities.joined(separator: ", "))") }
    if let consent, !consent.isNew {
      let former = consent.formerVersion.map { " \($0)" } ?? ""
      lines.append("  It replaces version\(former), to which you agreed.")
      if !consent.newHosts.isEmpty { lines.append("  new hosts  \(consent.newHosts.joined(separator: ", "))") }
      if !consent.newCapabilities.isEmpty {
        lines.append("  it now can \(consent.newCapabilities.joined(separator: ", "))")
      }
      for item in consent.inheritable ?? [] { lines.append("  without    \(item.title), unless you say so") }
    }
    lines.append("It is a program of a stranger. It reaches these hosts and nothing else of this machine or network.")
    return lines.map { Printable.line($0) }.joined(separator: "\n")
  }

  /// The settings, one a line.
  var settingsText: String {
    guard !settings.isEmpty || account != nil else { return Printable.line("\(name) has no settings.") + "\n" }
    return accountText
      + settings.map { setting in
        let value = setting.isSecret ? setting.isSet ? "(set)" : "" : setting.value ?? setting.proposal ?? ""
        let choices = setting.choices.isEmpty ? "" : " [\(setting.choices.map(\.value).joined(separator: "|"))]"
        let summary = setting.summary.map { "  \($0)" } ?? ""
        return Printable.line("\(setting.name)=\(value)\(choices)  \(setting.label)\(summary)") + "\n"
      }.joined()
  }
}

extension Resolver.Plugin {
  /// Returns the request that allows the plugin to contact a server from its settings.
  func allowing(_ server: Resolver.PluginServer) -> Resolver.SetPlugin {
    .init(id: id, server: .init(setting: server.setting, address: server.address, digest: digest))
  }
}

extension Resolver.PluginTest {
  /// The result and the log.
  var text: String {
    let head = "\(works ? "works" : "does not work") (\(elapsed.rawValue) ms): \(message)"
    return ([head] + log.map { "  \($0)" }).map { Printable.line($0) + "\n" }.joined()
  }
}
