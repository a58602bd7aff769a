import Messages
import Model

/// Signing in by a page.
extension AccountDesk {
  /// Begins to sign in at a server of Last.fm's protocol.
  ///
  /// - Throws: `scrobble.noKey`, `scrobble.badAddress`, `scrobble.serviceAway`, `scrobble.refused`.
  func beginSignIn(_ request: Scrobble.BeginSignIn) async throws -> Scrobble.SignIn {
    guard request.service == ScrobbleService.lastfm.rawValue else {
      throw ScrobbleError.unknownAccount(request.service, nil)
    }
    let address = try ServiceAddress(request.address ?? needs.addresses[.lastfm], of: .lastfm)
    let pair = try needs.door.pair(for: address)
    if let page = request.page { _ = try ServiceAddress(page, of: .lastfm) }
    let token = try await needs.door.token(at: address)
    let signIn = LastFMSignIn(at: address, page: request.page, key: pair.key, token: token, now: .now())
    // Those that are over are of interest for a while only.
    if signIns.count > 16 { signIns = signIns.filter { $0.value.signIn.state.state == "waiting" } }
    signIns[signIn.id] = (signIn, Task { await follow(signIn.id) })
    return signIn.told
  }

  /// How a sign-in stands.
  ///
  /// - Throws: `scrobble.unknownSignIn`.
  func signInState(_ id: String) throws -> Scrobble.SignInState {
    guard let signIn = signIns[id]?.signIn else { throw ScrobbleError.unknownSignIn() }
    return signIn.state
  }

  /// Asks for the session until there is one, or there will be none.
  private func follow(_ id: String) async {
    while !Task.isCancelled {
      do { try await pause(Self.pace) } catch { return }
      guard await ask(id) else { return }
    }
  }

  /// Asks once; whether to ask again.
  private func ask(_ id: String) async -> Bool {
    guard var signIn = signIns[id]?.signIn else { return false }
    let step: LastFMSignIn.Step
    do {
      switch try await needs.door.session(of: signIn.token, at: signIn.address) {
      case .success(let session):
        let name = try await signedIn(signIn.address, session)
        signIn.done(name)
        step = .end
      case .failure(let refusal): step = signIn.refused(refusal.code, refusal.words, at: .now())
      }
      if step == .begin { signIn.begin(with: try await needs.door.token(at: signIn.address), at: .now()) }
    } catch let error as LunaraError where error.code == "scrobble.serviceAway" {
      let step = signIn.away(at: .now())
      signIns[id]?.signIn = signIn
      return step != .end
    } catch is CancellationError {
      return false
    } catch {
      _ = signIn.fail(LunaraError(error))
      signIns[id]?.signIn = signIn
      return false
    }
    signIns[id]?.signIn = signIn
    return step != .end
  }
}
