import Bus
import Client
import Messages
import Model

extension Option {
  static let url = Option("--url", "ADDRESS", help: "another server of that protocol, such as https://libre.fm")
  static let page = Option("--page", "ADDRESS", help: "the sign-in page of that server")
  static let scrobbler = Option("--user", "NAME", help: "sign in with a password, at a server that has no page for it")
}

extension Command {
  static let login = Command(
    name: "login", summary: "sign in at a source of music or at a scrobble service",
    discussion: """
      Where a service has a link for it, such as Plex and Last.fm, it is shown, and waited for until you have opened it.
      Last.fm wants a key of your own first, in LUNARA_LASTFM_KEY and LUNARA_LASTFM_SECRET. Others, such as ListenBrainz,
      want a token: it is asked for without showing it, or read from standard input. Other servers of a service's
      protocol are named by --url. Several accounts may be signed in. The plugins spotify and soundcloud want an application
      of your own there: `lunara plugins settings spotify` names the redirect address that it needs.
      """,
    examples: [
      "lunara login plex": "adds the servers of the account that you sign in with",
      "lunara login lastfm": "what counts as heard from then on is scrobbled",
      "lunara login listenbrainz": "asks for the token of your account",
      "lunara login lastfm --url https://libre.fm": "a server of the same protocol",
      "lunara login spotify --client 1f2e3d": "for the plugin spotify, with the client id of your own application",
    ],
    takes: .context(.url, .page, .scrobbler, .signInClient, .signInRedirect),
    .operand(
      "SERVICE", help: "such as plex, lastfm or listenbrainz, or a plugin such as spotify",
      completes: .words(["plex", "lastfm", "listenbrainz", "spotify", "soundcloud"]))
  ) { client, console, context, word in
    if let plugin = try await client.plugin(wantingAccount: word) {
      return try await PluginSignIn(plugin: plugin, client: client, context: context).run()
    }
    switch try await SignInPlace.find(word, in: client) {
    case .sources(let kind) where kind.signIn.contains(.link): try await signIn(at: kind, client, console)
    case .sources(let kind):
      throw UsageError("One signs in at \(kind.title) as it is added: `lunara sources add \(kind.kind) ADDRESS`.")
    case .scrobbles(let service): try await signIn(at: service, client, context)
    case .other where ["spotify", "soundcloud"].contains(word):
      throw LunaraError(
        "resolver.noAccount",
        "One signs in at \(word) for its plugin, which is not installed. `lunara plugins add FILE` adds it.")
    case .other(let offered):
      throw UsageError("One signs in at \(offered.joined(separator: ", ")) here, not at “\(word)”.")
    }
  }

  static let logout = Command(
    name: "logout", summary: "forget the sign-in at a service; its music stays listed, what waits for it is kept",
    examples: [
      "lunara logout lastfm": "all accounts there; lastfm/NAME for one of several",
      "lunara logout plex": "the account's tokens are deleted here",
      "lunara logout subsonic": "the password of that source is deleted here",
      "lunara logout spotify": "the account of the plugin spotify",
    ],
    takes: .operand(
      "SERVICE", help: "such as plex, lastfm or listenbrainz, or the name of a source",
      completes: .household(.accounts))
  ) { client, console, word in
    if let plugin = try await client.plugin(wantingAccount: word) {
      _ = try await client.ask(Resolver.SignOut(plugin: plugin.id))
      return console.print(["signedOut": word], text: "Signed out of \(word).\n")
    }
    let (service, account) = account(word)
    guard case .scrobbles(let scrobbler) = try await SignInPlace.find(service ?? word, in: client) else {
      _ = try await client.ask(Library.SignOut(service: word))
      return console.print(["signedOut": word], text: "Signed out of \(word).\n")
    }
    let accounts = try await client.ask(Scrobble.SignOut(service: scrobbler.kind, account: account)).accounts
    console.print(
      ["signedOut": accounts.map(\.name)],
      text: accounts.map { "Signed out of \(Printable.line($0.name)); \($0.pending) that wait for it are kept.\n" }
        .joined())
  }

  private static func signIn(at kind: Library.SourceKind, _ client: Client, _ console: Console) async throws {
    let signIn = try await client.ask(Library.BeginSignIn(service: kind.kind))
    console.print(signIn.json(at: kind.kind), text: signIn.text(console.style))
    let end = try await end(of: "the code \(signIn.code)", at: kind.kind, signIn.expiresAt) {
      try await client.ask(Library.ReadSignIn(id: signIn.id))
    }
    console.print(end.json, text: end.text(kind.kind))
  }

  /// Signs in at a scrobble service, by its first way, or with a password if --user names a user.
  private static func signIn(
    at service: Scrobble.ServiceDescriptor, _ client: Client, _ context: Context
  ) async throws {
    let (arguments, console) = (context.arguments, context.console)
    let withPassword = arguments.has(.scrobbler) && service.signIn.contains(.password)
    let account: String?
    switch withPassword ? .password : service.signIn.first ?? .unknown {
    case .link: account = try await linkSignIn(at: service.kind, client, context)
    case .unknown:
      throw LunaraError(
        "cli.signInFailed", "This version of lunara has no way to sign in at \(service.title). Install a newer one.")
    case let method:
      let name = method == .token ? "token" : "password"
      let question = method == .token ? "Token\(service.page.map { " (from \($0))" } ?? ""): " : "Password: "
      let secret = try await SecretPrompt.read(question, from: nil)
      guard let secret else {
        throw UsageError("\(service.kind) needs a \(name). Type it, or give it on standard input.")
      }
      let request = Scrobble.AddAccount(
        service: service.kind, address: arguments.value(.url), user: arguments.value(.scrobbler), secret: secret)
      account = try await client.ask(request).account
    }
    let name = account.map { " as \(Printable.line($0))" } ?? ""
    console.print(
      ["state": "done", "service": service.kind, "account": account],
      text: "Signed in\(name) at \(service.kind). What counts from now on is sent there.\n")
  }

  /// Shows the sign-in link of a scrobble service, and each link that replaces it, until a person has signed in.
  /// Returns the account.
  private static func linkSignIn(at service: String, _ client: Client, _ context: Context) async throws -> String? {
    let (arguments, console) = (context.arguments, context.console)
    let begin = Scrobble.BeginSignIn(service: service, address: arguments.value(.url), page: arguments.value(.page))
    let signIn = try await client.ask(begin)
    var shown: String?
    func show(_ link: String) {
      guard link != shown else { return }
      shown = link
      console.print(
        ["state": "waiting", "link": link, "expiresAt": signIn.expiresAt],
        text:
          "Open this link and allow Lunara there:\n  \(Printable.line(link))\n\nWaiting until you have; Ctrl-C gives up.\n"
      )
    }
    show(signIn.link)
    return try await end(of: "the link", at: service, signIn.expiresAt) {
      let progress = try await client.ask(Scrobble.ReadSignIn(id: signIn.id))
      if let link = progress.link { show(link) }
      return progress
    }.account
  }

  /// Reads the state of a sign-in every second until it is done. If the service restarts meanwhile, continues until the
  /// sign-in expires.
  ///
  /// - Parameter subject: the code or link that a person was given, for the error.
  /// - Throws: `cli.signInExpired`, `cli.signInFailed`, or the error with which the sign-in failed.
  private static func end<Progress: SignInProgress>(
    of subject: String, at service: String, _ expiresAt: Timestamp, read: () async throws -> Progress
  ) async throws -> Progress {
    let again = "Start again with `lunara login \(service)`."
    let expired = LunaraError("cli.signInExpired", "Nobody signed in before \(subject) ran out. \(again)")
    while true {
      try await Task.sleep(for: .seconds(1))
      let isOver = Timestamp.now() >= expiresAt
      do {
        let progress = try await read()
        switch progress.state {
        case "done": return progress
        case "expired": throw expired
        case "failed":
          throw progress.error ?? LunaraError("cli.signInFailed", "\(service) refused the sign-in. \(again)")
        default: break
        }
      } catch let error as LunaraError where ["bus.timeout", "bus.unreachable"].contains(error.code) {
        guard !isOver else { throw error }
      }
      if isOver { throw expired }
    }
  }
}

/// A service at which people sign in, as the library or the scrobbler describes it.
private enum SignInPlace: Sendable {
  case sources(Library.SourceKind)
  case scrobbles(Scrobble.ServiceDescriptor)
  /// An unknown name. `offered` are the names at which one can sign in.
  case other(offered: [String])

  /// Finds the service of a name.
  ///
  /// - Throws: the error of the library or the scrobbler if it did not answer, and the other does not know the name.
  static func find(_ name: String, in client: Client) async throws -> SignInPlace {
    var offered: [String] = []
    var (isSource, failure): (Bool, LunaraError?) = (false, nil)
    let running = Set(client.nodes())
    // Running nodes are asked first, so that the answer need not wait for one that does not run.
    for node in [NodeID.library, .scrobble].sorted(by: { running.contains($0) && !running.contains($1) }) {
      do {
        if node == .library {
          let list = try await client.ask(Library.ListSources(), of: node)
          if let kind = list.kinds?.first(where: { $0.kind == name }) { return .sources(kind) }
          isSource = list.sources.contains { $0.status.name == name }
          offered += list.kinds?.filter { $0.signIn.contains(.link) }.map(\.kind) ?? []
        } else {
          let services = try await client.ask(Scrobble.ListServices(), of: node).services
          if let service = services.first(where: { $0.kind == name }) { return .scrobbles(service) }
          offered += services.map(\.kind)
        }
      } catch {
        failure = failure ?? LunaraError(error)
      }
    }
    if let failure, !isSource { throw failure }
    return .other(offered: offered)
  }
}

private protocol SignInProgress {
  /// One of `waiting`, `done`, `expired` and `failed`.
  var state: String { get }
  var error: LunaraError? { get }
}

extension Library.SignInState: SignInProgress {
  fileprivate func text(_ service: String) -> String {
    let found = sources.isEmpty ? "It has no server with music yet." : "Sources: \(sources.joined(separator: ", "))."
    return "Signed in\(account.map { " as \(Printable.line($0))" } ?? "") at \(service). \(Printable.line(found))\n"
  }
}

extension Scrobble.SignInState: SignInProgress {}

extension Library.SignIn {
  fileprivate func text(_ style: Style) -> String {
    """
    Open this link:
      \(Printable.line(link))
    or type the code \(style.strong(Printable.line(code))) at \(Printable.line(page))

    Waiting until you have; Ctrl-C gives up.

    """
  }
}
