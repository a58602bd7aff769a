import Bus
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
    options: [.yes, .inherit], operand: Operand(name: "ID", count: 0...1, help: "the plugin's id; all without one"),
    action: .asynchronous { context in
      let client = try await Client.withPlugins(context)
      let request = Resolver.FindUpdates(id: context.arguments.operands.first)
      let list = try await client.ask(request, of: .resolver, within: .seconds(120))
      let console = context.console
      for one in list.current { console.note("\(one.name) is the newest version.") }
      for one in list.withoutOrigin {
        console.note("\(one.name) was added from a file, so it is not known where newer versions are.")
      }
      var left = LeftPlugins()
      for one in list.failures { try left.add(one.plugin.name, one.error, console) }
      if console.isJSON, !context.arguments.has(.yes) || list.updates.isEmpty {
        console.print(list.json)
        return try left.check()
      }
      for plugin in list.updates {
        do { try await allow(plugin, client, context) } catch {
          // Another plugin may be wanted all the same.
          guard list.updates.count > 1 else { throw error }
          try left.add(plugin.name, error, console)
        }
      }
      try left.check()
    })

  static let revertPlugin = Command(
    name: "revert", summary: "take the former version of a plugin back; shows it, and asks",
    discussion: "The present version is kept in its place, so the same command takes it back again.",
    examples: ["lunara plugins revert archive": "by its id"], options: [.yes, .inherit],
    operand: .one("ID", help: "the plugin's id"),
    action: .asynchronous { context in
      let client = try await Client.withPlugins(context)
      let request = Resolver.OfferFormerVersion(id: context.arguments.operands[0])
      guard let plugin = try await client.ask(request, of: .resolver).plugin else { return }
      try await allow(plugin, client, context)
    })
}
