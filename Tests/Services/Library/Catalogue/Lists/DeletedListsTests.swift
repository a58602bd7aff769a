import Messages
import Model
import ServiceKit
import Storage
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// Deleted lists whose former id another list has when they are restored.
@Suite(.timeLimit(.minutes(1)))
struct DeletedListsTests {
  /// A catalogue of a server with the playlists `List`, of the id 9001, and `Other`.
  private func fixture() async throws -> (catalogue: TestCatalogue, server: FakeServer, list: PlaylistID) {
    var contents = FakeServer.Contents()
    contents.album(100, "Blue")
    contents.playlists = [
      ServerList(native: "9001", title: "List", items: ["101", "102"]),
      ServerList(native: "9003", title: "Other", items: ["103"]),
    ]
    let (catalogue, server) = (try TestCatalogue(), FakeServer(contents))
    try await catalogue.refresh(server)
    return (catalogue, server, try #require(try await lists(catalogue).first).id)
  }

  private func lists(_ catalogue: TestCatalogue) async throws -> [Playlist] {
    try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items
  }

  @Test func aListThatIsBackAtItsServerHasItsIDAgain() async throws {
    let (catalogue, server, id) = try await fixture()
    for _ in 0..<2 {
      server.change { $0.playlists.removeAll { $0.title == "List" } }
      try await catalogue.refresh(server, accepting: true)
    }
    #expect(try await lists(catalogue).map(\.title) == ["Other"])
    server.change {
      $0.playlists[0].native = "9001"
      $0.playlists.append(ServerList(native: "9002", title: "List", items: ["101", "102"]))
    }
    try await catalogue.refresh(server)
    let found = try await lists(catalogue)
    #expect(found.map(\.title) == ["List", "Other"] && found.map(\.trackCount) == [2, 1])
    #expect(found.first?.id == id)
  }

  @Test func aDeletionIsTakenBack() async throws {
    let (catalogue, server, id) = try await fixture()
    let sender = PlaylistSender(
      database: catalogue.database, hostID: "h1", log: .quiet, server: { _ in server }, time: { catalogue.time })
    try await catalogue.edit { try $0.delete(.init(id: id)) }
    #expect(await sender.sendAll())
    server.change { $0.playlists[0].native = "9001" }
    try await catalogue.refresh(server)
    let again = try await catalogue.edit { try $0.undo(.init(id: id)) }
    #expect(again.id == id && again.trackCount == 2)
    #expect(await sender.sendAll())
    #expect(server.playlists.map(\.items) == [["103"], ["101", "102"]])
    try await catalogue.refresh(server)
    let found = try await lists(catalogue)
    #expect(found.map(\.title) == ["List", "Other"] && found.first?.id == id)
  }
}
