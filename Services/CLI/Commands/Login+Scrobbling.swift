import Bus
import Messages
import Model

extension Option {
  static let url = Option("--url", "ADDRESS", help: "another server of that protocol, such as https://libre.fm")
  static let page = Option("--page", "ADDRESS", help: "where one signs in there, where that is not known")
  static let scrobbler = Option("--user", "NAME", help: "sign in with a password, at a server that has no page for it")
}

extension Command {
  /// The services that take scrobbles.
  static let scrobbleServices = ["lastfm", "listenbrainz"]

  /// Signs in at a service that takes scrobbles.
  static func loginToScrobble(_ service: String, _ context: Context) async throws {
    let household = try await Client(context)
    let (arguments, console) = (context.arguments, context.console)
    let account: String?
    if service == "lastfm", !arguments.has(.scrobbler) {
      let begin = Scrobble.BeginSignIn(
        service: service, address: arguments.value(.url), page: arguments.value(.page))
      let signIn = try await household.ask(begin, of: .scrobble, within: .seconds(40))
      account = try await end(of: signIn, in: household, console) {
        try await Task.sleep(for: .seconds(1))
        return .now()
      }
    } else {
      let isToken = service == "listenbrainz"
      let secret = try await Secret.read(
        isToken ? "Token (from https://listenbrainz.org/settings/): " : "Password: ", from: nil)
      guard let secret else {
        throw UsageError("\(service) needs a \(isToken ? "token" : "password"). Type it, or give it on standard input.")
      }
      account = try await household.ask(
        Scrobble.AddAccount(
          service: service, address: arguments.value(.url), user: arguments.value(.scrobbler), secret: secret),
        of: .scrobble, within: .seconds(40)
      ).account
    }
    console.isJSON
      ? console.print(.object(["state": .text("done"), "service": .text(service), "account": .text(account)]))
      : console.print(
        "Signed in\(account.map { " as \(Printable.line($0))" } ?? "") at \(service). What counts from now on is sent there.\n"
      )
  }

  /// Asks until a sign-in has come to its end; whose it is. A link that changes is shown again.
  ///
  /// - Throws: `cli.signInExpired`, `cli.signInFailed`, and why it failed.
  static func end(
    of signIn: Scrobble.SignIn, in household: Client, _ console: Console,
    pause: () async throws -> Timestamp
  ) async throws -> String? {
    var shown = ""
    func show(_ link: String) {
      guard link != shown else { return }
      shown = link
      console.isJSON
        ? console.print(
          .object(["state": .text("waiting"), "link": .text(link), "expiresAt": .text(signIn.expiresAt)]))
        : console.print(
          "Open this link and allow Lunara there:\n  \(Printable.line(link))\n\nWaiting until you have; Ctrl-C gives up.\n"
        )
    }
    show(signIn.link)
    let expired = LunaraError(
      "cli.signInExpired", "Nobody signed in before the link ran out. Start again with `lunara login lastfm`.")
    while true {
      let now = try await pause()
      do {
        let state = try await household.ask(Scrobble.ReadSignIn(id: signIn.id), of: .scrobble)
        switch state.state {
        case "done": return state.account
        case "expired": throw expired
        case "failed":
          throw state.error
            ?? LunaraError("cli.signInFailed", "The sign-in was refused. Start again with `lunara login lastfm`.")
        default: if let link = state.link { show(link) }
        }
      } catch let error as LunaraError where ["bus.timeout", "bus.unreachable"].contains(error.code) {
        guard now < signIn.expiresAt else { throw error }
      }
      if now >= signIn.expiresAt { throw expired }
    }
  }

  /// Signs out of accounts that get scrobbles.
  static func logoutFromScrobbling(_ word: String, _ context: Context) async throws {
    let (service, account) = account(word)
    let accounts = try await Client(context).ask(
      Scrobble.SignOut(service: service ?? word, account: account), of: .scrobble, within: .seconds(20)
    ).accounts
    context.console.isJSON
      ? context.console.print(.object(["signedOut": .list(accounts) { .string($0.name) }]))
      : context.console.print(
        accounts.map { "Signed out of \(Printable.line($0.name)); \($0.pending) that wait for it are kept.\n" }.joined()
      )
  }
}
