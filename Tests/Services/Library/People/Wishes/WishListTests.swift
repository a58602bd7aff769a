import Messages
import Model
import Storage
import Sync
import Testing

@testable import People
@testable import ProviderRuns

/// Wishes, and the saved albums and followed artists of providers.
@Suite(.timeLimit(.minutes(2)))
struct WishListTests {
  private func save(_ house: ProviderHouse, _ artists: [String]) {
    house.provider.edit {
      $0.items[.albums] = artists.map {
        RemoteItem(native: FakeProvider.native($0), item: SyncItem(artist: $0, album: "Album"))
      }
    }
  }

  @Test func aSavedAlbumIsAWishAndLeavesWithItsProvider() async throws {
    let house = try await ProviderHouse([.albums: .pull])
    save(house, ["A", "B"])
    try await house.run()
    #expect(try await house.wishes() == ["B/Album", "A/Album"])
    let wish = try await house.catalogue.database.read { try WishList.page(.init(limit: 1), $0) }
    #expect(wish.items.first?.providers == ["fake"] && wish.next != nil)
    save(house, ["A"])
    try await house.run()
    #expect(try await house.wishes().count == 2)
    try await house.run()
    #expect(try await house.wishes() == ["A/Album"])
    let removal = try #require(try await house.reports().removals.first)
    _ = try await house.requests.undo(.init(name: "fake", removal: removal.id))
    #expect(try await house.wishes() == ["B/Album", "A/Album"])
  }

  @Test func aWishThatAPersonRemovedDoesNotComeBackAndIsRemovedThere() async throws {
    let house = try await ProviderHouse([.albums: .both])
    save(house, ["A", "B"])
    try await house.run()
    let wish = try await house.catalogue.database.read { try WishList.page(.init(), $0) }.items[0]
    try await house.catalogue.database.write { try WishList(transaction: $0).remove(.init(id: wish.id)) }
    try await house.run()
    #expect(house.provider.calls.contains("remove id B from albums"))
    try await house.run()
    #expect(try await house.wishes() == ["A/Album"])
  }

  @Test func aPersonsOwnWishIsSavedThereIfTheProviderHasIt() async throws {
    let house = try await ProviderHouse([.albums: .both])
    house.provider.edit { $0.lacks = ["Rare"] }
    let now = house.catalogue.time
    for artist in ["Rare", "Known"] {
      try await house.catalogue.database.write {
        _ = try WishList(transaction: $0).add(.init(artist: artist, album: "Album"), at: now)
      }
    }
    try await house.run()
    try await house.run()
    #expect(house.provider.calls.filter { $0.hasPrefix("add") } == ["add id Known to albums"])
    #expect(try await house.wishes().count == 2)
  }

  @Test func whatIsInTheLibraryIsNoWishUntilItLeaves() async throws {
    let house = try await ProviderHouse([.albums: .both])
    try await house.catalogue.stock(albums: 1, tracks: 2)
    let album = try #require(try await house.catalogue.albums().first)
    house.provider.edit {
      $0.items[.albums] = [
        RemoteItem(native: "n1", item: SyncItem(artist: album.artist.uppercased(), album: album.title))
      ]
    }
    try await house.run()
    #expect(try await house.wishes().isEmpty)
    let now = house.catalogue.time
    await #expect(throws: LunaraError.self) {
      try await house.catalogue.database.write {
        _ = try WishList(transaction: $0).add(.init(artist: album.artist, album: album.title), at: now)
      }
    }
    // The disk with the album is gone: that is no reason to remove it at the provider.
    try await house.catalogue.database.write { try $0.execute("UPDATE albums SET shelf = 0") }
    try await house.run()
    try await house.run()
    #expect(try await house.wishes() == ["\(album.artist.uppercased())/\(album.title)"])
    #expect(!house.provider.calls.contains { $0.hasPrefix("remove") })
  }

  @Test func aWishIsKnownByItsReleaseGroupAsWell() async throws {
    let house = try await ProviderHouse()
    let (database, now) = (house.catalogue.database, house.catalogue.time)
    let group = "f32fab67-77dd-3937-addc-9062e28e4c37"
    let add = { @Sendable (request: Library.AddWish) in
      try await database.write { try WishList(transaction: $0).add(request, at: now) }
    }
    #expect(try await add(.init(artist: "Ada", album: "Blue")).releaseGroup == nil)
    #expect(try await add(.init(artist: "Ada", album: "Blue", releaseGroup: group.uppercased())).releaseGroup == group)
    // Another id of the same names changes nothing.
    let other = try await add(.init(artist: "ada", album: "blue", releaseGroup: String(group.dropLast()) + "8"))
    #expect(other.releaseGroup == group)
    let wishes = try await database.read { try WishList.page(.init(), $0).items }
    #expect(wishes == [other])
    for bad in ["", "g1", "<b>", String(repeating: "-", count: 36)] {
      await #expect { try await add(.init(artist: "Ada", album: "Red", releaseGroup: bad)) } throws: {
        ($0 as? LunaraError)?.code == "library.badWish"
      }
    }
    // It comes under another name.
    try await house.catalogue.stock(albums: 1, tracks: 1)
    try await database.write { try $0.execute("UPDATE albums SET release_group = ?", group.uppercased()) }
    #expect(try await database.write { try WishList(transaction: $0).update() })
    #expect(try await house.wishes().isEmpty)
    await #expect { try await add(.init(artist: "Eve", album: "Red", releaseGroup: group)) } throws: {
      ($0 as? LunaraError)?.code == "library.wishIsHere"
    }
  }

  @Test func aWishIsCheckedAndStoredOnce() async throws {
    let house = try await ProviderHouse()
    let database = house.catalogue.database
    let now = house.catalogue.time
    let first = try await database.write {
      try WishList(transaction: $0).add(.init(artist: " Alice  Coltrane "), at: now)
    }
    let second = try await database.write {
      try WishList(transaction: $0).add(.init(artist: "alice coltrane"), at: now)
    }
    #expect(first.artist == "Alice Coltrane" && first.album == nil && first == second)
    for request in [Library.AddWish(artist: " "), .init(artist: String(repeating: "x", count: 501))] {
      await #expect(throws: LunaraError.self) {
        try await database.write { _ = try WishList(transaction: $0).add(request, at: now) }
      }
    }
    await #expect(throws: LunaraError.self) {
      try await database.write { try WishList(transaction: $0).remove(.init(id: 99)) }
    }
  }
}
