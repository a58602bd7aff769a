import System
import Testing

@testable import Bus

@Suite struct StrangerPlacesTests {
  private let start = ContinuousClock.now

  private func address(_ text: String) throws -> HostPrefix { try #require(HostPrefix(text)) }

  /// Fills all places that addresses nobody knows can have.
  private func crowded() throws -> StrangerPlaces {
    var places = StrangerPlaces()
    for number in 0..<StrangerPlaces.limit {
      let evicted = places.arrived(UInt32(number), from: try address("192.0.2.\(number)"), at: start)
      #expect(evicted == nil)
    }
    return places
  }

  @Test func oneAddressHasAShareAndItsOldestConnectionGivesWay() throws {
    var places = StrangerPlaces()
    let flood = try address("192.0.2.1")
    for number in 0..<100 as Range<UInt32> {
      let evicted = places.arrived(number, from: flood, at: start)
      let share = UInt32(StrangerPlaces.addressLimit)
      #expect(evicted == (number < share ? nil : number - share))
    }
    #expect(places.arrived(100, from: try address("192.0.2.2"), at: start) == nil)
  }

  @Test func theOldestStrangerGivesWayWhenAllPlacesAreTaken() throws {
    var places = try crowded()
    #expect(places.arrived(500, from: try address("198.51.100.1"), at: start) == 0)
    #expect(places.arrived(501, from: try address("198.51.100.2"), at: start) == 1)
  }

  @Test func peersFindPlacesThatStrangersCannotTake() throws {
    var places = try crowded()
    places.list([try address("10.0.0.1")])
    #expect(places.arrived(500, from: try address("10.0.0.1"), at: start) == nil)
    // A stranger that comes now takes the place of another stranger, not that of the peer.
    for number in 0..<200 as Range<UInt32> {
      let evicted = places.arrived(1000 + number, from: try address("203.0.113.\(number)"), at: start)
      #expect(evicted != nil && evicted != 500)
    }
  }

  @Test func anAddressThatProvedItselfCountsAsThatOfAPeer() throws {
    var places = StrangerPlaces()
    let peer = try address("198.51.100.1")
    _ = places.arrived(900, from: peer, at: start)
    places.proved(900)
    for number in 0..<StrangerPlaces.limit {
      _ = places.arrived(UInt32(number), from: try address("192.0.2.\(number)"), at: start)
    }
    #expect(places.arrived(901, from: peer, at: start) == nil)
  }

  @Test func whoDoesNotProveItselfInTimeIsClosedAndWhoDidIsNot() throws {
    var places = StrangerPlaces()
    _ = places.arrived(1, from: try address("192.0.2.1"), at: start)
    _ = places.arrived(2, from: try address("192.0.2.1"), at: start)
    _ = places.arrived(3, from: try address("192.0.2.1"), at: start + .seconds(5))
    places.proved(2)
    #expect(places.removeOverdue(at: start + .seconds(9)).isEmpty)
    #expect(places.removeOverdue(at: start + StrangerPlaces.patience) == [1])
    #expect(places.removeOverdue(at: start + .seconds(15)) == [3])
  }
}
