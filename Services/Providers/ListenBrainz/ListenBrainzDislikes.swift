import HTTP
import Messages
import Model
import Sync

/// Asks ListenBrainz not to recommend what people dislike, with the token of the account that scrobbles.
///
/// `POST /1/do-not-recommend/add` is in the source of ListenBrainz and not in its documentation. It keeps one entry for
/// each account and release group, so asking twice does no harm.
struct ListenBrainzDislikes: Sendable {
  let account: ListenBrainzAccount

  private struct Body: Encodable {
    var entity = "release_group"
    var entity_mbid: String
  }

  /// Asks not to recommend a release group. Throws `library.signedOut`, `library.providerAway`,
  /// `library.providerRefused`, `library.providerUnclear`, `CancellationError`.
  func hide(_ releaseGroup: String) async throws {
    let (address, token) = try account.scrobbling()
    guard let token else {
      throw LunaraError(
        "library.signedOut",
        "Nobody is signed in at ListenBrainz, so it was not told. Run `lunara login listenbrainz`, then `lunara likes retry`."
      )
    }
    let caller = ProviderCaller(title: account.kind.title, http: account.http, pacing: ProviderPacing(linkedAt: .now()))
    { refused in
      guard refused == nil else {
        throw LunaraError(
          "library.signedOut", "ListenBrainz no longer accepts the sign-in. Run `lunara login listenbrainz`.")
      }
      return ("Authorization", "Token \(token)")
    }
    let provider = ListenBrainzProvider(user: "", address: address, caller: caller)
    try await provider.post("/1/do-not-recommend/add", Body(entity_mbid: releaseGroup))
  }
}
