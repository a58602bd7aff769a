import Bus
import Client
import Messages
import Model
import System

extension Option {
  static let signInClient = Option(
    "--client", "ID", help: "the client id of your own application, for spotify and soundcloud")
  static let signInRedirect = Option(
    "--redirect", "ADDRESS", help: "the address at which your browser ended, for spotify and soundcloud")
}

extension Client {
  /// Returns the plugin with this id that wants an account; nil if there is none.
  func plugin(wantingAccount id: String) async throws -> Resolver.Plugin? {
    guard nodes().contains(.resolver) else { return nil }
    return try await ask(Resolver.ListPlugins()).plugins.first { $0.id == id && $0.account != nil }
  }
}

/// Signs a person in at the service of a plugin.
struct PluginSignIn {
  /// The port of this machine at which the browser ends.
  static let port: UInt16 = 8888

  let plugin: Resolver.Plugin
  let client: Client
  let context: Context

  /// Shows the address to open, waits for the one at which the browser ends, and finishes the sign-in.
  ///
  /// - Throws: `cli.signInExpired`, and the errors of the resolver.
  func run() async throws {
    let arguments = context.arguments
    if let redirect = arguments.value(.signInRedirect) { return finished(try await finish(redirect)) }
    let account = plugin.account
    var request = Resolver.BeginSignIn(plugin: plugin.id, clientID: arguments.value(.signInClient))
    if let account, account.needsSecret, !account.hasSecret || request.clientID != nil {
      request.clientSecret = try await SecretPrompt.read("Secret of your application: ", from: nil)
    }
    let signIn = try await client.ask(request)
    // Listening begins before the address is shown, so that no browser comes too early.
    let listener = RedirectListener(port: Self.port)
    show(signIn, listens: listener.listens)
    let left = Milliseconds(max(0, (signIn.expiresAt - Timestamp.now()).rawValue))
    let end = ContinuousClock.now + .milliseconds(left.rawValue)
    while true {
      switch try await listener.next(until: end) {
      case .opened(let path, let browser):
        guard path.hasPrefix("/callback"), path.contains("?") else {
          RedirectListener.answer(
            browser, "Nothing is here", "Lunara waits for a sign-in at this address.", isGood: false)
          continue
        }
        do {
          let plugin = try await finish("http://127.0.0.1:\(Self.port)\(path)")
          RedirectListener.answer(
            browser, "Signed in", "\(plugin.name) can use your account now. You can close this page.", isGood: true)
          return finished(plugin)
        } catch {
          let error = LunaraError(error)
          RedirectListener.answer(browser, "Not signed in", error.message, isGood: false)
          // Another page of this machine may have come here: the right one may still come.
          guard error.code == "resolver.signInFailed", !path.contains("error=") else { throw error }
          context.console.remark(error.message)
        }
      case .typed(let address):
        do { return finished(try await finish(address)) } catch {
          let error = LunaraError(error)
          guard error.code == "resolver.signInFailed", !address.contains("?") else { throw error }
          context.console.remark("This is no address with a code. Copy the whole address at which the browser ended.")
        }
      case .timeOver:
        throw LunaraError(
          "cli.signInExpired",
          "Nobody signed in before the address ran out. Start again with `lunara login \(plugin.id)`.")
      case .ended:
        throw LunaraError(
          "cli.signInExpired",
          "Port \(Self.port) of this machine is taken, and no address was typed. Give the address at which the browser ended with `lunara login \(plugin.id) --redirect ADDRESS`."
        )
      }
    }
  }

  private func show(_ signIn: Resolver.SignIn, listens: Bool) {
    let service = plugin.account?.service ?? plugin.name
    context.console.print(
      [
        "state": "waiting", "link": signIn.open, "redirect": signIn.redirect, "expiresAt": signIn.expiresAt,
      ],
      text: """
        Open this address and allow Lunara at \(Printable.line(service)):
          \(Printable.line(signIn.open))

        \(listens
          ? "With a browser on this machine that is all. With one elsewhere copy the address at which it ends, and paste it here."
          : "Your browser ends at an address that shows nothing. Copy that address, and paste it here.")
        Waiting for five minutes; Ctrl-C gives up.

        """)
  }

  private func finish(_ redirect: String) async throws -> Resolver.Plugin {
    try await client.ask(Resolver.FinishSignIn(plugin: plugin.id, redirect: redirect), within: .seconds(45))
  }

  private func finished(_ plugin: Resolver.Plugin) {
    let account = plugin.account
    let name = account?.name.map { " as \(Printable.line($0))" } ?? ""
    context.console.print(
      ["state": "done", "service": plugin.id, "account": account?.name],
      text: "Signed in\(name) at \(Printable.line(account?.service ?? plugin.name)).\n")
  }
}

extension Resolver.Account {
  /// The state of the account in one line.
  var line: String {
    if isSignedIn {
      return "signed in at \(service)\(name.map { " as \($0)" } ?? "")\(since.map { " since \($0.local)" } ?? "")"
    }
    return problem?.message ?? "not signed in at \(service)"
  }
}

extension Resolver.Plugin {
  /// The line about the account for a list of settings; empty for a plugin without one.
  var accountText: String {
    guard let account else { return "" }
    var lines = ["account  \(account.line)"]
    if !account.isSignedIn {
      lines.append("  `lunara login \(id)` signs in. Your application at \(account.page) needs the redirect address")
      lines.append("  \(account.redirect)")
    }
    return lines.map { Printable.line($0) + "\n" }.joined()
  }
}
