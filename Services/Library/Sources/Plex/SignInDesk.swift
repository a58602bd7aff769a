import Bus
import Messages
import Model

/// Answers what is asked about signing in.
enum SignInDesk {
  static func serve(on node: Node, _ account: PlexAccount, now: @escaping @Sendable () -> Timestamp = { .now() }) async
  {
    await node.serve(Library.BeginSignIn.self) { request, _ in
      try require(request.service)
      return try await account.begin(now: now())
    }
    await node.serve(Library.ReadSignIn.self) { request, _ in try await account.state(of: request.id) }
    await node.serve(Library.SignOut.self) { request, _ in
      try require(request.service)
      try await account.signOut()
      return Done()
    }
  }

  private static func require(_ service: String) throws {
    // The source of a sign-in has the service's name, with a number for further servers.
    guard service != PlexServer.kind, !service.hasPrefix(PlexServer.kind + "-") else { return }
    throw LunaraError("library.signInUnavailable", "One cannot sign in at \(service). `plex` is what there is.")
  }
}
