import Bus
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
      let household = try await Client(context)
      let signIn = try await household.ask(
        Library.BeginSignIn(service: service), of: .library, within: .seconds(30))
      context.console.isJSON
        ? context.console.print(signIn.json) : context.console.print(signIn.text(context.console.style))
      let end = try await Command.end(of: signIn, at: service, in: household) {
        try await Task.sleep(for: .seconds(1))
        return .now()
      }
      context.console.isJSON ? context.console.print(end.json) : context.console.print(end.text(service))
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
      _ = try await Client(context).ask(Library.SignOut(service: service), of: .library, within: .seconds(20))
      context.console.isJSON
        ? context.console.print(.object(["signedOut": .text(service)]))
        : context.console.print("Signed out of \(service).\n")
    })

  /// Asks until a sign-in has come to its end; `pause` waits for a moment and gives the time.
  ///
  /// A library that restarts meanwhile is waited for, as long as the code is good.
  ///
  /// - Throws: `cli.signInExpired`, and why it failed.
  static func end(
    of signIn: Library.SignIn, at service: String, in household: Client, pause: () async throws -> Timestamp
  ) async throws -> Library.SignInState {
    let expired = LunaraError(
      "cli.signInExpired",
      "Nobody signed in before the code \(signIn.code) ran out. Start again with `lunara login \(service)`.")
    while true {
      let now = try await pause()
      do {
        let state = try await household.ask(Library.ReadSignIn(id: signIn.id), of: .library)
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
  /// The first line of `login`.
  fileprivate var json: JSON {
    .object([
      "state": .text("waiting"), "code": .text(code), "page": .text(page), "link": .text(link),
      "expiresAt": .text(expiresAt),
    ])
  }

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
  /// The last line of `login`.
  fileprivate var json: JSON {
    .object(["state": .text(state), "account": .text(account), "sources": .list(sources) { .string($0) }])
  }

  fileprivate func text(_ service: String) -> String {
    let found = sources.isEmpty ? "It has no server with music yet." : "Sources: \(sources.joined(separator: ", "))."
    return "Signed in\(account.map { " as \(Printable.line($0))" } ?? "") at \(service). \(Printable.line(found))\n"
  }
}
