import Client
import Messages
import Model

/// The commands about newer and former versions of plugins.
extension Command {
  static let updatePlugins = Command(
    name: "update", summary: "look for newer versions where plugins came from; asks before it installs one",
    discussion: "A plugin that was added from a file has no address where newer versions are looked for.",
    examples: [
      "lunara plugins update": "all plugins that came from an address",
      "lunara plugins update archive": "one of them",
    ],
    takes: .consent, .operands("ID", 0...1, help: "the plugin's id; all without one"),
    through: Client.withPlugins
  ) { client, console, consent, ids in
    let list = try await client.ask(Resolver.FindUpdates(id: ids.first), within: .seconds(120))
    for one in list.current { console.remark("\(one.name) is the newest version.") }
    for one in list.withoutOrigin {
      console.remark("\(one.name) was added from a file, so it is not known where newer versions are.")
    }
    var left = LeftPlugins()
    for one in list.failures { try left.add(one.plugin.name, one.error, console) }
    if console.isJSON, !consent.agrees || list.updates.isEmpty {
      console.print(list.json)
      return try left.check()
    }
    for plugin in list.updates {
      do { try await allow(plugin, consent, client, console) } catch {
        // Another plugin may be wanted all the same.
        guard list.updates.count > 1 else { throw error }
        try left.add(plugin.name, error, console)
      }
    }
    try left.check()
  }

  static let revertPlugin = Command(
    name: "revert", summary: "take the former version of a plugin back; shows it, and asks",
    discussion: "The present version is kept in its place, so the same command takes it back again.",
    examples: ["lunara plugins revert archive": "by its id"],
    takes: .consent, .operand("ID", help: "the plugin's id"),
    through: Client.withPlugins
  ) { client, console, consent, id in
    let request = Resolver.OfferFormerVersion(id: id)
    guard let plugin = try await client.ask(request).plugin else { return }
    try await allow(plugin, consent, client, console)
  }
}
