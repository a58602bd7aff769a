import Bus
import Messages
import Model
import Storage

/// Answers requests about sources outside, albums that are not in the library, and wishes.
struct OutsideRequestHandler: Sendable {
  let database: Database
  let access: OutsideAccess
  let reader: OutsideReader
  let wishes: WishFollower
  let now: @Sendable () -> Timestamp

  private var store: OutsideStore { OutsideStore(database: database) }

  /// - Parameter house: returns the sources inside the house.
  func serve(on node: Node, house: @escaping @Sendable () async throws -> [Discovery.DataSource]) async {
    await node.serve(Discovery.ListSources.self) { _, _ in
      Discovery.SourceList(
        sources: try await house() + sources(),
        showsMissing: try await database.read(OutsideAlbums.showsMissing))
    }
    await node.serve(Discovery.SetSource.self) { request, _ in
      _ = try OutsideSources.named(request.name)
      try await store.set(request.name, isOn: request.isOn, at: now())
      await reader.wake()
      return Done()
    }
    await node.serve(Discovery.RefreshSource.self) { request, _ in
      if let name = request.name { _ = try OutsideSources.named(name) }
      try await store.refresh(request.name, at: now())
      await reader.wake()
      return Done()
    }
    await node.serve(Discovery.SetMissingAlbums.self) { request, _ in
      try await store.setMissing(request.isOn)
      return Done()
    }
    await node.serve(Discovery.SetWish.self) { request, _ in
      try await wishes.set(request)
      return Done()
    }
    await node.serve(Discovery.ListWishes.self) { _, _ in
      await wishes.refreshIfPossible()
      return try await WishStore(database: database, coverArt: access.coverArt).list()
    }
  }

  /// Returns the sources outside, those that are off too.
  func sources() async throws -> [Discovery.DataSource] {
    let states = try await database.read(OutsideStore.states)
    let accounts = await access.accounts()
    return OutsideSources.all.map { source in
      let state = states[source.name]
      let outside = Discovery.DataSource.Outside(
        title: source.title, adds: source.adds, sends: source.sends, isOn: state?.isOn ?? false,
        needs: Self.need(of: source, state, accounts), nextAt: state?.isOn == true ? state?.nextAt : nil)
      return Discovery.DataSource(
        name: source.name, readAt: state?.readAt, items: state?.items ?? 0, problem: state?.problem, outside: outside)
    }
  }

  /// Returns what is missing before a source can be read; nil if nothing is known to be.
  private static func need(
    of source: any OutsideSource.Type, _ state: OutsideStore.State?, _ accounts: Set<String>?
  ) -> String? {
    guard let kind = source.account, let accounts, !accounts.contains(kind) else { return nil }
    guard kind == "lastfm" else {
      return "An account at ListenBrainz. Sign in with `lunara login listenbrainz`."
    }
    guard source != LastFMListens.self else { return "An account at Last.fm. Sign in with `lunara login lastfm`." }
    // A key of the settings is enough for what is not about a person, and only the scrobbler knows it.
    return state?.problem?.code == "scrobble.noAccount"
      ? "An API key of Last.fm in LUNARA_LASTFM_KEY, or an account there." : nil
  }
}
