import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People

extension TestCatalogue {
  /// Edits playlists at the time of the fake clock.
  func edit<Answer: Sendable>(_ edit: @escaping @Sendable (PlaylistEditor) throws -> Answer) async throws -> Answer {
    let now = time
    return try await database.write { try edit(PlaylistEditor(now: now, hostID: "h1", transaction: $0)) }
  }

  /// Returns all entries of a playlist, page by page.
  func entries(_ id: PlaylistID) async throws -> [Library.PlaylistEntry] {
    var entries: [Library.PlaylistEntry] = []
    var after: String?
    repeat {
      let request = Library.ReadPlaylist(id: id, after: after)
      let page = try await database.read { try Catalogue.playlist(request, $0) }
      entries += page.entries ?? []
      after = page.next
    } while after != nil
    return entries
  }

  /// Returns the numbers of the entries of a playlist.
  func order(_ id: PlaylistID) async throws -> [Int64] { try await entries(id).map(\.entry) }
}

/// Making and editing playlists of the library itself.
@Suite(.timeLimit(.minutes(2)))
struct PlaylistEditorTests {
  private func id<Kind>(_ text: String) throws -> ItemID<Kind> { try #require(ItemID(text)) }

  /// A catalogue of 30 albums of ten tracks, and a playlist with the first two albums.
  private func stocked() async throws -> (TestCatalogue, Playlist) {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 30, tracks: 10)
    let ids: [PlayableID] = [try id("plex:a1001"), try id("plex:a1002")]
    let list = try await catalogue.edit { try $0.create(.init(title: "  Slow\n Sunday ", summary: "Calm", ids: ids)) }
    return (catalogue, list)
  }

  private func code(_ body: () async throws -> some Sendable) async -> String? {
    do {
      _ = try await body()
      return nil
    } catch { return LunaraError(error).code }
  }

  @Test func aPlaylistIsMadeOfWhateverCanBePlayed() async throws {
    let (catalogue, list) = try await stocked()
    #expect(list.title == "Slow Sunday" && list.summary == "Calm" && list.isEditable == true && list.revision == 1)
    #expect(list.id.source == "lunara" && list.trackCount == 20 && list.duration == Milliseconds(20 * 180_000))
    let listed = try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }
    #expect(listed.items == [list])
    let request = Library.ListPlayable(ids: [list.id.playable])
    let played = try await catalogue.database.read { try Catalogue.playable(request, host: "h1", $0) }
    #expect(played.tracks.prefix(2).map(\.track.id.native) == ["t100101", "t100102"] && played.tracks.count == 20)
    let copy = try await catalogue.edit { try $0.create(.init(title: "Copy", copyOf: list.id)) }
    #expect(copy.trackCount == 20 && copy.id != list.id)
    #expect(try await Set(catalogue.order(copy.id)).isDisjoint(with: catalogue.order(list.id)))
  }

  @Test func whatIsNotHereIsKeptAsItWasDescribed() async throws {
    let (catalogue, list) = try await stocked()
    let away = DescribedTrack(title: "Away", artist: "Nobody", duration: Milliseconds(1000))
    let changed = try await catalogue.edit { try $0.add(.init(id: list.id, ids: [], described: [away], after: 0)) }
    #expect(changed.trackCount == 21 && changed.duration == Milliseconds(20 * 180_000 + 1000))
    #expect(try await catalogue.entries(list.id).first?.described == away)
    let request = Library.ListPlayable(ids: [list.id.playable])
    let played = try await catalogue.database.read { try Catalogue.playable(request, host: "h1", $0) }
    #expect(played.tracks.count == 21 && played.tracks[0] == Library.PlayableTrack(away, host: "h1"))
    #expect(played.tracks[0].track.id.isDescribed && played.tracks[1].described == nil)
    // Its copy, and a list to which it is added, have it as well.
    let copies = try await catalogue.edit { try $0.create(.init(title: "Again", ids: [list.id.playable])) }
    #expect(try await catalogue.entries(copies.id).first?.described == away)
    // A track that leaves is shown as it was when it was added, and is the track again when it comes back.
    let columns: String? = try await catalogue.database.read {
      try $0.value("SELECT group_concat(name, ', ') FROM pragma_table_info('tracks')")
    }
    let stored = try #require(columns)
    try await catalogue.write(
      "CREATE TABLE kept AS SELECT \(stored) FROM tracks WHERE id = 100102", "DELETE FROM tracks WHERE id = 100102")
    let gone = try await catalogue.entries(list.id)[2]
    #expect(gone.described?.artist == "Artist 100" && gone.described?.album == "Album 1001")
    #expect(try await catalogue.entries(list.id).count == 21)
    // With another number it is found by its identity.
    try await catalogue.write(
      "UPDATE kept SET id = 999999, shown = 999999", "INSERT INTO tracks (\(stored)) SELECT * FROM kept")
    #expect(try await catalogue.entries(list.id)[2] == .init(entry: gone.entry))
    // A number that another row took over leads there.
    try await catalogue.write(
      "DELETE FROM tracks WHERE id = 999999", "INSERT INTO heirs (kind, number, heir) VALUES (3, 100102, 100207)")
    #expect(try await catalogue.entries(list.id)[2] == .init(entry: gone.entry))
  }

  @Test func entriesThatAreNotHereArePlayedInTheirPlacesPageByPage() async throws {
    let (catalogue, list) = try await stocked()
    let away = (1...230).map { DescribedTrack(title: "Away \($0)", artist: "Nobody") }
    let first = try await catalogue.order(list.id)[4]
    _ = try await catalogue.edit { try $0.add(.init(id: list.id, ids: [], described: away, after: first)) }
    var titles: [String] = []
    var pages: [Int] = []
    var after: String?
    repeat {
      let request = Library.ListPlayable(ids: [list.id.playable], after: after)
      let page = try await catalogue.database.read { try Catalogue.playable(request, host: "h1", $0) }
      titles += page.tracks.map { $0.described?.title ?? "here" }
      pages.append(page.tracks.count)
      after = page.next
    } while after != nil
    #expect(titles.count == 250 && pages == [100, 100, 50])
    #expect(titles.prefix(5).allSatisfy { $0 == "here" } && titles.suffix(15).allSatisfy { $0 == "here" })
    #expect(Array(titles[5..<235]) == away.map(\.title))
  }

  @Test func editsOfServersSmartPlaylistsAreRefused() async throws {
    let (catalogue, list) = try await stocked()
    try await catalogue.write(
      """
      INSERT INTO playlists (id, source, native, title, title_sort, is_smart, digest)
      VALUES (900, 'plex', '81', 'Drive', 'drive', 1, 0)
      """,
      "INSERT INTO playlist_entries (playlist, place, native, track) VALUES (900, 0, '', 100701), (900, 1, '', NULL)")
    let drive: PlaylistID = try id("plex:p900")
    #expect(await code { try await catalogue.edit { try $0.delete(.init(id: drive)) } } == "library.notEditable")
    #expect(
      await code { try await catalogue.edit { try $0.add(.init(id: drive, ids: [list.id.playable])) } }
        == "library.notEditable")
    // Its copy can be edited, and holds what is here.
    let copy = try await catalogue.edit { try $0.create(.init(title: "Mine", copyOf: drive)) }
    #expect(copy.trackCount == 1 && copy.isEditable == true)
    #expect(await code { try await catalogue.edit { try $0.create(.init(title: " \n")) } } == "library.badPlaylist")
    let many = Library.RemoveFromPlaylist(id: list.id, entries: [77_777])
    #expect(await code { try await catalogue.edit { try $0.remove(many) } } == "library.unknownEntry")
    let unknown: PlayableID = try id("plex:a77")
    #expect(
      await code { try await catalogue.edit { try $0.add(.init(id: list.id, ids: [unknown])) } } == "library.unknownID")
  }

  @Test func twoPeopleEditAtOnceAndNothingIsLost() async throws {
    let (catalogue, list) = try await stocked()
    let order = try await catalogue.order(list.id)
    // Both saw the same list: one removes the third entry, the other puts the fifth behind it and adds a track there.
    _ = try await catalogue.edit { try $0.remove(.init(id: list.id, entries: [order[2]])) }
    _ = try await catalogue.edit { try $0.move(.init(id: list.id, entries: [order[4], order[2]], after: order[0])) }
    let track: PlayableID = try id("plex:t100501")
    _ = try await catalogue.edit { try $0.add(.init(id: list.id, ids: [track], after: order[2])) }
    let now = try await catalogue.order(list.id)
    #expect(now.prefix(4) == [order[0], order[4], order[1], order[3]] && now.count == 20)
    #expect(now.last.map { !order.contains($0) } == true)
  }

  @Test func aDeletedPlaylistComesBackForThirtyDays() async throws {
    let (catalogue, list) = try await stocked()
    let order = try await catalogue.order(list.id)
    try await catalogue.edit { try $0.delete(.init(id: list.id)) }
    #expect(await code { try await catalogue.order(list.id) } == "library.unknownID")
    catalogue.wait(seconds: 29 * 86_400)
    let back = try await catalogue.edit { try $0.undo(.init(id: list.id)) }
    #expect(back.title == list.title && back.summary == list.summary)
    #expect(try await catalogue.order(list.id) == order)
    try await catalogue.edit { try $0.delete(.init(id: list.id)) }
    catalogue.wait(seconds: 31 * 86_400)
    // The next deletion forgets the old one.
    let other = try await catalogue.edit { try $0.create(.init(title: "Other")) }
    try await catalogue.edit { try $0.delete(.init(id: other.id)) }
    #expect(await code { try await catalogue.edit { try $0.undo(.init(id: list.id)) } } == "library.unknownID")
    let left: Int? = try await catalogue.database.read { try $0.value("SELECT count(*) FROM playlist_entries") }
    #expect(left == 0)
  }

  @Test func entriesFollowTheirTracksWhenTagsAreCorrected() async throws {
    let catalogue = try TestCatalogue()
    func write(_ title: String, _ name: String = "a/1.flac") throws {
      try catalogue.tree.flac(name, ["ARTIST=Ann", "ALBUM=Dawn", "TITLE=\(title)", "TRACKNUMBER=1"])
    }
    try write("Teh Dream")
    try await catalogue.refresh()
    let album = try await catalogue.album("Dawn").id.playable
    let list = try await catalogue.edit { try $0.create(.init(title: "Sunday", ids: [album])) }
    let entry = try #require(try await catalogue.order(list.id).first)
    try write("The Dream")
    try await catalogue.refresh()
    func titles() async throws -> [String] {
      let request = Library.ReadPlaylist(id: list.id)
      return try await catalogue.database.read { try Catalogue.playlist(request, $0) }.tracks.map(\.title)
    }
    #expect(try await titles() == ["The Dream"])
    // The corrected names find the music also where nothing else is known of it, as after the folder was removed.
    try catalogue.tree.remove("a")
    try await catalogue.refresh(accepting: true)
    #expect(try await titles().isEmpty)
    #expect(try await catalogue.entries(list.id).map(\.described?.title) == ["Teh Dream"])
    try await catalogue.write("DELETE FROM departed_tracks", "DELETE FROM departed_keys", "DELETE FROM heirs")
    try write("The Dream", "b/1.flac")
    try await catalogue.refresh()
    #expect(try await titles() == ["The Dream"])
    #expect(try await catalogue.order(list.id) == [entry])
  }

  /// Random edits, and undoing them, on a playlist and on a plain list of numbers.
  @Test func anyEditsDoWhatTheySayAndAreTakenBack() async throws {
    let (catalogue, list) = try await stocked()
    var random = Seeded(19)
    var states = [try await catalogue.order(list.id)]
    for step in 0..<600 {
      var model = try #require(states.last)
      let some = model.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
      let anchor: Int64? = [nil, 0, model.randomElement(using: &random)].randomElement(using: &random) ?? nil
      /// Puts entries into the model.
      func put(_ entries: [Int64], behind anchor: Int64?, among before: [Int64]) {
        var index = model.count
        if anchor == 0 { index = 0 }
        if let anchor, let place = before.firstIndex(of: anchor) {
          let stays = before[...place].last { model.contains($0) }
          index = stays.flatMap { model.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        }
        model.insert(contentsOf: entries, at: index)
      }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        let track: PlayableID = try id("plex:t\(100_000 + 100 * Int.random(in: 1...30, using: &random) + 1)")
        _ = try await catalogue.edit { try $0.add(.init(id: list.id, ids: [track, track], after: anchor)) }
        let new = try await catalogue.order(list.id).filter { !model.contains($0) }
        #expect(new.count == 2)
        put(new, behind: anchor, among: model)
      case 3..<6 where model.count > 4:
        let removed = Array(some)
        _ = try await catalogue.edit { try $0.remove(.init(id: list.id, entries: removed)) }
        model.removeAll { some.contains($0) }
      case 6..<9 where !model.isEmpty:
        let (moved, before) = (Array(some), model)
        _ = try await catalogue.edit { try $0.move(.init(id: list.id, entries: moved, after: anchor)) }
        model.removeAll { some.contains($0) }
        put(moved, behind: anchor, among: before)
      default:
        guard states.count > 1 else { continue }
        _ = try await catalogue.edit { try $0.undo(.init(id: list.id)) }
        states.removeLast()
        model = states.removeLast()
      }
      states = Array((states + [model]).suffix(11))
      #expect(try await catalogue.order(list.id) == model, "step \(step)")
    }
    while states.count > 1 {
      _ = try await catalogue.edit { try $0.undo(.init(id: list.id)) }
      states.removeLast()
      #expect(try await catalogue.order(list.id) == states.last)
    }
    #expect(await code { try await catalogue.edit { try $0.undo(.init(id: list.id)) } } == "library.nothingToUndo")
  }

  @Test func renamingIsTakenBackToo() async throws {
    let (catalogue, list) = try await stocked()
    func found(_ words: String) async throws -> [PlaylistID]? { try await catalogue.search(words).playlists?.map(\.id) }
    #expect(try await found("sund") == [list.id])
    _ = try await catalogue.edit { try $0.describe(.init(id: list.id, title: "Monday")) }
    let bare = try await catalogue.edit { try $0.describe(.init(id: list.id, summary: "")) }
    #expect(bare.title == "Monday" && bare.summary == nil && bare.revision == 3)
    #expect(try await found("sund") == [])
    #expect(try await found("monday") == [list.id])
    let same = try await catalogue.edit { try $0.describe(.init(id: list.id, title: "Monday")) }
    #expect(same.revision == 3)
    #expect(try await catalogue.edit { try $0.undo(.init(id: list.id)) }.summary == "Calm")
    #expect(try await catalogue.edit { try $0.undo(.init(id: list.id)) }.title == "Slow Sunday")
    #expect(try await found("sund") == [list.id])
    try await catalogue.edit { try $0.delete(.init(id: list.id)) }
    #expect(try await found("sund") == [])
  }
}
