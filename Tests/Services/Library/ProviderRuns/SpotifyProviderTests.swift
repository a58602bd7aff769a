import HTTP
import Messages
import Model
import OAuth
import ServiceKit
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import ProviderRuns
@testable import Providers
@testable import Records

@Suite(.timeLimit(.minutes(2)))
struct SpotifyProviderTests {
  private func tracks(_ numbers: [Int]) -> [String] { numbers.map { SpotifyStandIn.track($0) } }

  @Test func allPagesOfListsAndEntriesAreRead() async throws {
    let spotify = try await SpotifyStandIn()
    #expect(try await spotify.signIn() == "The tester")
    let provider = try await spotify.provider()
    for number in 1...60 { _ = try await spotify.make("List \(number)", [], #","description":"a & b's""#) }
    _ = try await spotify.make("Editorial", [1], #","owner":"spotify""#)
    let shared = try await spotify.make("Shared", [1], #","owner":"ben","collaborative":true"#)
    let lists = try #require(try await provider.lists())
    #expect(lists.count == 61 && !lists.contains { $0.info.title == "Editorial" })
    #expect(lists.first { $0.info.native == shared }?.info.isEditable == true)
    #expect(lists.last?.info.summary == "a & b's")
    let long = try await spotify.make("Long", Array(1...250))
    let reading = try #require(try await provider.reading(of: long))
    #expect(reading.entries.map(\.native) == tracks(Array(1...250)) && reading.snapshot == "snapshot1")
    #expect(
      reading.entries[6].described
        == DescribedTrack(
          title: "Title 7", artist: "Artist, Guest", album: "Album", duration: Milliseconds(180_000),
          isrc: "GBABC0000007",
          location: "https://open.spotify.com/track/\(SpotifyStandIn.track(7))"))
    // It changes between two pages; the total stays the same.
    try await spotify.order("between-pages", #"{"id":"\#(long)","tracks":\#(Array((2...251).reversed()))}"#)
    #expect(try await provider.reading(of: long) == nil)
    #expect(try await provider.reading(of: long)?.entries.count == 250)
    #expect(
      await SpotifyStandIn.failure { try await provider.reading(of: SpotifyStandIn.track(1)) }
        == "library.providerRefused")
  }

  @Test func whatIsNoTrackKeepsItsPlaceAndIsNeverAddedAgain() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let provider = try await spotify.provider()
    let made = try await spotify.order(
      "playlist", #"{"tracks":[1,"spotify:local:a:b:c:1","null","spotify:episode:0000000000000000000001",2]}"#)
    let list = try #require(made["id"]?.string)
    let entries = try #require(try await provider.reading(of: list)).entries
    #expect(entries.map(\.isFixed) == [false, true, true, true, false])
    #expect(entries[1].described.title == "A file" && entries[3].described.artist == "Show")
    // Those that have no address stay there, and do not keep the others from being removed.
    _ = try await provider.lists()
    try await provider.apply(.removeTracks([entries[1].native, entries[2].native, entries[4].native]), to: list)
    #expect(try await provider.reading(of: list)?.entries.map(\.native) == entries.dropLast().map(\.native))
    try await provider.apply(.removeTracks([entries[2].native]), to: list)
    try await provider.apply(.removeTracks([entries[3].native]), to: list)
    #expect(try await provider.reading(of: list)?.entries.count == 3)
  }

  @Test func whatSpotifyDoesNotTellMakesNoReadingFail() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let provider = try await spotify.provider()
    _ = try await spotify.make("Mine", [1])
    _ = try await spotify.make("Radar", [], #","owner":"spotify","hidden":true"#)
    _ = try await spotify.make("Mix", [], #","owner":"spotify","hidden":true"#)
    #expect(try await provider.lists()?.map(\.info.title) == ["Mine"])
    try await spotify.order("save", #"{"kind":"album","numbers":[1,"null",2,"null"]}"#)
    #expect(try await provider.items(of: .albums)?.map(\.item.album) == ["Album 1", "Album 2"])
    try await spotify.order("save", #"{"kind":"track","numbers":[1,"null","null",2]}"#)
    let liked = try #require(try await provider.reading(of: SpotifyProvider.liked))
    #expect(liked.entries.map(\.isFixed) == [false, true, true, false])
  }

  @Test func aShortOrEmptyAnswerIsNeverACompleteReading() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let provider = try await spotify.provider()
    for kind in ["track", "album", "artist"] {
      try await spotify.order("save", #"{"kind":"\#(kind)","numbers":\#(Array(1...120))}"#)
    }
    _ = try await spotify.make("Mine", [1])
    for path in ["me/following", "me/albums", "me/playlists"] {
      try await spotify.order("fault", #"{"path":"\#(path)","fault":"empty"}"#)
    }
    #expect(try await provider.items(of: .artists) == nil)
    #expect(try await provider.items(of: .albums) == nil)
    #expect(try await provider.lists() == nil)
    try await spotify.order("fault", #"{"path":"me/following","fault":"short","rows":30,"skip":1}"#)
    #expect(try await provider.items(of: .artists) == nil)
    #expect(try await provider.items(of: .artists)?.count == 120)
  }

  @Test func theTextsOfAPlaylistOfAnotherOwnerAreLeftAlone() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let provider = try await spotify.provider()
    let list = try await spotify.make("Shared", [1], #","owner":"ben","collaborative":true"#)
    _ = try await provider.lists()
    try await provider.describe(list, title: "Ours", summary: "x")
    try await provider.apply(.insert(tracks([2]), at: nil), to: list)
    #expect(try await spotify.numbers(of: list) == [1, 2])
    #expect(try await provider.lists()?.first?.info.title == "Shared")
  }

  @Test func eachStepHasItsEffect() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let provider = try await spotify.provider()
    let list = try await provider.create(title: "Mine", summary: "calm")
    #expect(try await provider.lists()?.first?.info == RemoteListInfo(native: list, title: "Mine", summary: "calm"))
    #expect(try await spotify.order("playlists").members.first?.value["public"]?.isTrue == false)
    try await provider.describe(list, title: "Ours", summary: "calm\nand slow")
    let renamed = RemoteListInfo(native: list, title: "Ours", summary: "calm and slow")
    #expect(try await provider.lists()?.first?.info == renamed)
    // Spotify cannot take a description away.
    try await provider.describe(list, title: "Ours", summary: "")
    #expect(try await provider.lists()?.first?.info == renamed)
    try await provider.apply(.insert(tracks([1, 2, 3]), at: nil), to: list)
    try await provider.apply(.insert(tracks([9]), at: 1), to: list)
    #expect(try await spotify.numbers(of: list) == [1, 9, 2, 3])
    try await provider.apply(.move(from: 0, to: 3, native: SpotifyStandIn.track(1), place: nil), to: list)
    #expect(try await spotify.numbers(of: list) == [9, 2, 3, 1])
    try await provider.apply(.move(from: 3, to: 1, native: SpotifyStandIn.track(1), place: nil), to: list)
    #expect(try await spotify.numbers(of: list) == [9, 1, 2, 3])
    let wrong = await SpotifyStandIn.failure {
      try await provider.apply(.move(from: 0, to: 1, native: SpotifyStandIn.track(1), place: nil), to: list)
    }
    #expect(wrong == "library.providerChanged")
    try await provider.apply(.removeTracks(tracks([9, 3])), to: list)
    #expect(try await spotify.numbers(of: list) == [1, 2])
    try await provider.apply(.replace(tracks(Array(1...250)), expecting: tracks([1, 2])), to: list)
    #expect(try await spotify.numbers(of: list) == Array(1...250))
    let stale = await SpotifyStandIn.failure {
      try await provider.apply(.replace([], expecting: self.tracks([1])), to: list)
    }
    #expect(stale == "library.providerChanged")
    try await provider.delete(list)
    #expect(try await provider.lists() == [])
    #expect(provider.capabilities(of: list) == .readOnly)
  }

  @Test func likedSongsAlbumsAndArtistsAreReadAndWritten() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let provider = try await spotify.provider()
    try await spotify.order("save", #"{"kind":"track","numbers":\#(Array((1...120).reversed()))}"#)
    let liked = try #require(try await provider.reading(of: SpotifyProvider.liked))
    #expect(liked.entries.map(\.native) == tracks(Array(1...120)))
    #expect(try await provider.snapshot(of: SpotifyProvider.liked) == liked.snapshot)
    try await provider.apply(.insert(tracks(Array(121...170)), at: nil), to: SpotifyProvider.liked)
    try await provider.apply(.removeTracks(tracks([1])), to: SpotifyProvider.liked)
    #expect(try await provider.snapshot(of: SpotifyProvider.liked) != liked.snapshot)
    let after = try #require(try await provider.reading(of: SpotifyProvider.liked)).entries.map(\.native)
    #expect(after == tracks(Array(2...170)))
    // A song is liked between two pages.
    try await spotify.order("between-pages", #"{"kind":"track","numbers":\#(Array((3...171).reversed()))}"#)
    #expect(try await provider.reading(of: SpotifyProvider.liked) == nil)
    for (kind, part) in [("album", Library.SyncPart.albums), ("artist", .artists)] {
      try await spotify.order("save", #"{"kind":"\#(kind)","numbers":\#(Array(1...120))}"#)
      let items = try #require(try await provider.items(of: part))
      #expect(items.count == 120 && Set(items.map(\.native)).count == 120, "\(kind)")
      #expect(items[4].item == SyncItem(artist: "Artist 5", album: part == .albums ? "Album 5" : ""), "\(kind)")
      try await provider.remove([items[0].native], from: part)
      try await provider.add([items[0].native], to: part)
      #expect(try await provider.items(of: part)?.first == items[0], "\(kind)")
    }
  }

  @Test func namesAreLookedUpAndOnlyEqualOnesCount() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let provider = try await spotify.provider()
    func found(_ title: String, _ artist: String, isrc: String? = nil) async throws -> String? {
      try await provider.track(DescribedTrack(title: title, artist: artist, isrc: isrc))
    }
    #expect(try await found("title 7 (2011 Remaster)", "ARTIST") == SpotifyStandIn.track(7))
    #expect(try await found("Title 7", "Artist, Guest") == SpotifyStandIn.track(7))
    #expect(try await found("Title 7", "Somebody") == nil)
    #expect(try await found("Nothing", "Artist") == nil)
    #expect(try await found("Other words", "Other", isrc: "GBABC0000004") == SpotifyStandIn.track(4))
    #expect(try await provider.item(SyncItem(artist: "Artist 3", album: "Album 3"), of: .albums) != nil)
    #expect(try await provider.item(SyncItem(artist: "Artist 4", album: "Album 3"), of: .albums) == nil)
    #expect(try await provider.item(SyncItem(artist: "artist 3"), of: .artists) != nil)
    for location in [
      "https://open.spotify.com/track/\(SpotifyStandIn.track(5))?si=x", "spotify:track:\(SpotifyStandIn.track(5))",
      "https://open.spotify.com/intl-de/track/\(SpotifyStandIn.track(5))",
    ] {
      #expect(provider.known(DescribedTrack(title: "", artist: "", location: location)) == SpotifyStandIn.track(5))
    }
    #expect(
      provider.known(DescribedTrack(title: "", artist: "", location: "https://open.spotify.com/track/../x")) == nil)
  }

  @Test func pausesAreTakenAndLostChangesAreNotRepeated() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let provider = try await spotify.provider()
    let list = try await spotify.make("List", [1])
    _ = try await provider.lists()
    try await spotify.order("fault", #"{"path":"me/playlists","fault":"429"}"#)
    #expect(try await provider.lists()?.count == 1)
    try await spotify.order("fault", #"{"path":"items","fault":"429"}"#)
    try await provider.apply(.insert(tracks([2]), at: nil), to: list)
    try await spotify.order("fault", #"{"path":"items","fault":"502"}"#)
    let unclear = await SpotifyStandIn.failure {
      try await provider.apply(.insert(self.tracks([3]), at: nil), to: list)
    }
    #expect(unclear == "library.providerUnclear")
    #expect(try await spotify.numbers(of: list) == [1, 2])
    try await spotify.order("fault", #"{"path":"me/playlists","fault":"html"}"#)
    #expect(await SpotifyStandIn.failure { try await provider.lists() } == "library.providerAway")
  }
}

/// Tokens that expire, rotate and are revoked.
@Suite(.timeLimit(.minutes(2)))
struct OAuthSessionTests {
  @Test func aTokenIsRefreshedOnceForAllWhoWaitAndStoredFirst() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let kept = try #require(try spotify.secrets.read(SpotifyAccount.StoredSignIn.self, of: "spotify"))
    let (secrets, user) = (spotify.secrets, kept.user)
    let session = OAuthSession(kept.tokens, at: SpotifyAccount.server(spotify.address), http: spotify.http) { tokens in
      try secrets.write(SpotifyAccount.StoredSignIn(user: user, tokens: tokens), of: "spotify")
    }
    #expect(try await session.accessToken() == kept.tokens.access)
    let fresh = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { try await session.accessToken(insteadOf: kept.tokens.access) } }
      var all: Set<String> = []
      for try await token in group { all.insert(token) }
      return all
    }
    #expect(fresh.count == 1 && !fresh.contains(kept.tokens.access))
    let stored = try #require(try spotify.secrets.read(SpotifyAccount.StoredSignIn.self, of: "spotify"))
    #expect(fresh.contains(stored.tokens.access) && stored.tokens.refresh != kept.tokens.refresh)
  }

  @Test func thereIsNeverMoreThanOneRefreshAtATime() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let kept = try #require(try spotify.secrets.read(SpotifyAccount.StoredSignIn.self, of: "spotify"))
    let session = OAuthSession(kept.tokens, at: SpotifyAccount.server(spotify.address), http: spotify.http) { _ in }
    // A refresh with a token that another one has used ends the grant.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask { for _ in 0..<25 { _ = try await session.accessToken(insteadOf: await session.tokens.access) } }
      }
      try await group.waitForAll()
    }
  }

  @Test func tokensThatCannotBeStoredAreKeptUntilTheyCan() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let kept = try #require(try spotify.secrets.read(SpotifyAccount.StoredSignIn.self, of: "spotify"))
    let isFull = Mutex(true)
    let session = OAuthSession(kept.tokens, at: SpotifyAccount.server(spotify.address), http: spotify.http) { _ in
      if isFull.withLock({ $0 }) { throw LunaraError("storage.full", "No space.") }
    }
    #expect(
      await SpotifyStandIn.failure { try await session.accessToken(insteadOf: await session.tokens.access) }
        == "storage.full")
    #expect(await SpotifyStandIn.failure { try await session.accessToken() } == "storage.full")
    #expect(await session.tokens == kept.tokens)
    isFull.withLock { $0 = false }
    let fresh = try await session.accessToken()
    #expect(await session.tokens.access == fresh && fresh != kept.tokens.access)
    #expect(try await spotify.order("refreshes").integer == 1)
    #expect(try await session.accessToken(insteadOf: await session.tokens.access) != fresh)
  }

  @Test func twoConnectionsOfAnAccountShareItsSession() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let (first, second) = (try await spotify.provider(), try await spotify.provider())
    try await spotify.order("expire")
    async let one = first.lists()
    async let two = second.lists()
    #expect(try await [one, two] == [[], []])
    // Another sign-in counts from the next connection on.
    try await spotify.order("revoke")
    #expect(await SpotifyStandIn.failure { try await first.lists() } == "library.signedOut")
    try await spotify.signIn()
    #expect(try await spotify.provider().lists() == [])
  }

  @Test func anExpiredTokenIsRefreshedAndAServerWithoutRotationKeepsTheFormerOne() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let provider = try await spotify.provider()
    try await spotify.order("policy", #"{"rotates":false}"#)
    try await spotify.order("expire")
    #expect(try await provider.lists() == [])
    try await spotify.order("expire")
    #expect(try await provider.lists() == [])
    #expect(try await spotify.order("refreshes").integer == 2)
  }

  @Test func aTokenThatWasUsedBeforeEndsTheGrant() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let former = try #require(try spotify.secrets.read(SpotifyAccount.StoredSignIn.self, of: "spotify"))
    try await spotify.order("expire")
    #expect(try await spotify.provider().lists() == [])
    // Whoever kept the former tokens, such as an old backup, is signed out.
    try spotify.secrets.write(former, of: "spotify")
    try await spotify.order("expire")
    let old = try await spotify.provider()
    #expect(await SpotifyStandIn.failure { try await old.lists() } == "library.signedOut")
    #expect(await SpotifyStandIn.failure { try await old.lists() } == "library.signedOut")
  }

  @Test func aTokenThatIsRevokedInTheMiddleEndsTheRunAndLosesNothing() async throws {
    let spotify = try await SpotifyStandIn()
    try await spotify.signIn()
    let catalogue = try TestCatalogue()
    let list = try await spotify.make("Evening", [1, 2, 3])
    let record = spotify.record([.playlists: .both, .liked: .both])
    try await catalogue.database.write { try ProviderStore.keep(record, $0) }
    let runner = ProviderRunner(
      database: catalogue.database, services: [spotify.account], hostID: "h1", folders: MusicFolders([]), log: .quiet)
    func run() async throws -> Library.ProviderReport {
      await runner.run(try await catalogue.database.read { try ProviderStore.record("spotify", $0) })
      return try #require(
        try await catalogue.database.read { try ProviderStore.reports(of: "spotify", limit: 1, $0).first })
    }
    #expect(try await run().problem == nil)
    let playlists = try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items
    let evening = try #require(playlists.first { $0.title == "Evening" })
    try await spotify.order("revoke")
    #expect(try await run().problem?.code == "library.signedOut")
    #expect(try await catalogue.entries(evening.id).count == 3)
    #expect(try await spotify.numbers(of: list) == [1, 2, 3])
    #expect(try await catalogue.database.read { try ProviderStore.record("spotify", $0) }.state.pacing.needsSignIn)
  }

  @Test func aSignInIsRefusedForWhatIsWrong() async throws {
    let spotify = try await SpotifyStandIn()
    let account = spotify.account
    #expect(
      await SpotifyStandIn.failure { try await account.link(.init(type: "spotify")) } == "library.badProviderSetting")
    let foreign = "http://127.0.0.1:8888/callback?code=x&state=y"
    #expect(
      await SpotifyStandIn.failure { try await account.link(.init(type: "spotify", redirect: foreign)) }
        == "library.signInFailed")
    guard
      case .open(let page) = try await account.link(
        .init(type: "spotify", clientID: spotify.client, address: spotify.address))
    else { throw LunaraError("test", "no address to open") }
    let redirect = try await spotify.open(page)
    let request = Library.LinkProvider(type: "spotify", redirect: redirect, address: spotify.address)
    guard case .done = try await account.link(request) else { throw LunaraError("test", "not linked") }
    #expect(await SpotifyStandIn.failure { try await account.link(request) } == "library.signInFailed")
    // Spotify allows an application of one's own only for the accounts that are listed there.
    try await spotify.order("fault", #"{"path":"v1/me$","fault":"403"}"#)
    #expect(await SpotifyStandIn.failure { try await spotify.signIn() } == "library.signInFailed")
    try await spotify.order("policy", #"{"denies":true}"#)
    guard
      case .open(let other) = try await account.link(
        .init(type: "spotify", clientID: spotify.client, address: spotify.address))
    else { throw LunaraError("test", "no address to open") }
    let denied = Library.LinkProvider(
      type: "spotify", redirect: try await spotify.open(other), address: spotify.address)
    #expect(await SpotifyStandIn.failure { try await account.link(denied) } == "library.signInFailed")
  }
}
