import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import Providers

/// How ListenBrainz is asked not to recommend an album.
@Suite(.timeLimit(.minutes(2)))
struct ListenBrainzDislikeTests {
  private let group = "bf7ec9fe-0ee8-4a4b-aa5c-94ddcdb9e5a4"

  private func dislikes(_ brainz: FakeListenBrainz, token: String?) -> ListenBrainzDislikes {
    let home = TemporaryDirectory()
    return ListenBrainzDislikes(
      account: ListenBrainzAccount(
        http: brainz.http, secrets: ProviderSecrets(store: CredentialStore(home: home.path)),
        settings: (address: brainz.address, token: token)))
  }

  @Test func aReleaseGroupIsNamedOnceHoweverOftenItIsSent() async throws {
    let brainz = try await FakeListenBrainz()
    let dislikes = dislikes(brainz, token: try brainz.token())
    try await dislikes.hide(group)
    try await dislikes.hide(group)
    let entries = try await brainz.order("do-not-recommend").elements
    #expect(entries.map { $0["entity_mbid"]?.string } == [group])
    #expect(entries.map { $0["entity"]?.string } == ["release_group"])
  }

  @Test func withoutASignInOrWithAWrongTokenItIsSignedOutAndABadIdIsRefused() async throws {
    let brainz = try await FakeListenBrainz()
    #expect(try await code { try await dislikes(brainz, token: nil).hide(group) } == "library.signedOut")
    #expect(try await code { try await dislikes(brainz, token: "wrong").hide(group) } == "library.signedOut")
    let token = try brainz.token()
    #expect(try await code { try await dislikes(brainz, token: token).hide("x") } == "library.providerRefused")
    try await brainz.order("fault", #"{"path":"do-not-recommend","fault":"500"}"#)
    #expect(try await code { try await dislikes(brainz, token: token).hide(group) } == "library.providerUnclear")
  }
}
