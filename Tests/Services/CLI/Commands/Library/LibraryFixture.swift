import Bus
import Messages
import Model
import Synchronization
import TestSupport

@testable import lunara

extension CommandFixture {
  /// A library with one source of two sections and a sign-in that is done at the third poll; it records its requests.
  func sources(
    kind: String = "plex", signIn: [Library.SignInState] = [],
    expiresAt: Timestamp = Timestamp(seconds: 4_000_000_000), problems: [LunaraError] = []
  ) async throws {
    let node = try await add("library@main")
    let status = Library.SourceStatus(
      name: kind, kind: kind, health: "ready", lastRefreshed: Sample.moment, albums: 4, tracks: 20,
      problemCount: problems.count, problems: problems, address: "http://10.0.0.2:32400", method: "counter",
      runs: [
        .init(startedAt: Sample.moment, counts: .init(new: 1, changed: 2, unchanged: 3, deleted: 4, seconds: 1.25))
      ])
    await node.publish(Library.CatalogueState(generation: 1, albums: 4, tracks: 20, sources: [status]))
    await node.serve(Library.ListSources.self) { _, _ in
      Library.SourceList(
        sources: [
          .init(
            status: status, isFromSettings: false, account: "ann",
            sections: [
              .init(key: "2", title: "Music", isOn: true, tracks: 20),
              .init(key: "5", title: "Audiobooks", isOn: false, tracks: 0),
            ])
        ], kinds: Sample.sourceKinds)
    }
    await node.serve(Library.AddSource.self) { request, _ in
      let settings = (request.settings ?? []).map { " \($0.key)=\($0.value)" }.joined()
      self.record("add \(request.type) \(request.address) \(request.user ?? "-") \(request.secret ?? "-")\(settings)")
      return Library.SourceAdded(name: request.type)
    }
    await node.serve(Library.RemoveSource.self) { request, _ in
      self.record("remove \(request.name)")
      return Done()
    }
    await node.serve(Library.OrderSources.self) { request, _ in .init(names: request.names + ["files"]) }
    await node.serve(Library.SwitchSection.self) { request, _ in
      self.record("switch \(request.source) \(request.section) \(request.isOn)")
      return Done()
    }
    await node.serve(Library.Rate.self) { request, _ in
      self.record("rate \(request.id) \(request.rating.map { "\($0.rawValue)" } ?? "none")")
      return Done()
    }
    await node.serve(Library.BeginSignIn.self) { _, _ in
      Library.SignIn(
        id: "7", code: "AB12", page: "https://plex.tv/link", link: "https://app.plex.tv/auth#?x", expiresAt: expiresAt)
    }
    await node.serve(Library.ReadSignIn.self) { _, _ in
      self.record("read")
      let asked = self.asked.withLock { $0.count }
      return asked > signIn.count ? .init(state: "waiting") : signIn[asked - 1]
    }
    await node.serve(Library.SignOut.self) { request, _ in
      self.record("sign out \(request.service)")
      return Done()
    }
  }

  /// A library with tracks, collections, playlists and plays.
  func shelves() async throws {
    let node = try await add("library@main")
    let track = Sample.track("t1", "Last Tram")
    let collection = MusicCollection(
      id: CollectionID(source: "plex", native: "c1"), title: "Key Albums", itemCount: 1, isPinned: true)
    let playlists = ["Drive", "Drive Home"].enumerated().map { index, title in
      Playlist(
        id: PlaylistID(source: "plex", native: "p\(index)"), title: title, trackCount: 2,
        duration: Milliseconds(120_000))
    }
    await node.serve(Library.ListAlbums.self) { request, _ in
      let tags = (request.tags ?? []).map { "\($0.isExcluded == true ? "!" : "")\($0.kind) \($0.name)" }
      let tag = tags.isEmpty ? "-" : tags.joined(separator: ", ")
      let direction = request.isReversed == true ? " reversed" : ""
      self.record("albums \(request.sort) \(tag) \(request.startingAt ?? "-")\(direction)")
      return Library.Page(items: [Sample.album("a1", "Night Lines")], next: nil)
    }
    await node.serve(Library.DrawAlbum.self) { _, _ in
      self.record("draw")
      return Library.ExplainedAlbum(album: Sample.album("a1", "Night Lines"), reason: "Drawn by chance. Never heard.")
    }
    await node.serve(Library.ListTracks.self) { request, _ in
      let tags = (request.tags ?? []).map { " \($0.kind) \($0.name)" }.joined()
      self.record("tracks \(request.sort) \(request.seed ?? 0)\(tags)\(request.isReversed == true ? " reversed" : "")")
      return Library.Page(items: [track], next: nil)
    }
    await node.serve(Library.ReadTrack.self) { request, _ in
      Library.TrackDetail(
        track: track,
        copies: [
          .init(
            id: request.id, format: "flac", isLossless: true,
            audio: AudioProperties(codec: "flac", bitRate: 2304, sampleRate: 88_200, bitDepth: 24, channels: 2),
            path: LocalPath("/m/1.flac")),
          .init(id: TrackID(source: "plex", native: "t9"), format: "mp3", isLossless: false),
        ])
    }
    await node.serve(Library.ListTags.self) { request, _ in
      let among = (request.among ?? []).map { " \($0.kind) \($0.name)" }.joined()
      let order = (request.sort.map { " \($0)" } ?? "") + (request.isReversed == true ? " reversed" : "")
      self.record("tags \(request.of) \(request.after ?? "-")\(among)\(order)")
      return request.after == nil
        ? Library.Page(items: [.init(name: "Dream Pop", albums: 12)], next: "n")
        : Library.Page(items: [.init(name: "Jazz", albums: 1)], next: nil)
    }
    await browsing(node)
    await node.serve(Library.Pin.self) { request, _ in
      self.record("pin \(request.id) \(request.isPinned)")
      return Done()
    }
    await node.serve(Library.ListCollections.self) { _, _ in Library.Page(items: [collection], next: nil) }
    await node.serve(Library.ReadCollection.self) { request, _ in
      Library.CollectionPage(
        collection: collection, albums: [Sample.album(request.after == nil ? "a1" : "a2", "x")],
        next: request.after == nil ? "n" : nil)
    }
    await node.serve(Library.ListPlaylists.self) { _, _ in Library.Page(items: playlists, next: nil) }
    await node.serve(Library.ReadPlaylist.self) { request, _ in
      if request.id.native == "p9" {
        let gone = DescribedTrack(title: "Gone Song", artist: "Some One")
        return Library.PlaylistPage(playlist: playlists[0], tracks: [], entries: [.init(entry: 1, described: gone)])
      }
      if request.id.source == "lunara" {
        let own = Playlist(id: request.id, title: "Sunday", trackCount: 4, duration: .zero, isEditable: true)
        return Library.PlaylistPage(
          playlist: own, tracks: [track, track, track, track], entries: [4, 5, 9, 17].map { .init(entry: $0) })
      }
      return Library.PlaylistPage(
        playlist: playlists.first { $0.id == request.id } ?? playlists[0], tracks: [track, track])
    }
    await edits(node)
    await node.serve(Library.Search.self) { request, _ in
      Library.SearchResults(
        artists: [], albums: [], tracks: [track], collections: [collection],
        best: .init(kind: .track, id: track.id.playable), tags: [.init(name: "Dream Pop", albums: 12, kind: .genre)],
        people: [.init(role: .composer, albums: 1, tracks: 2, person: ArtistName(name: "Ben"))],
        searchedWords: request.words == "trma" ? "tram" : nil)
    }
    await node.serve(Library.ListPlays.self) { request, _ in
      Library.Page(
        items: [
          Library.Play(
            listen: ListenID(rawValue: request.after ?? "l1"), track: track, room: RoomName(from: "den"),
            startedAt: Sample.moment, heard: Milliseconds(31_000), counted: false, skipped: true)
        ], next: request.after == nil ? "l2" : nil)
    }
    await node.serve(Library.CountPlays.self) { request, _ in
      let filter = request.filter
      self.record("count \(request.by) \(filter.room?.rawValue ?? "-") \(filter.since != nil) \(request.limit)")
      return Library.PlayCounts(rows: [
        .init(key: "files:a1", title: "Night Lines", plays: 3, skips: 1, lastPlayedAt: Sample.moment)
      ])
    }
    await node.serve(Library.ReadStatistics.self) { request, _ in
      self.record("statistics \(request.from ?? "-") \(request.to ?? "-") \(request.limit)")
      return Library.Statistics(
        from: "2026-01-01", to: "2026-01-02", firstDay: request.to == "1999-01-01" ? nil : "2025-05-01",
        totals: .init(plays: 3, heard: Milliseconds(7_500_000), artists: 1, albums: 1, tracks: 2, days: 1),
        before: .init(plays: 1),
        albums: [
          .init(key: "files:a1", title: "Night Lines", artist: "Nova", plays: 3, heard: Milliseconds(7_500_000))
        ],
        steps: [.init(name: "2026-01-01", plays: 3, heard: Milliseconds(7_500_000))])
    }
  }
}

extension CommandFixture {
  /// Notes edits of playlists, and answers them with a playlist.
  private func edits(_ node: Node) async {
    @Sendable func changed(_ id: PlaylistID, _ title: String = "Drive") -> Playlist {
      Playlist(id: id, title: title, trackCount: 3, duration: .zero, isEditable: true, revision: 2)
    }
    await node.serve(Library.CreatePlaylist.self) { request, _ in
      let model = request.copyOf?.description ?? "-"
      self.record("create \(request.title) \(request.ids) \(request.summary ?? "-") \(model)")
      return changed(PlaylistID(source: "lunara", native: "p7"), request.title)
    }
    await node.serve(Library.AddToPlaylist.self) { request, _ in
      self.record("add \(request.id) \(request.ids) \(request.after ?? -1)")
      return changed(request.id)
    }
    await node.serve(Library.RemoveFromPlaylist.self) { request, _ in
      self.record("remove \(request.id) \(request.entries)")
      return changed(request.id)
    }
    await node.serve(Library.MoveInPlaylist.self) { request, _ in
      self.record("move \(request.id) \(request.entries) \(request.after ?? -1)")
      return changed(request.id)
    }
    await node.serve(Library.DescribePlaylist.self) { request, _ in
      self.record("describe \(request.id) \(request.title ?? "-") \(request.summary ?? "-")")
      return changed(request.id, request.title ?? "Drive")
    }
    await node.serve(Library.DeletePlaylist.self) { request, _ in
      self.record("delete \(request.id)")
      return Done()
    }
    await node.serve(Library.ImportToPlaylist.self) { request, _ in
      self.record("import \(request.id) \(request.tracks.count) \(request.folder?.description ?? "-")")
      // The first track of each request is here, and too long a list fails.
      guard request.tracks.first?.title != "Broken" else { throw LunaraError("library.playlistFull", "Full.") }
      return Library.ImportedTracks(
        playlist: changed(request.id), matches: request.tracks.indices.map { $0 == 0 ? .file : .missing })
    }
    await node.serve(Library.ReadListFile.self) { request, _ in
      self.record("read \(request.address)")
      return Library.ListFileContents(title: "Far", tracks: [DescribedTrack(title: "One", artist: "A")])
    }
    await node.serve(Library.ExportPlaylist.self) { request, _ in
      let isFirst = request.after == nil
      return Library.ExportedPlaylist(
        playlist: changed(request.id),
        tracks: [
          DescribedTrack(
            title: isFirst ? "One" : "Two", artist: "Nova", duration: Milliseconds(60_000),
            location: isFirst ? "/m/one.flac" : nil)
        ], next: isFirst ? "2" : nil)
    }
    await node.serve(Library.UndoPlaylist.self) { request, _ in
      self.record("undo \(request.id)")
      return changed(request.id)
    }
  }
}
