import Bus
import Client
import Messages
import Model

extension Command {
  /// Signs in at a service.
  static let login = Command(
    name: "login", summary: "sign in at a service that music comes from, or that what was heard goes to",
    discussion: """
      At Plex and Last.fm: shows a link, and waits until you have opened it. Last.fm wants a key of your own first, in
      LUNARA_LASTFM_KEY and LUNARA_LASTFM_SECRET. At ListenBrainz: asks for your token without showing it, or reads it
      from standard input. Any server of those two protocols is named by --url. Several accounts may be signed in.
      """,
    examples: [
      .init("lunara login plex", "adds the servers of the account that you sign in with"),
      .init("lunara login lastfm", "what counts as heard from then on is scrobbled"),
      .init("lunara login listenbrainz", "asks for the token of your account"),
      .init("lunara login lastfm --url https://libre.fm", "a server of the same protocol"),
    ],
    options: [.url, .page, .scrobbler],
    operand: .one("SERVICE", help: "plex, lastfm or listenbrainz"),
    action: .asynchronous { context in
      let service = context.arguments.operands[0]
      if scrobbleServices.contains(service) { return try await loginToScrobble(service, context) }
      guard service == "plex" else {
        throw UsageError("One signs in at plex, lastfm or listenbrainz here, not at “\(service)”.")
      }
      let client = try await Client(context)
      let signIn = try await client.ask(
        Library.BeginSignIn(service: service), of: .library)
      context.console.print(signIn.json(at: service), text: signIn.text(context.console.style))
      let end = try await Command.end(of: signIn, at: service, in: client) {
        try await Task.sleep(for: .seconds(1))
        return .now()
      }
      context.console.print(end.json, text: end.text(service))
    })

  /// Signs out.
  static let logout = Command(
    name: "logout", summary: "forget the sign-in at a service; its music stays listed, what waits for it is kept",
    examples: [
      .init("lunara logout lastfm", "all accounts there; lastfm/NAME for one of several"),
      .init("lunara logout plex", "the account's tokens are deleted here"),
      .init("lunara logout subsonic", "the password of that source is deleted here"),
    ],
    operand: .one("SERVICE", help: "plex, lastfm, listenbrainz, or the name of a source"),
    action: .asynchronous { context in
      let service = context.arguments.operands[0]
      if scrobbleServices.contains(String(service.prefix { $0 != "/" })) {
        return try await logoutFromScrobbling(service, context)
      }
      _ = try await Client(context).ask(Library.SignOut(service: service), of: .library)
      context.console.print(.object(["signedOut": .text(service)]), text: "Signed out of \(service).\n")
    })

  /// Asks until a sign-in has come to its end; `pause` waits for a moment and gives the time.
  ///
  /// A library that restarts meanwhile is waited for, as long as the code is good.
  ///
  /// - Throws: `cli.signInExpired`, and why it failed.
  static func end(
    of signIn: Library.SignIn, at service: String, in client: Client, pause: () async throws -> Timestamp
  ) async throws -> Library.SignInState {
    let expired = LunaraError(
      "cli.signInExpired",
      "Nobody signed in before the code \(signIn.code) ran out. Start again with `lunara login \(service)`.")
    while true {
      let now = try await pause()
      do {
        let state = try await client.ask(Library.ReadSignIn(id: signIn.id), of: .library)
        switch state.state {
        case "done": return state
        case "expired": throw expired
        case "failed":
          throw state.error
            ?? LunaraError("cli.signInFailed", "\(service) refused the sign-in. Start again with `lunara login`.")
        default: break
        }
      } catch let error as LunaraError where ["bus.timeout", "bus.unreachable"].contains(error.code) {
        guard now < signIn.expiresAt else { throw error }
      }
      if now >= signIn.expiresAt { throw expired }
    }
  }
}

extension Library.SignIn {
  /// The link and the code, for people.
  fileprivate func text(_ style: Style) -> String {
    """
    Open this link:
      \(Printable.line(link))
    or type the code \(style.strong(Printable.line(code))) at \(Printable.line(page))

    Waiting until you have; Ctrl-C gives up.

    """
  }
}

extension Library.SignInState {
  /// Says who is signed in, and which sources that brings.
  fileprivate func text(_ service: String) -> String {
    let found = sources.isEmpty ? "It has no server with music yet." : "Sources: \(sources.joined(separator: ", "))."
    return "Signed in\(account.map { " as \(Printable.line($0))" } ?? "") at \(service). \(Printable.line(found))\n"
  }
}

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
    let client = try await Client(context)
    let (arguments, console) = (context.arguments, context.console)
    let account: String?
    if service == "lastfm", !arguments.has(.scrobbler) {
      let begin = Scrobble.BeginSignIn(
        service: service, address: arguments.value(.url), page: arguments.value(.page))
      let signIn = try await client.ask(begin, of: .scrobble)
      account = try await end(of: signIn, in: client, console) {
        try await Task.sleep(for: .seconds(1))
        return .now()
      }
    } else {
      let isToken = service == "listenbrainz"
      let secret = try await SecretPrompt.read(
        isToken ? "Token (from https://listenbrainz.org/settings/): " : "Password: ", from: nil)
      guard let secret else {
        throw UsageError("\(service) needs a \(isToken ? "token" : "password"). Type it, or give it on standard input.")
      }
      account = try await client.ask(
        Scrobble.AddAccount(
          service: service, address: arguments.value(.url), user: arguments.value(.scrobbler), secret: secret),
        of: .scrobble
      ).account
    }
    console.print(
      .object(["state": .text("done"), "service": .text(service), "account": .text(account)]),
      text:
        "Signed in\(account.map { " as \(Printable.line($0))" } ?? "") at \(service). What counts from now on is sent there.\n"
    )
  }

  /// Asks until a sign-in has come to its end; whose it is. A link that changes is shown again.
  ///
  /// - Throws: `cli.signInExpired`, `cli.signInFailed`, and why it failed.
  static func end(
    of signIn: Scrobble.SignIn, in client: Client, _ console: Console,
    pause: () async throws -> Timestamp
  ) async throws -> String? {
    var shown = ""
    func show(_ link: String) {
      guard link != shown else { return }
      shown = link
      console.print(
        .object(["state": .text("waiting"), "link": .text(link), "expiresAt": .text(signIn.expiresAt)]),
        text:
          "Open this link and allow Lunara there:\n  \(Printable.line(link))\n\nWaiting until you have; Ctrl-C gives up.\n"
      )
    }
    show(signIn.link)
    let expired = LunaraError(
      "cli.signInExpired", "Nobody signed in before the link ran out. Start again with `lunara login lastfm`.")
    while true {
      let now = try await pause()
      do {
        let state = try await client.ask(Scrobble.ReadSignIn(id: signIn.id), of: .scrobble)
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
      Scrobble.SignOut(service: service ?? word, account: account), of: .scrobble
    ).accounts
    context.console.print(
      .object(["signedOut": .list(accounts) { .string($0.name) }]),
      text: accounts.map { "Signed out of \(Printable.line($0.name)); \($0.pending) that wait for it are kept.\n" }
        .joined())
  }
}
