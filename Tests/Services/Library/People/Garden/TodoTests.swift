import HTTP
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

/// Todos, suggested ones, and sending them.
@Suite(.timeLimit(.minutes(2)))
struct TodoTests {
  private func server(_ fill: (inout FakeServer.Contents) -> Void) -> FakeServer {
    var contents = FakeServer.Contents()
    fill(&contents)
    return FakeServer(contents)
  }

  @Test func theLibrarySeesWhatIsMissing() async throws {
    let catalogue = try TestCatalogue()
    let server = server { contents in
      contents.album(100, "Blue", tracks: 5)
      contents.albums[0].art = nil
      contents.albums[0].year = nil
      contents.tracks.remove(at: 2)
      contents.tracks[3].format = "flac"
      contents.album(200, "Whole", tracks: 3)
    }
    try await catalogue.refresh(server)
    let found = try await catalogue.suggestions()
    #expect(found.map(\.about) == [.cover, .year, .missing, .formats] && found.allSatisfy { $0.on.title == "Blue" })
    #expect(found[2].evidence == "Disc 1 lacks the track 3.")
    #expect(found[3].evidence == "Its tracks are in flac and mp3.")
    let blue = try await catalogue.album("Blue")
    let dismissed = try await catalogue.garden {
      try $0.todos.decide(.init(id: blue.id, about: .cover, isAccepted: false))
    }
    #expect(dismissed.state == .dismissed)
    let year = try await catalogue.garden { try $0.todos.decide(.init(id: blue.id, about: .year, isAccepted: true)) }
    #expect(year.state == .open && year.evidence == "It has no year.")
    #expect(try await catalogue.suggestions().map(\.about) == [.missing, .formats])
    #expect(
      await gardenCode {
        try await catalogue.garden { try $0.todos.decide(.init(id: blue.id, about: .split, isAccepted: true)) }
      } == "library.noSuggestion")
    // The refresh that brings the year ends the todo.
    server.change { $0.albums[0].year = 1971 }
    try await catalogue.refresh(server)
    let done = try await catalogue.todos(.done)
    #expect(done.map(\.about) == [.year] && done.first?.isNoticed == true && done.first?.doneAt != nil)
    #expect(try await catalogue.todos().isEmpty)
  }

  @Test func aTodoOfAFileIsNoticedAsDoneWhenItsValueChanges() async throws {
    let catalogue = try TestCatalogue()
    let server = server { $0.album(100, "Blue", tracks: 3) }
    try await catalogue.refresh(server)
    let id = try await catalogue.album("Blue").id.playable
    _ = try await catalogue.garden { try $0.todos.add(.init(id: id, about: .year, text: "1980")) }
    let file = try await catalogue.database.read { try Catalogue.exportGarden(.init(), $0).items }
    try await catalogue.database.write { try $0.execute("DELETE FROM garden_todos") }
    _ = try await catalogue.garden { try GardenImport(transaction: $0.transaction, now: $0.now).add(file) }
    #expect(try await catalogue.todos().map(\.text) == ["1980"])
    server.change { $0.albums[0].year = 1980 }
    try await catalogue.refresh(server)
    #expect(try await catalogue.todos().isEmpty)
    #expect(try await catalogue.todos(.done).map(\.isNoticed) == [true])
  }

  @Test func anAlbumWithAGainThatCannotBeRightIsNotCalledQuiet() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh(server { $0.album(100, "Blue", tracks: 3) })
    let found = try await catalogue.suggestions().map(\.about)
    for (gain, isQuiet) in [(14.0, true), (1e300, false)] {
      try await catalogue.database.write { try $0.execute("UPDATE tracks SET track_gain = ?", gain) }
      let all = try await catalogue.suggestions().map(\.about)
      #expect(all.filter { $0 != .rip } == found && all.contains(.rip) == isQuiet)
    }
  }

  @Test func aTodoOfAPersonIsNoticedAsDoneWhenItsValueChanges() async throws {
    let catalogue = try TestCatalogue()
    let server = server { $0.album(100, "Blue", tracks: 3) }
    try await catalogue.refresh(server)
    let id = try await catalogue.album("Blue").id.playable
    try await catalogue.garden { change in
      _ = try change.todos.add(.init(id: id, about: .year, text: "It is from 1970."))
      _ = try change.todos.add(.init(id: id, about: .missing, text: "The hidden track."))
      _ = try change.todos.add(.init(id: id, text: "Scan the back."))
    }
    #expect(
      await gardenCode { try await catalogue.garden { try $0.todos.add(.init(id: id, text: " ")) } }
        == "library.badTodo")
    server.change { contents in
      contents.albums[0].year = 1970
      contents.album(150, "Blue", year: 1970, tracks: 1, from: 4)
    }
    try await catalogue.refresh(server)
    #expect(try await catalogue.todos().map(\.text) == ["Scan the back."])
    let done = try await catalogue.todos(.done)
    #expect(Set(done.map(\.about)) == [.year, .missing] && done.allSatisfy { $0.isNoticed == true })
    let reopened = try await catalogue.garden { try $0.todos.set(.init(todo: done[0].todo, state: .open)) }
    #expect(reopened.doneAt == nil && reopened.isNoticed == nil)
  }

  /// Answers of a receiver, one for each request, and the requests that it got.
  private final class Receiver: Sendable {
    let answers: Mutex<[Int]>
    let requests = Mutex<[HTTPRequest]>([])
    let pauses = Mutex<[Duration]>([])
    /// True once the sender has nothing to do until it is woken.
    let isIdle = Mutex(false)

    init(_ answers: [Int]) { self.answers = Mutex(answers) }

    func answer(_ request: HTTPRequest) throws -> HTTPResponse {
      requests.withLock { $0.append(request) }
      let status = answers.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
      guard status > 0 else { throw LunaraError("http.unreachable", "Nobody is there.") }
      return HTTPResponse(status: status, body: Array("no such album".utf8))
    }
  }

  private func send(
    _ catalogue: TestCatalogue, _ texts: [String], _ receiver: Receiver, token: String? = "secret"
  ) async throws -> Library.TodoWebhook {
    let settings = TodoWebhookSettings(store: CredentialStore(home: catalogue.tree.beside("home")))
    try await settings.set(.init(address: "https://hook.example/todo?a=b", token: token), catalogue.database)
    let id = try await catalogue.album("Blue").id.playable
    for text in texts { _ = try await catalogue.garden { try $0.todos.add(.init(id: id, text: text)) } }
    let sender = TodoSender(
      database: catalogue.database, settings: settings, log: .quiet, send: { try receiver.answer($0) },
      sleep: { pause in
        guard pause == WorkLoop.forever else { return receiver.pauses.withLock { $0.append(pause) } }
        receiver.isIdle.withLock { $0 = true }
        try await Task.sleep(for: .seconds(3600))
      })
    await sender.start()
    #expect(await eventually { receiver.isIdle.withLock { $0 } })
    await sender.stop()
    return try await settings.read(catalogue.database)
  }

  private func blue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.make(folder: Array(catalogue.tree.beside("home").utf8))
    try await catalogue.refresh(server { $0.album(100, "Blue", tracks: 3) })
    return catalogue
  }

  @Test func todosAreSentWithTheTokenAndAgainUntilTheyAreAccepted() async throws {
    let catalogue = try await blue()
    let receiver = Receiver([503, 0, 200, 200])
    let webhook = try await send(catalogue, ["one", "two"], receiver)
    #expect(webhook == .init(address: "https://hook.example/todo?a=b", hasToken: true))
    let requests = receiver.requests.withLock { $0 }
    #expect(requests.count == 4 && requests.allSatisfy { $0.method == "POST" && $0.redirectLimit == 0 })
    #expect(requests[0].headers.contains { $0 == ("Authorization", "Bearer secret") })
    #expect(
      String(decoding: requests[0].body ?? [], as: UTF8.self)
        == #"{"about":"other","album":"Blue","artist":"Joni","id":"plex:a1","text":"one"}"#)
    let keys = requests.map { request in request.headers.first { $0.0 == "Idempotency-Key" }?.1 }
    #expect(keys[0] != nil && keys[0] == keys[1] && keys[0] == keys[2] && keys[0] != keys[3])
    #expect(receiver.pauses.withLock { $0 } == [.seconds(30), .seconds(60)])
    #expect(try await catalogue.todos().map(\.delivery) == ["sent", "sent"])
  }

  @Test func aWrongTokenStopsAllAndARefusedTodoOnlyItself() async throws {
    let catalogue = try await blue()
    let stopped = try await send(catalogue, ["one", "two"], Receiver([401]))
    #expect(stopped.waiting == 2 && stopped.problem?.code == "library.webhookSignedOut")
    let receiver = Receiver([422])
    let refused = try await send(catalogue, [], receiver, token: "other")
    #expect(refused.waiting == 0 && refused.failed == 1)
    let todos = try await catalogue.todos()
    #expect(todos.map(\.delivery) == ["sent", "failed"])
    #expect(todos[1].problem?.code == "library.webhookRefused")
    #expect(todos[1].problem?.cause?.contains("422") == true)
  }

  @Test(arguments: ["ftp://a.example", "https://user@a.example/", "a.example", "https://", "https://a.example/\n"])
  func anAddressThatIsNoneIsRefused(address: String) async throws {
    let catalogue = try await blue()
    let settings = TodoWebhookSettings(store: CredentialStore(home: catalogue.tree.beside("home")))
    #expect(
      await gardenCode { try await settings.set(.init(address: address, token: "t"), catalogue.database) }
        == "library.badWebhook")
    #expect(try await settings.read(catalogue.database).address == nil)
  }

  @Test func withoutAnAddressNothingIsSent() async throws {
    let catalogue = try await blue()
    let id = try await catalogue.album("Blue").id.playable
    let todo = try await catalogue.garden { try $0.todos.add(.init(id: id, text: "one")) }
    #expect(todo.delivery == nil)
  }
}
