import Client
import Messages
import Model
import Testing

/// The choice of concerts near a place.
@Suite struct ConcertFilterTests {
  private let list = Resolver.ConcertList(
    concerts: [
      .init(artist: "Ada", date: "2026-12-01", latitude: 47.0707, longitude: 15.4395),
      .init(artist: "Ben", date: "2027-01-31", latitude: 48.2082, longitude: 16.3738),
      .init(artist: "Cy", date: "2027-02-01", city: "Graz"), .init(artist: "Di", date: "2027-03-01"),
    ], artists: 4)

  private func artists(_ filter: ConcertFilter) -> [String] {
    filter.apply(to: list, today: "2026-11-26T12:00:00Z").list.concerts.map(\.artist)
  }

  @Test func aPlaceIsALatitudeAndALongitude() throws {
    let place = try #require(ConcertFilter.Place("47.07, 15.44"))
    #expect(place == ConcertFilter.Place(latitude: 47.07, longitude: 15.44))
    for text in ["", "Graz", "47.07", "91,0", "0,181", "1,2,3", "nan,0"] { #expect(ConcertFilter.Place(text) == nil) }
  }

  @Test func concertsWithinTheDistanceAreNear() throws {
    let graz = ConcertFilter.Place(latitude: 47.0707, longitude: 15.4395)
    #expect(artists(ConcertFilter(near: graz)) == ["Ada"])
    #expect(artists(ConcertFilter(near: graz, within: 150)) == ["Ada", "Ben"])
    let found = ConcertFilter(near: graz, within: 150).apply(to: list, today: "2026-11-26")
    #expect(found.unplaced == 2)
    let distance = try #require(found.distances.last ?? nil)
    // Vienna is about 145 km from Graz.
    #expect((140...150).contains(distance))
  }

  @Test func theMonthsEndOnTheSameDayOfAMonth() {
    #expect(artists(ConcertFilter(months: 1)) == ["Ada"])
    #expect(artists(ConcertFilter(months: 3)) == ["Ada", "Ben", "Cy"])
    #expect(artists(ConcertFilter(months: 24)) == ["Ada", "Ben", "Cy", "Di"])
    #expect(artists(ConcertFilter()).count == 4)
  }
}
