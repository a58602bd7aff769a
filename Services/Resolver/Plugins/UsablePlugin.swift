import Messages
import Plugins

extension PluginRegistry {
  /// A plugin that may be run now.
  struct Usable: Sendable {
    var file: PluginFile
    /// The values of its settings, as a part of its configuration.
    var settings: PluginValue
    var access: PluginAccess
    var runner: PluginRunner
    var accounts: PluginAccounts

    var name: Resolver.PluginName { .init(id: file.id, name: file.name) }

    /// True for a plugin that wants an account at a service that is known here.
    var hasAccount: Bool { accounts.service(of: file) != nil }

    /// A mark of the file and of whether somebody is signed in: what it found before may differ.
    var mark: String { "\(file.id)/\(file.digest)" + (hasAccount && accounts.isSignedIn(file.id) ? "/account" : "") }

    /// Returns the values that the plugin gets as its configuration: its settings, and the token of its account.
    func config() async -> PluginValue {
      hasAccount ? await accounts.config(of: file.id, adding: settings) : settings
    }

    /// Returns a new token for the plugin, whose token was refused; null where it has none.
    func renewedToken() async -> PluginValue {
      guard hasAccount, let token = await accounts.renewedToken(of: file.id) else { return .null }
      return .text(token)
    }

    /// Calls a function with these arguments and the configuration.
    func call(_ function: String, _ arguments: [PluginValue], within time: Duration) async throws -> PluginValue {
      try await runner.call(
        function, arguments + [await config()], within: time, account: hasAccount ? arguments.count : nil)
    }

    func has(_ function: String) -> Bool { file.content.functions.contains(function) }
  }
}
