import Bus
import Messages
import Model

/// Answers what is asked about signing in.
enum SignInRequestHandler {
  static func serve(
    on node: Node, _ account: PlexAccount, _ desk: SourceRequestHandler, now: @escaping @Sendable () -> Timestamp = { .now() }
  ) async {
    await node.serve(Library.BeginSignIn.self) { request, _ in
      try require(request.service)
      return try await account.begin(now: now())
    }
    await node.serve(Library.ReadSignIn.self) { request, _ in try await account.state(of: request.id) }
    await node.serve(Library.SignOut.self) { request, _ in
      try await signOut(request.service, account, desk)
      return Done()
    }
  }

  /// Forgets the secret that a source has of its own; for `plex` and the sources of its account, the account's.
  private static func signOut(_ name: String, _ account: PlexAccount, _ desk: SourceRequestHandler) async throws {
    let isAccount = name == PlexServer.kind
    var hadOwn = false
    do { hadOwn = try await desk.signOut(of: name) } catch let error as LunaraError
      where isAccount && ["library.unknownSource", "library.sourceFromSettings"].contains(error.code)
    {
      // The account has this name, whatever sources there are.
    }
    if hadOwn && !isAccount { return }
    guard isPlex(name) else { throw SourceError.nobody(name) }
    do { try await account.signOut() } catch let error as LunaraError where hadOwn && error.code == "library.signedOut"
    {
      return
    }
    // What is signed out is shown so at once.
    try await desk.refresh(kind: PlexServer.kind)
  }

  private static func require(_ service: String) throws {
    // The source of a sign-in has the service's name, with a number for further servers.
    guard !isPlex(service) else { return }
    throw LunaraError("library.signInUnavailable", "One cannot sign in at \(service). `plex` is what there is.")
  }

  private static func isPlex(_ name: String) -> Bool {
    name == PlexServer.kind || name.hasPrefix(PlexServer.kind + "-")
  }
}
