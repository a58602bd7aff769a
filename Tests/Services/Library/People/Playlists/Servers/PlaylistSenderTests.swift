import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// Changes of servers' playlists that are made here.
@Suite(.timeLimit(.minutes(2)))
struct PlaylistSenderTests {
  /// A catalogue of a server with the albums 100 and 200 of three tracks, and the playlist `List` of 101, 102 and 101.
  private func fixture() async throws -> (catalogue: TestCatalogue, server: FakeServer, list: PlaylistID) {
    var contents = FakeServer.Contents()
    contents.album(100, "Blue")
    contents.album(200, "Hejira")
    contents.playlists = [ServerList(native: "9001", title: "List", items: ["101", "102", "101"])]
    let (catalogue, server) = (try TestCatalogue(), FakeServer(contents))
    try await catalogue.refresh(server)
    let list = try #require(try await lists(catalogue).first)
    #expect(list.isEditable == true && list.trackCount == 3)
    return (catalogue, server, list.id)
  }

  private func lists(_ catalogue: TestCatalogue) async throws -> [Playlist] {
    try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items
  }

  private func list(_ catalogue: TestCatalogue) async throws -> Playlist {
    try #require(try await lists(catalogue).first)
  }

  private func sender(_ catalogue: TestCatalogue, _ server: (any MusicServer)?) -> PlaylistSender {
    PlaylistSender(
      database: catalogue.database, hostID: "h1", log: .quiet, server: { _ in server }, time: { catalogue.time })
  }

  private func natives(_ catalogue: TestCatalogue) async throws -> [String] {
    try await catalogue.database.read {
      try $0.values(
        "SELECT native FROM playlist_entries WHERE playlist = (SELECT min(id) FROM playlists) ORDER BY place")
    }
  }

  private func track(_ catalogue: TestCatalogue, _ native: String) async throws -> PlayableID {
    let number: Int64? = try await catalogue.database.read {
      try $0.value("SELECT id FROM tracks WHERE native = ?", native)
    }
    return TrackID(source: "plex", native: "t\(try #require(number))").playable
  }

  @Test func aChangeIsShownAtOnceAndSentLater() async throws {
    let (catalogue, server, id) = try await fixture()
    let added = try await track(catalogue, "201")
    let changed = try await catalogue.edit { try $0.add(.init(id: id, ids: [added], after: 0)) }
    #expect(changed.trackCount == 4 && changed.note?.contains("not sent to plex yet") == true)
    #expect(await sender(catalogue, nil).sendAll() == false)
    // A refresh in between does not take the change back.
    server.change { _ in }
    try await catalogue.refresh(server)
    #expect(try await natives(catalogue) == ["201", "101", "102", "101"])
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.first?.items == ["201", "101", "102", "101"])
    #expect(try await list(catalogue).note == nil)
    try await catalogue.refresh(server)
    #expect(try await natives(catalogue) == ["201", "101", "102", "101"])
  }

  @Test func whatChangedThereMeanwhileIsKeptAndTold() async throws {
    let (catalogue, server, id) = try await fixture()
    let order = try await catalogue.order(id)
    _ = try await catalogue.edit { try $0.remove(.init(id: id, entries: [order[1]])) }
    server.change { $0.playlists[0].items = ["101", "102", "101", "203"] }
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.first?.items == ["101", "101", "203"])
    #expect(try await natives(catalogue) == ["101", "101", "203"])
    #expect(try await list(catalogue).note?.contains("at the same time") == true)
    #expect(try await list(catalogue).trackCount == 3)
  }

  @Test func aChangeThatArrivedThoughItsAnswerWasLostIsNotMadeTwice() async throws {
    let (catalogue, server, id) = try await fixture()
    let added = try await track(catalogue, "202")
    _ = try await catalogue.edit { try $0.add(.init(id: id, ids: [added])) }
    server.losesAnswers = true
    #expect(await sender(catalogue, server).sendAll() == false)
    #expect(server.playlists.first?.items == ["101", "102", "101", "202"])
    server.losesAnswers = false
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.first?.items == ["101", "102", "101", "202"])
  }

  @Test func aLostAnswerIsUnderstoodWhereATrackComesTwice() async throws {
    let (catalogue, server, id) = try await fixture()
    let order = try await catalogue.order(id)
    // One of two is removed here, and a third is added there.
    _ = try await catalogue.edit { try $0.remove(.init(id: id, entries: [order[0]])) }
    server.change { $0.playlists[0].items = ["101", "102", "101", "101"] }
    server.losesAnswers = true
    #expect(await sender(catalogue, server).sendAll() == false)
    let sent = server.playlists.first?.items
    #expect(sent?.count { $0 == "101" } == 2)
    // Meanwhile it is edited here again.
    let added = try await track(catalogue, "203")
    _ = try await catalogue.edit { try $0.add(.init(id: id, ids: [added])) }
    server.losesAnswers = false
    #expect(await sender(catalogue, server).sendAll())
    // It stands behind the track behind which it was put.
    #expect(sent == ["102", "101", "101"] && server.playlists.first?.items == ["102", "101", "203", "101"])
  }

  @Test func aPlaylistThatIsGoneThereBecomesOneOfOurs() async throws {
    let (catalogue, server, id) = try await fixture()
    let added = try await track(catalogue, "202")
    _ = try await catalogue.edit { try $0.add(.init(id: id, ids: [added])) }
    server.change { $0.playlists = [] }
    try await catalogue.refresh(server)
    #expect(await sender(catalogue, server).sendAll())
    let list = try await list(catalogue)
    #expect(list.id.source == "lunara" && list.trackCount == 4 && list.note?.contains("no longer has") == true)
    try await catalogue.refresh(server)
    #expect(try await lists(catalogue).count == 1)
  }

  @Test func whatAServerRefusesIsKeptInACopy() async throws {
    let (catalogue, server, id) = try await fixture()
    let added = try await track(catalogue, "202")
    _ = try await catalogue.edit { try $0.add(.init(id: id, ids: [added])) }
    server.refusesEdits = true
    for _ in 1..<PlaylistOutbox.mostFailures { #expect(await sender(catalogue, server).sendAll() == false) }
    #expect(await sender(catalogue, server).sendAll())
    let lists = try await lists(catalogue)
    #expect(lists.map(\.title) == ["List", "List (changed here)"])
    #expect(lists.map(\.trackCount) == [3, 4])
    #expect(lists[0].note?.contains("refused") == true && lists[1].id.source == "lunara")
  }

  @Test func titlesAreSentAndDeletedListsAreDeletedThere() async throws {
    let (catalogue, server, id) = try await fixture()
    _ = try await catalogue.edit { try $0.describe(.init(id: id, title: "Renamed", summary: "Slow")) }
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.first?.title == "Renamed" && server.playlists.first?.summary == "Slow")
    try await catalogue.edit { try $0.delete(.init(id: id)) }
    try await catalogue.refresh(server)
    #expect(try await lists(catalogue).isEmpty)
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.isEmpty)
    // The deletion is taken back: the server gets the list again.
    let again = try await catalogue.edit { try $0.undo(.init(id: id)) }
    #expect(again.trackCount == 3)
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.first?.items == ["101", "102", "101"] && server.playlists.first?.title == "Renamed")
    try await catalogue.refresh(server)
    #expect(try await lists(catalogue).map(\.trackCount) == [3])
  }

  @Test func aPlaylistIsMadeOnAServer() async throws {
    let (catalogue, server, _) = try await fixture()
    let album = try await catalogue.album("Hejira").id.playable
    let made = try await catalogue.edit { try $0.create(.init(title: "New", ids: [album], source: "plex")) }
    #expect(made.id.source == "plex" && made.isEditable == true)
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.last?.items == ["201", "202", "203"] && server.playlists.last?.title == "New")
    try await catalogue.refresh(server)
    #expect(try await lists(catalogue).map(\.title) == ["List", "New"])
  }

  @Test(arguments: [true, false]) func aPlaylistWhoseAnswerWasLostIsMadeOnce(_ isReadBetween: Bool) async throws {
    let (catalogue, server, _) = try await fixture()
    let album = try await catalogue.album("Hejira").id.playable
    let made = try await catalogue.edit { try $0.create(.init(title: "List", ids: [album], source: "plex")) }
    server.losesAnswers = true
    #expect(await sender(catalogue, server).sendAll() == false)
    #expect(server.playlists.map(\.items) == [["101", "102", "101"], ["201", "202", "203"]])
    // A refresh may find it first, and a person may change it here.
    if isReadBetween { try await catalogue.refresh(server) }
    let added = try await track(catalogue, "103")
    _ = try await catalogue.edit { try $0.add(.init(id: made.id, ids: [added])) }
    server.losesAnswers = false
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.map(\.items) == [["101", "102", "101"], ["201", "202", "203", "103"]])
    try await catalogue.refresh(server)
    #expect(try await lists(catalogue).map(\.trackCount).sorted() == [3, 4])
    #expect(try await lists(catalogue).allSatisfy { $0.note == nil })
  }

  @Test func aPlaylistThatIsDeletedHereBeforeItsAnswerCameIsDeletedThere() async throws {
    let (catalogue, server, _) = try await fixture()
    let album = try await catalogue.album("Hejira").id.playable
    let made = try await catalogue.edit { try $0.create(.init(title: "New", ids: [album], source: "plex")) }
    server.losesAnswers = true
    #expect(await sender(catalogue, server).sendAll() == false)
    try await catalogue.edit { try $0.delete(.init(id: made.id)) }
    server.losesAnswers = false
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.map(\.title) == ["List"])
  }

  /// Makes the playlist `New` of three tracks, which is still to be sent.
  private func make(_ catalogue: TestCatalogue) async throws -> PlaylistID {
    let album = try await catalogue.album("Hejira").id.playable
    return try await catalogue.edit { try $0.create(.init(title: "New", ids: [album], source: "plex")) }.id
  }

  @Test(arguments: [[], ["101"], ["201", "101"]], [true, false])
  func aPersonsOwnListOfTheNameIsNotTakenForTheOneThatWasNotMade(_ items: [String], isDeletedHere: Bool) async throws {
    let (catalogue, server, _) = try await fixture()
    let made = try await make(catalogue)
    server.refusesEdits = true
    #expect(await sender(catalogue, server).sendAll() == false)
    server.refusesEdits = false
    server.change { $0.playlists.append(ServerList(native: "9200", title: "New", items: items)) }
    try await catalogue.refresh(server)
    #expect(try await lists(catalogue).map(\.title).sorted() == ["List", "New", "New"])
    if isDeletedHere { try await catalogue.edit { try $0.delete(.init(id: made)) } }
    #expect(await sender(catalogue, server).sendAll())
    try await catalogue.refresh(server)
    let rest = isDeletedHere ? [] : [["201", "202", "203"]]
    #expect(server.playlists.map(\.items) == [["101", "102", "101"], items] + rest)
    #expect(try await lists(catalogue).map(\.trackCount).sorted() == ([3, items.count] + rest.map(\.count)).sorted())
  }

  @Test func aPersonsOwnListWithMoreTracksThanWereSentIsNotDeleted() async throws {
    let (catalogue, server, _) = try await fixture()
    let made = try await make(catalogue)
    server.refusesEdits = true
    #expect(await sender(catalogue, server).sendAll() == false)
    server.refusesEdits = false
    let own = ["201", "202", "203", "101"]
    server.change { $0.playlists.append(ServerList(native: "9200", title: "New", items: own)) }
    try await catalogue.edit { try $0.delete(.init(id: made)) }
    #expect(await sender(catalogue, server).sendAll())
    try await catalogue.refresh(server)
    #expect(server.playlists.map(\.items) == [["101", "102", "101"], own])
    #expect(try await lists(catalogue).map(\.trackCount) == [3, 4])
  }

  @Test(arguments: 0..<3) func aListWhoseServerSkippedATrackIsNotMadeAgain(_ skipped: Int) async throws {
    let (catalogue, server, _) = try await fixture()
    _ = try await make(catalogue)
    server.losesAnswers = true
    #expect(await sender(catalogue, server).sendAll() == false)
    server.losesAnswers = false
    server.change { _ = $0.playlists[1].items.remove(at: skipped) }
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.map(\.items) == [["101", "102", "101"], ["201", "202", "203"]])
  }

  @Test func aPersonsOwnListOfTheNameDoesNotReplaceOneThatIsStillToBeSent() async throws {
    let (catalogue, server, _) = try await fixture()
    _ = try await make(catalogue)
    server.change { $0.playlists.append(ServerList(native: "9200", title: "New", items: ["101"])) }
    try await catalogue.refresh(server)
    #expect(try await lists(catalogue).map(\.trackCount).sorted() == [1, 3, 3])
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.map(\.items) == [["101", "102", "101"], ["101"], ["201", "202", "203"]])
  }

  @Test func aListThatWasMadeIsFoundThoughSomebodyAddedToIt() async throws {
    let (catalogue, server, _) = try await fixture()
    let made = try await make(catalogue)
    server.losesAnswers = true
    #expect(await sender(catalogue, server).sendAll() == false)
    server.losesAnswers = false
    server.change { $0.playlists[1].items.insert("103", at: 0) }
    // Here the first track was removed meanwhile.
    let order = try await catalogue.order(made)
    _ = try await catalogue.edit { try $0.remove(.init(id: made, entries: [order[0]])) }
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.map(\.items) == [["101", "102", "101"], ["103", "202", "203"]])
  }

  /// Each call has two moments: one before it, and one between its answer and what is written of it.
  @Test func aListIsMadeOnceWhereverAKillComes() async throws {
    var moments = 0
    while true {
      let (catalogue, server, _) = try await fixture()
      _ = try await make(catalogue)
      let kill = Kill(after: moments)
      let killed = sender(catalogue, InterruptedServer(server: server, pass: kill.pass))
      await kill.run { _ = await killed.sendAll() }
      if moments % 2 == 1 { try await catalogue.refresh(server) }
      #expect(await sender(catalogue, server).sendAll(), "\(moments)")
      #expect(server.playlists.map(\.items) == [["101", "102", "101"], ["201", "202", "203"]], "\(moments)")
      try await catalogue.refresh(server)
      #expect(try await lists(catalogue).map(\.title) == ["List", "New"], "\(moments)")
      if !kill.hasCome { break }
      moments += 1
    }
    // It lists the playlists, makes one and reads it.
    #expect(moments == 6)
  }

  @Test func twoListsOfOneNameAndTheSameTracksStayTwo() async throws {
    let (catalogue, server, _) = try await fixture()
    _ = try await make(catalogue)
    _ = try await make(catalogue)
    // The request for the first one does not arrive.
    let moments = Mutex(0)
    let interrupted = InterruptedServer(server: server) {
      let moment = moments.withLock { moments in
        moments += 1
        return moments
      }
      if moment == 3 { throw SourceError.away("plex", cause: "the network is away") }
    }
    #expect(await sender(catalogue, interrupted).sendAll() == false)
    #expect(server.playlists.map(\.title) == ["List", "New"])
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.map(\.title) == ["List", "New", "New"])
    #expect(try await lists(catalogue).count == 3)
  }

  @Test func whatIsTakenBackAfterALostAnswerDoesNotComeBack() async throws {
    let (catalogue, server, id) = try await fixture()
    let added = try await track(catalogue, "202")
    _ = try await catalogue.edit { try $0.add(.init(id: id, ids: [added])) }
    server.losesAnswers = true
    #expect(await sender(catalogue, server).sendAll() == false)
    server.losesAnswers = false
    let last = try #require(try await catalogue.order(id).last)
    _ = try await catalogue.edit { try $0.remove(.init(id: id, entries: [last])) }
    // The first try to send that does not arrive.
    server.refusesEdits = true
    #expect(await sender(catalogue, server).sendAll() == false)
    server.refusesEdits = false
    #expect(await sender(catalogue, server).sendAll())
    #expect(server.playlists.map(\.items) == [["101", "102", "101"]])
  }

  @Test func whatTheServerDoesNotHaveIsRefused() async throws {
    let (catalogue, _, id) = try await fixture()
    try catalogue.tree.album("a", ["ALBUM=Tides", "ARTIST=Amber Vale"])
    try await catalogue.refresh()
    let album = try await catalogue.album("Tides").id.playable
    let error = await #expect(throws: LunaraError.self) {
      try await catalogue.edit { try $0.add(.init(id: id, ids: [album])) }
    }
    #expect(error?.code == "library.notOnServer")
    // The refused edit left nothing to send.
    #expect(try await list(catalogue).note == nil)
  }
}
